package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Channel;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.InputOutputException;
import org.trueasync.io.TlsOptions;

/** The client over HTTP/2, beside our own server. */
@Timeout(30)
class Http2ClientTest {
    @FunctionalInterface
    private interface Calls {
        void make(HttpClient client, HttpServer server, String origin) throws Exception;
    }

    private static void call(String reactor, HttpHandler handler, Calls calls) {
        call(reactor, client -> client, handler, calls);
    }

    /** Runs a client beside a server; at the end no call may be under way. */
    private static void call(
            String reactor, UnaryOperator<HttpClient.Builder> settings, HttpHandler handler, Calls calls) {
        Http.serve(reactor, handler, server -> {
            try (var client = settings.apply(HttpClient.builder().http2Only()).build()) {
                calls.make(client, server, "http://127.0.0.1:" + server.port());
                for (var pool : client.stats().values())
                    assertThat(pool.active()).isZero();
            }
        });
    }

    private static String secure(HttpServer server) {
        return "https://localhost:" + server.port();
    }

    @EachReactor
    void response_hasStatusFieldsBodyAndTrailers(String reactor) {
        call(
                reactor,
                x -> {
                    x.status(201).header("X-Place", x.host() + " " + x.protocol());
                    x.trailer("X-Sum", "6");
                    x.write(x.method() + " " + x.path() + " " + x.text());
                },
                (client, server, origin) -> {
                    try (var response = client.request("POST", origin + "/thing?x=1")
                            .header("Connection", "close")
                            .body("text")
                            .send()) {
                        assertThat(response.protocol()).isEqualTo("HTTP/2");
                        assertThat(response.status()).isEqualTo(201);
                        assertThat(response.header("x-place"))
                                .startsWith("127.0.0.1:")
                                .endsWith(" HTTP/2");
                        assertThat(response.text()).isEqualTo("POST /thing text");
                        assertThat(response.trailers().get("x-sum")).isEqualTo("6");
                    }
                    try (var bare = client.request("HEAD", origin).send()) {
                        assertThat(bare.text()).isEmpty();
                    }
                });
    }

    @EachReactor
    void heads_areAsLargeAsThePeerTakes(String reactor) {
        String large = "v".repeat(12_000);
        call(
                reactor,
                x -> {
                    x.header("X-Back", x.header("X-There"));
                    x.trailer("X-Behind", x.header("X-There"));
                    x.write("text");
                },
                (client, server, origin) -> {
                    assertThatThrownBy(() -> client.request("GET", origin)
                                    .header("X-There", large + large)
                                    .send())
                            .isExactlyInstanceOf(AsyncException.class)
                            .hasMessageContaining("the server takes at most 16384");
                    for (String there : List.of(large, "short", large)) {
                        try (var response = client.request("GET", origin)
                                .header("X-There", there)
                                .send()) {
                            assertThat(response.text()).isEqualTo("text");
                            assertThat(response.header("X-Back")).isEqualTo(there);
                            assertThat(response.trailers().get("X-Behind")).isEqualTo(there);
                        }
                    }
                    assertThat(server.stats().acceptedConnections()).isOne();
                });
    }

    @EachReactor
    void callsAtATime_shareOneConnection(String reactor) {
        call(
                reactor,
                exchange -> {
                    delay(5);
                    exchange.respond(exchange.path());
                },
                (client, server, origin) -> {
                    for (int round = 0; round < 3; round++) {
                        var all = new ArrayList<Coroutine<String>>();
                        for (int i = 0; i < 60; i++) {
                            String path = "/" + i;
                            all.add(spawn(() -> client.get(origin + path).text()));
                        }
                        for (int i = 0; i < 60; i++)
                            assertThat(await(all.get(i))).isEqualTo("/" + i);
                    }
                    assertThat(server.stats().acceptedConnections()).isOne();
                    assertThat(client.stats().get(origin).created()).isEqualTo(60);
                });
    }

    @EachReactor
    void callsBeyondWhatTheServerAllows_haveASecondConnection(String reactor) {
        call(
                reactor,
                client -> client.maxConnections(200),
                exchange -> {
                    delay(20);
                    exchange.respond("ok");
                },
                (client, server, origin) -> {
                    var all = new ArrayList<Coroutine<String>>();
                    for (int i = 0; i < 150; i++)
                        all.add(spawn(() -> client.get(origin).text()));
                    for (var one : all) assertThat(await(one)).isEqualTo("ok");
                    assertThat(server.stats().acceptedConnections()).isEqualTo(2); // 128 streams are allowed
                    client.close();
                    while (server.stats().openConnections() > 0) delay(5); // no place is left on either
                });
    }

