package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Pool;
import org.trueasync.diagnostics.Ledger;
import org.trueasync.diagnostics.Ledger.Kind;
import org.trueasync.testkit.VirtualTime;

/** What requests have spent their time on, in virtual time. */
@Timeout(60)
class RequestLedgerTest {
    private final List<String> log = new ArrayList<>();
    private final List<Ledger> ledgers = new ArrayList<>();

    private HttpServer listen(HttpHandler handler) {
        return HttpServer.builder()
                .host("127.0.0.1")
                .listen(HttpFilters.slowRequests(Duration.ofMillis(500), log::add)
                        .around(handler));
    }

    private static void get(HttpClient client, HttpServer server, String path) {
        client.get("http://127.0.0.1:" + server.port() + path).text();
    }

    @Test
    void slowRequest_isToldWithItsParts_andAQuickOneIsNot() {
        VirtualTime.run(() -> {
            var pool = Pool.of(() -> "connection").name("db").max(1).build();
            try (var server = listen(exchange -> {
                        ledgers.add(exchange.ledger());
                        if (exchange.path().equals("/slow")) {
                            pool.use(connection -> 1);
                            VirtualTime.advance(Duration.ofMillis(40));
                            delay(7);
                        }
                        exchange.respond("done");
                    });
                    var client = HttpClient.builder().build()) {
                spawn(() -> pool.use(connection -> {
                    delay(600);
                    return 1;
                }));
                suspend();
                get(client, server, "/quick");
                get(client, server, "/slow");
                assertThat(log).hasSize(1);
                assertThat(log.getFirst())
                        .matches("GET /slow 200, 646 ms: 599 ms pool \\(acquire from Pool 'db' .*\\), 40 ms running, "
                                + "7 ms timer \\(timer 7 ms\\)");
                Map<Kind, Duration> slow = ledgers.getLast().byKind();
                assertThat(slow).containsEntry(Kind.RUNNING, Duration.ofMillis(40));
                assertThat(slow.values().stream().reduce(Duration.ZERO, Duration::plus))
                        .isEqualTo(ledgers.getLast().total());
            }
            return null;
        });
    }

    @Test
    void handlerThatFails_isToldToo_andItsLedgerIsClosed() {
        VirtualTime.run(() -> {
            try (var server = listen(exchange -> {
                        ledgers.add(exchange.ledger());
                        delay(800);
                        throw new HttpException(404, "no such report");
                    });
                    var client = HttpClient.builder().build()) {
                get(client, server, "/failing");
                delay(1_000);
                assertThat(log).singleElement().asString().startsWith("GET /failing ");
                assertThat(ledgers.getFirst().total()).isEqualTo(Duration.ofMillis(800));
            }
            return null;
        });
    }

    @Test
    void limitsThatMakeNoSense_areRefused() {
        for (long millis : new long[] {0, -5})
            assertThatThrownBy(() -> HttpFilters.slowRequests(Duration.ofMillis(millis), log::add))
                    .hasMessage("limit must be > 0 ms, got " + millis);
    }
}
