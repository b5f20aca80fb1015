package @package@;

import static org.trueasync.Async.delay;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Calls again what has failed. */
public final class Retry {
    private Retry() {}

    /**
     * Makes a call up to so many times, with pauses of 1, 2, 4, ... seconds. Only the coroutine that calls this waits.
     *
     * @param attempts 1 to 16
     * @param call what may fail; cancellation is an {@code Error}, and is not tried again
     * @return the first result
     * @throws IllegalArgumentException if there are too few or too many attempts
     * @throws Exception of the last attempt
     */
    public static <T> T retry(int attempts, Callable<T> call) throws Exception {
        if (attempts < 1 || attempts > 16) throw new IllegalArgumentException("attempts must be 1 to 16, got " + attempts);
        for (int attempt = 1; ; attempt++) {
            try {
                return call.call();
            } catch (Exception failed) {
                if (attempt == attempts) throw failed;
                delay(Duration.ofSeconds(1L << (attempt - 1)));
            }
        }
    }
}