    @EachReactor
    void limitOfCalls_holdsOthersUp(String reactor) {
        int[] running = new int[2];
        call(
                reactor,
                client -> client.maxConnections(3),
                exchange -> {
                    running[1] = Math.max(running[1], ++running[0]);
                    delay(5);
                    running[0]--;
                    exchange.respond("ok");
                },
                (client, server, origin) -> {
                    var all = new ArrayList<Coroutine<String>>();
                    for (int i = 0; i < 12; i++)
                        all.add(spawn(() -> client.get(origin).text()));
                    for (var one : all) await(one);
                });
        assertThat(running[1]).isEqualTo(3);
    }

    @EachReactor
    void longBodies_goBothWaysAtOnce(String reactor) {
        byte[] bytes = "0123456789".repeat(400_000).getBytes(StandardCharsets.ISO_8859_1);
        call(
                reactor,
                exchange -> {
                    exchange.duplex();
                    try (var in = exchange.inputStream();
                            var out = exchange.outputStream()) {
                        in.transferTo(out);
                    }
                },
                (client, server, origin) -> {
                    assertThat(client.request("POST", origin).body(bytes).send().bytes())
                            .isEqualTo(bytes);
                    assertThat(client.request("POST", origin)
                                    .body(out -> {
                                        for (int i = 0; i < 4; i++) out.write(bytes, i * 1_000_000, 1_000_000);
                                    })
                                    .send()
                                    .bytes())
                            .isEqualTo(bytes);
                    assertThat(server.stats().acceptedConnections()).isOne();
                });
    }

    @EachReactor
    void callsThatDoNotRead_holdNoOtherUp(String reactor) {
        byte[] large = new byte[2_000_000];
        call(
                reactor,
                exchange -> {
                    if (exchange.path().equals("/large")) exchange.respond(large);
                    else exchange.respond("small");
                },
                (client, server, origin) -> {
                    var open = new ArrayList<HttpResponse>();
                    for (int i = 0; i < 8; i++) open.add(client.get(origin + "/large"));
                    for (int i = 0; i < 50; i++)
                        assertThat(client.get(origin + "/small").text()).isEqualTo("small");
                    for (var response : open) assertThat(response.bytes()).hasSize(large.length);
                    assertThat(server.stats().acceptedConnections()).isOne();
                });
    }

    @EachReactor
    void call_goesOnWhileItsRequestIsWritten(String reactor) {
        call(
                reactor,
                exchange -> {
                    exchange.duplex().write("ready ");
                    byte[] part = new byte[2];
                    while (exchange.inputStream().readNBytes(part, 0, 2) == 2)
                        exchange.write("<" + new String(part, StandardCharsets.US_ASCII) + ">");
                },
                (client, server, origin) -> {
                    var said = new Channel<String>(0);
                    try (var response = client.request("POST", origin)
                            .body(out -> {
                                for (String text : said) {
                                    out.write(text.getBytes(StandardCharsets.US_ASCII));
                                    out.flush();
                                }
                            })
                            .send()) {
                        InputStream in = response.inputStream();
                        assertThat(new String(in.readNBytes(6), StandardCharsets.US_ASCII))
                                .isEqualTo("ready ");
                        for (int i = 10; i < 14; i++) {
                            said.send("" + i);
                            assertThat(new String(in.readNBytes(4), StandardCharsets.US_ASCII))
                                    .isEqualTo("<" + i + ">");
                        }
                        said.close();
                        assertThat(in.read()).isNegative();
                    }
                });
    }

    @EachReactor
    void responseThatEndsFirst_endsTheRequest(String reactor) {
        var ends = new ArrayList<String>();
        call(
                reactor,
                exchange -> {
                    exchange.inputStream().read();
                    exchange.respond("enough");
                },
                (client, server, origin) -> {
                    for (int i = 0; i < 3; i++) {
                        String text = client.request("POST", origin)
                                .body(out -> {
                                    try {
                                        out.write(1);
                                        out.flush();
                                        delay(30_000);
                                    } catch (AsyncCancellation e) {
                                        ends.add("cancelled");
                                        throw e;
                                    }
                                })
                                .send()
                                .text();
                        assertThat(text).isEqualTo("enough");
                    }
                    String refused = client.request("POST", origin)
                            .body(new byte[3_000_000])
                            .send()
                            .text();
                    assertThat(refused).isEqualTo("enough");
                    assertThat(client.get(origin).text()).isEqualTo("enough");
                    assertThat(server.stats().acceptedConnections()).isOne();
                });
        assertThat(ends).containsExactly("cancelled", "cancelled", "cancelled");
    }

