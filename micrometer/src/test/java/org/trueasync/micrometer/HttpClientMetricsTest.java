package org.trueasync.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.spawn;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Latch;
import org.trueasync.http.HttpClient;
import org.trueasync.http.HttpServer;

/** The meters of an HTTP client tell, in any thread, what all of its pools do. */
class HttpClientMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name, String... tags) throws Exception {
        return blocking(() -> registry.get("trueasync.http.client." + name)
                .tags("client", "carrier", "zone", "north")
                .tags(tags)
                .gauge()
                .value());
    }

    @Test
    void client_tellsTheFiguresOfAllOrigins() {
        Async.runtime().reactor("nio").run(() -> {
            var arrived = new Latch(2);
            var mayAnswer = new Latch(1);
            try (var server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                        arrived.countDown();
                        mayAnswer.await();
                        exchange.respond("answer");
                    });
                    var client = HttpClient.builder().maxConnections(1).build();
                    var metrics = new HttpClientMetrics(client, "carrier", Tags.of("zone", "north"))) {
                metrics.bindTo(registry);
                assertThat(gauge("connections", "state", "active")).isZero();
                String one = "http://127.0.0.1:" + server.port();
                String other = "http://localhost:" + server.port();
                var calls = List.of(
                        spawn(() -> client.get(one).text()),
                        spawn(() -> client.get(other).text()),
                        spawn(() -> client.get(other).text()));
                arrived.await();
                assertThat(gauge("connections", "state", "active")).isEqualTo(2);
                assertThat(gauge("connections", "state", "idle")).isZero();
                assertThat(gauge("waiting")).isEqualTo(1);
                mayAnswer.countDown();
                awaitAllOrFail(calls);
                assertThat(gauge("connections", "state", "active")).isZero();
                assertThat(gauge("connections", "state", "idle")).isEqualTo(2);
                assertThat(gauge("waiting")).isZero();
                assertThat(registry.get("trueasync.http.client.retries")
                                .functionCounter()
                                .count())
                        .isZero();
            }
            assertThat(registry.getMeters()).isEmpty();
        });
    }
}
