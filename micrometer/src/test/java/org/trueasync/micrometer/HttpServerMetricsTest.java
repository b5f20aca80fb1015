package org.trueasync.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.http.HttpHandler;
import org.trueasync.http.HttpServer;

/** The meters of an HTTP server tell what it does. */
class HttpServerMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name) {
        return registry.get("trueasync.http.server." + name)
                .tag("server", "api")
                .gauge()
                .value();
    }

    private double count(String name, String... tags) {
        return registry.get("trueasync.http.server." + name)
                .tag("server", "api")
                .tags(tags)
                .functionCounter()
                .count();
    }

    @Test
    void server_tellsWhatItDoes() {
        Async.runtime().reactor("nio").diagnostics(report -> {}).run(() -> {
            try (var server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                        assertThat(gauge("requests.running")).isEqualTo(1);
                        if (exchange.path().equals("/broken")) throw new IllegalStateException("planned");
                        exchange.respond(exchange.path().equals("/missing") ? 404 : 200, "answer");
                    });
                    var metrics = new HttpServerMetrics(server, "api");
                    var client = HttpClient.newHttpClient()) {
                metrics.bindTo(registry);
                URI base = URI.create("http://127.0.0.1:" + server.port());
                for (String path : new String[] {"/", "/", "/missing", "/broken"}) {
                    var request = HttpRequest.newBuilder(base.resolve(path))
                            .version(HttpClient.Version.HTTP_1_1)
                            .POST(BodyPublishers.ofString("question", StandardCharsets.US_ASCII))
                            .build();
                    client.send(request, BodyHandlers.ofString());
                }
                assertThat(count("requests")).isEqualTo(4);
                assertThat(count("responses", "outcome", "SUCCESS")).isEqualTo(2);
                assertThat(count("responses", "outcome", "CLIENT_ERROR")).isEqualTo(1);
                assertThat(count("responses", "outcome", "SERVER_ERROR")).isEqualTo(1);
                assertThat(count("responses", "outcome", "REDIRECTION")).isZero();
                assertThat(count("requests.failed")).isEqualTo(1);
                assertThat(count("connections.accepted")).isPositive();
                assertThat(gauge("connections")).isPositive();
                assertThat(count("read")).isGreaterThan(4 * "question".length());
                assertThat(count("written")).isGreaterThan(2 * "answer".length());
                assertThat(count("timeouts", "of", "idle")).isZero();
                assertThat(gauge("requests.queued")).isZero();
            }
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    @Test
    void filterTimesWhatRequestsSpendTheirTimeOn() {
        Async.runtime().reactor("nio").diagnostics(report -> {}).run(() -> {
            var times = new RequestTimeMetrics(registry, Tags.of("server", "api"));
            HttpHandler handler = exchange -> {
                Async.delay(5);
                exchange.respond("answer");
            };
            try (var server = HttpServer.builder().host("127.0.0.1").listen(times.around(handler));
                    var client = HttpClient.newHttpClient()) {
                var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port()))
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
                client.send(request, BodyHandlers.ofString());
                Timer timer = registry.get("trueasync.http.server.request.time")
                        .tag("server", "api")
                        .tag("kind", "timer")
                        .timer();
                // the client may have its answer before the filter goes on
                while (timer.count() == 0) Async.suspend();
                assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(4);
            }
        });
    }
}
