package @package@;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.trueasync.Async.*;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.trueasync.http.HttpClient;
import org.trueasync.testkit.VirtualTime;

/** Runs service and client in virtual time: waits take none, and limits end exactly when they say. */
class ServiceTest {
    private record Slow(Duration price, Duration stock) implements Suppliers {
        @Override
        public int price(String item) {
            delay(price);
            return 70;
        }

        @Override
        public int stock(String item) {
            delay(stock);
            return 2;
        }
    }

    @Test
    void suppliers_areAskedAtTheSameTime() {
        VirtualTime.run(() -> {
            var suppliers = new Slow(Duration.ofSeconds(3), Duration.ofSeconds(4));
            try (var server = new Service(suppliers).listen(0);
                    var client = HttpClient.builder().build()) {
                var answer = client.get("http://127.0.0.1:" + server.port() + "/offers/tea");
                assertEquals(new Service.Offer("tea", 70, 2), answer.body(Service.Offer.class));
                assertEquals(4, VirtualTime.elapsed().toSeconds());
            }
        });
    }

    @Test
    void supplierThatHangs_costsFiveSeconds() {
        VirtualTime.run(() -> {
            var suppliers = new Slow(Duration.ofHours(1), Duration.ZERO);
            try (var server = new Service(suppliers).listen(0);
                    var client = HttpClient.builder().build()) {
                var answer = client.get("http://127.0.0.1:" + server.port() + "/offers/tea");
                assertEquals(503, answer.status());
                assertEquals(5, VirtualTime.elapsed().toSeconds());
            }
        });
    }
}
