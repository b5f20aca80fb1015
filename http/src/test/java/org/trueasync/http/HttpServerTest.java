package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.trueasync.internal.http.message.Dates;

@Timeout(60)
class HttpServerTest {
    static HttpResponse<String> get(HttpServer server, String path) throws Exception {
        try (var client = java.net.http.HttpClient.newHttpClient()) {
            return client.send(request(server, path).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static HttpRequest.Builder request(HttpServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    @EachReactor
    void respond_sendsStatusFieldsAndBody(String reactor) {
        Http.serve(
                reactor,
                exchange -> exchange.status(201).header("X-Place", "here").respond("made " + exchange.path()),
                server -> {
                    var response = get(server, "/thing?x=1");
                    assertThat(response.statusCode()).isEqualTo(201);
                    assertThat(response.body()).isEqualTo("made /thing");
                    assertThat(response.headers().firstValue("X-Place")).hasValue("here");
                    assertThat(response.headers().firstValue("Content-Length")).hasValue("11");
                    assertThat(Dates.parse(response.headers().firstValue("Date").orElseThrow()))
                            .isNotNull();
                });
    }

    @EachReactor
    void pipelinedRequests_areAnsweredInOrder(String reactor) {
        Http.serve(
                reactor,
                exchange -> {
                    if (exchange.path().equals("/slow")) delay(20);
                    exchange.respond(exchange.path());
                },
                server -> {
                    String all = Raw.exchange(
                            server.port(),
                            "GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n"
                                    + "GET /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                    assertThat(all)
                            .containsSubsequence("\r\n\r\n/slow", "\r\n\r\n/b", "Connection: close", "\r\n\r\n/c");
                    assertThat(server.stats().requests()).isEqualTo(3);
                });
    }

    @EachReactor
    void body_comesInPartsBothWays(String reactor) {
        String text = "0123456789".repeat(20_000);
        Http.serve(
                reactor,
                exchange -> {
                    try (var in = exchange.inputStream();
                            var out = exchange.outputStream()) {
                        in.transferTo(out);
                    }
                },
                server -> {
                    try (var client = java.net.http.HttpClient.newHttpClient()) {
                        for (boolean chunked : List.of(false, true)) {
                            var body = HttpRequest.BodyPublishers.ofString(text);
                            var sent = chunked ? HttpRequest.BodyPublishers.fromPublisher(body) : body;
                            var response = client.send(
                                    request(server, "/").POST(sent).build(), HttpResponse.BodyHandlers.ofString());
                            assertThat(response.body()).isEqualTo(text);
                        }
                    }
                });
    }

    @EachReactor
    void manyBodiesUnderWay_eachRequestHasItsOwnFields(String reactor) {
        Http.serve(reactor, exchange -> exchange.respond(exchange.header("X-Tag") + exchange.text() + "."), server -> {
            var peers = new ArrayList<Raw>();
            for (int i = 0; i < 30; i++) {
                peers.add(new Raw(server.port())
                        .send("POST / HTTP/1.1\r\nHost: a\r\nX-Tag: t" + i + "\r\nContent-Length: 4\r\n\r\nbo"));
            }
            // one that leaves in the middle, and one that is malformed
            peers.removeLast().reset();
            assertThat(Raw.exchange(server.port(), "GET / HTTP/1.1\r\nHost : a\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ");
            for (int i = 0; i < peers.size(); i++) {
                String next = "GET / HTTP/1.1\r\nHost: a\r\nX-Tag: T" + i + "\r\n\r\n";
                peers.get(i).send("dy" + next).readUntil("\r\n\r\nt" + i + "body.");
                peers.get(i).readUntil("\r\n\r\nT" + i + ".");
                peers.get(i).close();
            }
        });
    }

    @EachReactor
    void child_endsWithItsRequest(String reactor) {
        var order = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    requestContext().set("path", exchange.path());
                    spawn(() -> {
                        try {
                            delay(3_600_000);
                        } finally {
                            order.add("child of " + requestContext().get("path"));
                        }
                    });
                    delay(1);
                    order.add("handler of " + exchange.path());
                    exchange.respond("done");
                },
                server -> {
                    Raw.exchange(
                            server.port(),
                            "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                    assertThat(order).containsExactly("handler of /a", "child of /a", "handler of /b", "child of /b");
                });
    }

    @EachReactor
    void handlerThatFails_gives500AndIsReportedOnce(String reactor) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                spawn(() -> delay(3_600_000));
                suspend();
                throw new IllegalStateException("secret");
            })) {
                var response = get(server, "/");
                assertThat(response.statusCode()).isEqualTo(500);
                assertThat(response.body()).doesNotContain("secret", "Exception");
                assertThat(server.stats().handlerFailures()).isEqualTo(1);
            }
        });
        assertThat(reports).hasSize(1);
        assertThat(reports.getFirst()).contains("IllegalStateException: secret").doesNotContain("Caused by");
    }

    @EachReactor
    void coroutineThatTheEndOfItsRequestKeepsFromBeginning_isToldOnce(String reactor) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                launch("mail", () -> {
                    throw new AssertionError("begun");
                });
                exchange.respond("ordered");
            })) {
                for (int i = 0; i < 2; i++) assertThat(get(server, "/").body()).isEqualTo("ordered");
            }
        });
        assertThat(reports).singleElement().asString().contains("'mail'", "launch it in a scope that outlives");
    }

    @EachReactor
    void clientThatResets_cancelsItsHandler(String reactor) {
        var order = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    order.add("begun");
                    try {
                        delay(3_600_000);
                    } finally {
                        order.add("cancelled");
                    }
                },
                server -> {
                    var peer = new Raw(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    while (order.isEmpty()) delay(1);
                    peer.reset();
                    while (order.size() < 2) delay(1);
                    assertThat(order).containsExactly("begun", "cancelled");
                });
    }

    @EachReactor
    void eachPart_isSentWithTheEndOfItsChunk(String reactor) {
        var seen = new ArrayList<Integer>();
        List<Integer> sizes = List.of(3, 100_000, 1);
        Http.serve(
                reactor,
                exchange -> {
                    for (int size : sizes) {
                        exchange.write("x".repeat(size));
                        while (!seen.contains(size)) delay(1); // some clients hand a chunk on only when it has its end
                    }
                },
                server -> {
                    try (var peer = new Raw(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
                        peer.readUntil("\r\n\r\n");
                        for (int size : sizes) {
                            assertThat(peer.readUntil("x\r\n"))
                                    .isEqualTo(Integer.toHexString(size) + "\r\n" + "x".repeat(size) + "\r\n");
                            seen.add(size);
                        }
                        assertThat(peer.readUntil("0\r\n\r\n")).isEqualTo("0\r\n\r\n");
                    }
                });
    }
}
