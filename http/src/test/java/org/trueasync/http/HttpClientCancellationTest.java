package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.io.TlsOptions;

/** A call that is cancelled, wherever it waits, leaves no connection behind. */
@Timeout(60)
class HttpClientCancellationTest {
    private static final int STEPS = 40;

    /** Ways to call, each with waits of its own. */
    private static List<VoidCall> calls(HttpClient client, String origin) {
        return List.of(
                () -> client.get(origin).text(),
                () -> client.request("POST", origin)
                        .header("Connection", "close")
                        .body("text")
                        .send()
                        .text(),
                () -> client.request("POST", origin)
                        .body(new ByteArrayInputStream(new byte[300_000]))
                        .send()
                        .text(),
                () -> {
                    try (var response = client.request("POST", origin)
                            .body(new byte[300_000])
                            .send()) {
                        response.inputStream().read();
                    }
                },
                () -> client.request("POST", origin)
                        .expectContinue()
                        .body(out -> {
                            for (int i = 0; i < 10; i++) {
                                suspend();
                                out.write(new byte[10_000]);
                                out.flush();
                            }
                        })
                        .send()
                        .text());
    }

    private interface VoidCall {
        void make() throws Exception;
    }

    /** Cancels each call after each number of turns of the loop, until the call is done sooner. */
    private static void cancelAll(HttpClient client, String origin, int stride) {
        for (VoidCall call : calls(client, origin)) {
            for (int steps = 0; steps < STEPS; steps += stride) {
                var under = List.of(spawned(call), spawned(call));
                for (int i = 0; i < steps; i++) {
                    if (i % 4 == 3) delay(1);
                    else suspend();
                }
                for (var coroutine : under) coroutine.cancel();
                for (var coroutine : under) {
                    try {
                        await(coroutine);
                    } catch (AsyncCancellation e) {
                        // it was cancelled
                    }
                }
                for (var pool : client.stats().values()) {
                    assertThat(pool.active()).isZero();
                    assertThat(pool.leaked()).isZero();
                }
                // with one connection for all, a lost one would end this
                assertThat(client.get(origin).text()).isEmpty();
            }
        }
    }

    private static Coroutine<?> spawned(VoidCall call) {
        return spawn(() -> {
            call.make();
        });
    }

    private static void echo(Exchange exchange) throws Exception {
        try (var in = exchange.inputStream();
                var out = exchange.outputStream()) {
            in.transferTo(out);
        }
    }

    @EachReactor
    void callCancelledAtEachStep_leavesThePoolClean(String reactor) {
        Http.serve(reactor, HttpClientCancellationTest::echo, server -> {
            try (var client = HttpClient.builder().maxConnections(1).build()) {
                cancelAll(client, "http://localhost:" + server.port(), 1);
            }
        });
    }

    @EachReactor
    @Tag("deep")
    void secureCallCancelledAtEachStep_leavesThePoolClean(String reactor) throws Exception {
        cancelSecure(reactor, 1);
    }

    @EachReactor
    void secureCallCancelledAtSomeSteps_leavesThePoolClean(String reactor) throws Exception {
        cancelSecure(reactor, 13);
    }

    private static void cancelSecure(String reactor, int stride) throws Exception {
        var context = Keys.context();
        var reports = new ArrayList<String>(Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                            .host("127.0.0.1")
                            .tls(TlsOptions.server(context))
                            .listen(HttpClientCancellationTest::echo);
                    var client = HttpClient.builder()
                            .tls(TlsOptions.client(context))
                            .maxConnections(1)
                            .build()) {
                cancelAll(client, "https://localhost:" + server.port(), stride);
            }
        }));
        assertThat(reports).isEmpty();
    }
}