    @EachReactor
    void responseThatIsClosedWhileACancellationIsDue_givesItsPlaceBack_onceTheWriterHasEnded(String reactor) {
        call(
                reactor,
                exchange -> {
                    exchange.write("begun");
                    exchange.inputStream().readAllBytes();
                },
                (client, server, origin) -> {
                    var ends = new ArrayList<String>();
                    var call = spawn(() -> {
                        var request = client.request("POST", origin).body(out -> {
                            try {
                                delay(60_000);
                            } finally {
                                ends.add("writer");
                            }
                        });
                        try (var response = request.send()) {
                            currentCoroutine().cancel();
                        }
                        ends.add("response");
                        delay(60_000);
                    });
                    assertThatThrownBy(() -> await(call)).isInstanceOf(AsyncCancellation.class);
                    assertThat(ends).containsExactly("writer", "response");
                });
    }

    @EachReactor
    void cancelledCall_endsItsStreamAlone(String reactor) {
        var ends = new ArrayList<String>();
        call(
                reactor,
                exchange -> {
                    if (!exchange.path().equals("/slow")) {
                        delay(100);
                        exchange.respond("ok");
                        return;
                    }
                    try {
                        delay(30_000);
                    } catch (AsyncCancellation e) {
                        ends.add(e.getMessage());
                        throw e;
                    }
                },
                (client, server, origin) -> {
                    var slow = spawn(() -> client.get(origin + "/slow").text());
                    var other = spawn(() -> client.get(origin).text());
                    delay(20);
                    slow.cancel();
                    assertThatThrownBy(() -> await(slow)).isInstanceOf(AsyncCancellation.class);
                    assertThat(await(other)).isEqualTo("ok");
                    assertThatThrownBy(() -> withTimeout(Duration.ofMillis(20), () -> client.get(origin + "/slow")
                                    .text()))
                            .isInstanceOf(AsyncTimeoutException.class);
                    assertThat(client.get(origin).text()).isEqualTo("ok");
                    while (ends.size() < 2) delay(1);
                    assertThat(server.stats().acceptedConnections()).isOne();
                });
        assertThat(ends).hasSize(2).allMatch(end -> end.startsWith("the client has reset the stream"));
    }

    @EachReactor
    void callsThatAreCancelledTogether_leaveTheReadingToOthers(String reactor) {
        call(
                reactor,
                exchange -> {
                    delay(100);
                    exchange.respond(exchange.path());
                },
                (client, server, origin) -> {
                    client.get(origin).text();
                    var all = new ArrayList<Coroutine<String>>();
                    for (int i = 0; i < 6; i++) {
                        String path = "/" + i;
                        all.add(spawn(() -> client.get(origin + path).text()));
                    }
                    delay(30);
                    // the first one reads; the turn comes to others that are cancelled already
                    for (int i = 0; i < 5; i++) all.get(i).cancel();
                    assertThat(await(all.get(5))).isEqualTo("/5");
                    assertThat(server.stats().acceptedConnections()).isOne();
                });
    }

    @EachReactor
    void responseClosedEarly_leavesTheConnectionToOthers(String reactor) {
        call(reactor, exchange -> exchange.respond(new byte[5_000_000]), (client, server, origin) -> {
            for (int i = 0; i < 20; i++) {
                try (var response = client.get(origin)) {
                    response.inputStream().read();
                }
            }
            assertThat(server.stats().acceptedConnections()).isOne();
        });
    }

