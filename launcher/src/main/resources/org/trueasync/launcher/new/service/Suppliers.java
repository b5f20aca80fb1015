package @package@;

import static org.trueasync.Async.*;

/** Two services of others. */
interface Suppliers {
    int price(String item) throws Exception;

    int stock(String item) throws Exception;

    /** Waits as they would, and invents the answer: put an HttpClient or a database here. */
    final class Pretended implements Suppliers {
        @Override
        public int price(String item) {
            delay(20); // only this coroutine waits
            return item.length() * 10;
        }

        @Override
        public int stock(String item) {
            delay(30);
            return 3;
        }
    }
}