    @EachReactor
    void serverThatDrains_isAskedOnANewConnection(String reactor) {
        Http.run(reactor, () -> {
            try (var client = HttpClient.builder().http2Only().build()) {
                var first = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                    delay(50);
                    exchange.respond("first");
                });
                int port = first.port();
                String origin = "http://127.0.0.1:" + port;
                assertThat(client.get(origin).text()).isEqualTo("first");
                var under = spawn(() -> client.get(origin).text());
                delay(10);
                first.drain();
                assertThat(await(under)).isEqualTo("first");
                try (var second =
                        HttpServer.builder().host("127.0.0.1").port(port).listen(x -> x.respond("second"))) {
                    assertThat(client.request("POST", origin).body("x").send().text())
                            .isEqualTo("second");
                    assertThat(second.stats().acceptedConnections()).isOne();
                }
            }
        });
    }

    @EachReactor
    void idleConnection_isClosed(String reactor) {
        call(
                reactor,
                client -> client.keepAlive(Duration.ofMillis(40)),
                exchange -> exchange.respond("ok"),
                (client, server, origin) -> {
                    client.get(origin).text();
                    while (server.stats().openConnections() > 0) delay(5);
                    assertThat(client.get(origin).text()).isEqualTo("ok");
                    assertThat(server.stats().acceptedConnections()).isEqualTo(2);
                });
    }

    @EachReactor
    void expectation_isAnsweredBeforeTheBody(String reactor) {
        call(
                reactor,
                exchange -> {
                    if (exchange.path().equals("/no")) exchange.status(417).respond("no");
                    else exchange.respond(exchange.text());
                },
                (client, server, origin) -> {
                    assertThat(client.request("POST", origin)
                                    .expectContinue()
                                    .body("text")
                                    .send()
                                    .text())
                            .isEqualTo("text");
                    assertThat(client.request("POST", origin + "/no")
                                    .expectContinue()
                                    .body("text")
                                    .send()
                                    .text())
                            .isEqualTo("no");
                });
    }

    @EachReactor
    void bodyThatFails_isTheErrorOfTheCall(String reactor) {
        call(reactor, exchange -> exchange.respond(exchange.text()), (client, server, origin) -> {
            assertThatThrownBy(() -> client.request("POST", origin)
                            .body(out -> {
                                out.write(1);
                                throw new IllegalArgumentException("mine");
                            })
                            .send()
                            .text())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("mine");
            assertThatThrownBy(() -> client.request("POST", origin)
                            .body(out -> out.write(1), 2)
                            .send()
                            .text())
                    .isInstanceOf(IllegalStateException.class);
            assertThat(client.request("POST", origin).body("ok").send().text()).isEqualTo("ok");
            assertThat(server.stats().acceptedConnections()).isOne();
        });
    }

    @EachReactor
    void openResponse_keepsNoRunAlive(String reactor) throws Exception {
        var port = new CompletableFuture<Integer>();
        var runHasEnded = new CompletableFuture<Boolean>();
        var serving = Thread.ofPlatform()
                .start(() -> Http.run(reactor, () -> {
                    try (var server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                        exchange.duplex().write("begun");
                        delay(20_000);
                    })) {
                        port.complete(server.port());
                        await(Future.from(runHasEnded));
                    }
                }));
        var reports = Http.run(reactor, () -> {
            var client = HttpClient.builder().http2Only().build();
            var response = client.get("http://127.0.0.1:" + port.get());
            assertThat(response.status()).isEqualTo(200);
        });
        runHasEnded.complete(true);
        serving.join();
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void versions_areAgreedOnByTls(String reactor) throws Exception {
        var context = Keys.context();
        Map<String, UnaryOperator<HttpServer.Builder>> servers =
                Map.of("HTTP/2", b -> b, "HTTP/1.1", b -> b.http2(false));
        for (var each : servers.entrySet())
            Http.serve(reactor, b -> each.getValue().apply(b.tls(context)), x -> x.respond(x.protocol()), server -> {
                var options = TlsOptions.client(context);
                try (var both = HttpClient.builder().tls(options).build();
                        var old = HttpClient.builder().http1Only().tls(options).build()) {
                    var all = new ArrayList<Coroutine<String>>();
                    for (int i = 0; i < 10; i++)
                        all.add(spawn(() -> both.get(secure(server)).text()));
                    for (var one : all) assertThat(await(one)).isEqualTo(each.getKey());
                    assertThat(old.get(secure(server)).text()).isEqualTo("HTTP/1.1");
                }
            });
    }

    @EachReactor
    void serverThatDoesNotSpeakIt_isNamed(String reactor) throws Exception {
        var context = Keys.context();
        Http.serve(reactor, b -> b.tls(context).http2(false), x -> x.respond("ok"), server -> {
            try (var client = HttpClient.builder()
                    .http2Only()
                    .tls(TlsOptions.client(context))
                    .build()) {
                assertThatThrownBy(() -> client.get(secure(server))).isInstanceOf(InputOutputException.class);
            }
        });
        Http.serve(reactor, b -> b.http2(false), x -> x.respond("ok"), server -> {
            try (var client = HttpClient.builder().http2Only().build()) {
                assertThatThrownBy(() -> client.get("http://127.0.0.1:" + server.port()))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("the server does not speak HTTP/2");
            }
        });
    }
}
