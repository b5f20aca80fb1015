package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.remaining;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Scope;

/** Each limit of a server: its answer and its counter. */
@Timeout(60)
class LimitsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final Duration SHORT = Duration.ofMillis(50);

    private static List<String> serve(
            String reactor, UnaryOperator<HttpServer.Builder> settings, HttpHandler handler, Http.Client client) {
        return Http.serveAll(reactor, settings, handler, client);
    }

    /** Waits until nothing is under way any more. */
    static void settle(HttpServer server) {
        for (int i = 0; server.stats().openConnections() + server.stats().runningRequests() > 0; i++) {
            if (i > 10_000) throw new AssertionError("left open: " + server.stats());
            delay(1);
        }
        assertThat(server.stats().runningRequests()).isZero();
        assertThat(server.stats().queuedRequests()).isZero();
    }

    @EachReactor
    void idleConnection_isClosed(String reactor) {
        serve(reactor, b -> b.idleTimeout(SHORT), x -> x.respond("ok"), server -> {
            assertThat(Raw.exchange(server.port(), "")).isEmpty();
            assertThat(Raw.exchange(server.port(), GET)).endsWith("ok");
            assertThat(server.stats().idleTimeouts()).isEqualTo(2);
        });
    }

    @EachReactor
    void headThatDoesNotCome_gets408(String reactor) {
        serve(reactor, b -> b.headerTimeout(SHORT), x -> x.respond("ok"), server -> {
            assertThat(Raw.exchange(server.port(), "GET / HT")).startsWith("HTTP/1.1 408 ");
            try (var slow = new Raw(server.port())) { // a byte now and then does not help
                for (String each : GET.substring(0, GET.length() - 1).split("")) {
                    try {
                        slow.send(each);
                    } catch (IOException closed) {
                        break;
                    }
                    delay(5);
                }
                assertThat(slow.readAll()).startsWith("HTTP/1.1 408 ");
            }
            assertThat(server.stats().headerTimeouts()).isEqualTo(2);
            assertThat(server.stats().clientErrors()).isEqualTo(2);
        });
    }

    @EachReactor
    void bodyThatDoesNotCome_gets408(String reactor) {
        serve(reactor, b -> b.bodyTimeout(SHORT), x -> x.respond(x.text()), server -> {
            String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n";
            assertThat(Raw.exchange(server.port(), head + "abc")).startsWith("HTTP/1.1 408 ");
            assertThat(server.stats().bodyTimeouts()).isEqualTo(1);
        });
    }

    @EachReactor
    void peerThatDoesNotRead_isCut(String reactor) {
        byte[] much = new byte[50_000_000];
        serve(reactor, b -> b.writeTimeout(SHORT), x -> x.respond(much), server -> {
            try (var peer = new Raw(server.port()).send(GET)) {
                while (server.stats().openConnections() == 0) delay(1);
                settle(server);
                assertThat(server.stats().writeTimeouts()).isEqualTo(1);
                assertThat(server.stats().abortedResponses()).isEqualTo(1);
                assertThat(peer.readUntil("Content-Length: 50000000")).startsWith("HTTP/1.1 200 ");
            }
        });
    }

    @EachReactor
    void handlerThatTakesTooLong_isCancelledAndGets503(String reactor) {
        var ended = new ArrayList<String>();
        List<String> reports = serve(
                reactor,
                b -> b.requestTimeout(SHORT),
                x -> {
                    try {
                        delay(3_600_000);
                    } finally {
                        ended.add("ended");
                    }
                },
                server -> {
                    try (var peer = new Raw(server.port()).send(GET)) {
                        assertThat(peer.readUntil("too long\n")).contains(" 503 ", "Retry-After: 1");
                        peer.send(GET); // the connection is as good as before
                        assertThat(peer.readUntil("too long\n")).contains(" 503 ");
                    }
                    assertThat(server.stats().requestTimeouts()).isEqualTo(2);
                });
        assertThat(ended).hasSize(2);
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void timeThatIsLeft_isKnownToTheHandlerAndToWhatItSpawns(String reactor) {
        var left = new ArrayList<Duration>();
        HttpHandler asking = x -> {
            left.add(remaining());
            left.add(await(spawn(() -> await(spawn(() -> remaining())))));
            try (var scope = Scope.inherit()) {
                left.add(await(scope.spawn(() -> remaining())));
            }
            x.respond("ok");
        };
        Duration limit = Duration.ofMinutes(1);
        serve(reactor, b -> b.requestTimeout(limit), asking, server -> {
            assertThat(Raw.exchange(server.port(), GET.replace("1.1", "1.0"))).endsWith("ok");
            assertThat(left).hasSize(3).allMatch(time -> time.compareTo(limit) <= 0 && time.toSeconds() > 1);
        });
        left.clear();
        serve(reactor, b -> b, asking, server -> {
            assertThat(Raw.exchange(server.port(), GET.replace("1.1", "1.0"))).endsWith("ok");
            assertThat(left).containsExactly(null, null, null);
        });
    }

    @EachReactor
    void timeLimitOfTheHandlerItself_isItsFailure(String reactor) {
        List<String> reports = serve(
                reactor,
                b -> b.requestTimeout(Duration.ofMinutes(1)),
                x -> org.trueasync.Async.withTimeout(SHORT, () -> delay(3_600_000)),
                server -> {
                    assertThat(Raw.exchange(server.port(), GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")))
                            .startsWith("HTTP/1.1 500 ");
                    assertThat(server.stats().requestTimeouts()).isZero();
                    assertThat(server.stats().handlerFailures()).isEqualTo(1);
                });
        assertThat(reports).hasSize(1);
    }

    @EachReactor
    void requestsBeyondTheQueue_getAnswer503AndTheOrderIsKept(String reactor) {
        var order = new ArrayList<String>();
        serve(
                reactor,
                b -> b.maxRequests(1, 2),
                x -> {
                    order.add(x.path());
                    while (order.size() == 1) delay(1); // the first one waits until it is told
                    x.respond(x.path());
                },
                server -> {
                    var peers = new ArrayList<Raw>();
                    for (int i = 0; i < 4; i++) {
                        peers.add(new Raw(server.port()).send(GET.replace("/ ", "/p" + i + " ")));
                        int running = i + 1;
                        while (server.stats().requests() < running) delay(1);
                    }
                    assertThat(peers.get(3).readUntil("under way\n")).contains(" 503 ", "Retry-After: 1");
                    assertThat(server.stats().queuedRequests()).isEqualTo(2);
                    order.add("go");
                    for (int i = 0; i < 3; i++)
                        assertThat(peers.get(i).readUntil("/p" + i)).contains(" 200 ");
                    assertThat(server.stats().refusedRequests()).isEqualTo(1);
                    for (Raw peer : peers) peer.close();
                });
        assertThat(order).containsExactly("/p0", "go", "/p1", "/p2");
    }

    @EachReactor
    void connectionBeyondTheMost_gets503(String reactor) {
        serve(reactor, b -> b.maxConnections(1), x -> x.respond("ok"), server -> {
            try (var first = new Raw(server.port()).send(GET)) {
                first.readUntil("ok");
                assertThat(Raw.exchange(server.port(), GET)).contains(" 503 ", "Retry-After: 1", "Connection: close");
                assertThat(server.stats().refusedConnections()).isEqualTo(1);
                delay(50); // the one that was refused has left
                assertThat(server.stats().openConnections()).isEqualTo(1);
                first.send(GET).readUntil("ok");
            }
            settle(server);
            try (var next = new Raw(server.port()).send(GET)) {
                next.readUntil("ok");
            }
        });
    }

    @EachReactor
    void lastRequestOfAConnection_isAnsweredThoughMoreCome(String reactor) {
        serve(reactor, b -> b.maxRequestsPerConnection(2), x -> x.respond(x.path()), server -> {
            String all =
                    Raw.exchange(server.port(), GET.replace("/ ", "/1 ") + GET.replace("/ ", "/2 ") + GET.repeat(50));
            assertThat(all).containsSubsequence("/1", "Connection: close", "/2").endsWith("/2");
            assertThat(server.stats().requests()).isEqualTo(2);
        });
    }

    @EachReactor
    void bodyThatIsTooLargeOrNotRead_doesNotDestroyTheAnswer(String reactor) {
        String body = "x".repeat(10_000_000);
        serve(reactor, b -> b, x -> x.respond(x.path().equals("/read") ? x.text() : "not read"), server -> {
            String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n";
            assertThat(Raw.exchange(server.port(), head.replace("/ ", "/read ") + body))
                    .contains(" 413 ", "Connection: close");
            assertThat(server.stats().tooLargeBodies()).isEqualTo(1);
            String less = body.substring(0, 5_000_000);
            head = head.replace("" + body.length(), "" + less.length());
            assertThat(Raw.exchange(server.port(), head + less))
                    .contains(" 200 ", "Connection: close")
                    .endsWith("not read");
            // a small one is read and forgotten, and the connection goes on
            String few = less.substring(0, 100_000);
            try (var peer = new Raw(server.port())) {
                for (int i = 0; i < 3; i++) {
                    peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + few.length() + "\r\n\r\n");
                    assertThat(peer.readUntil("not read")).contains(" 200 ").doesNotContain("Connection: close");
                    peer.send(few);
                }
            }
        });
    }

    @EachReactor
    void expectation_isAnsweredOnlyIfTheBodyIsRead(String reactor) {
        serve(reactor, b -> b, x -> x.respond(x.path().equals("/read") ? x.text() : "no"), server -> {
            String head = "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n";
            try (var peer = new Raw(server.port()).send(head)) {
                assertThat(peer.readUntil("\r\n\r\n")).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
                assertThat(peer.send("abc").readUntil("abc")).contains(" 200 ").doesNotContain("Connection: close");
            }
            assertThat(Raw.exchange(server.port(), head.replace("/read", "/no")))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Connection: close")
                    .endsWith("no");
        });
    }

    @EachReactor
    void drain_answersWhatIsUnderWayAndClosesTheRest(String reactor) {
        serve(
                reactor,
                b -> b,
                x -> {
                    if (x.path().equals("/slow")) delay(100);
                    x.respond(x.path());
                },
                server -> {
                    try (var idle = new Raw(server.port()).send(GET);
                            var fresh = new Raw(server.port());
                            var slow = new Raw(server.port())) {
                        idle.readUntil("\r\n\r\n/");
                        while (server.stats().openConnections() < 3) delay(1);
                        slow.send(GET.replace("/ ", "/slow "));
                        while (server.stats().runningRequests() == 0) delay(1);
                        var drained = spawn(() -> server.drain(Duration.ofSeconds(20)));
                        delay(1);
                        // on its way when the drain has begun
                        assertThat(fresh.send(GET).readAll())
                                .contains("Connection: close")
                                .endsWith("/");
                        assertThat(idle.readAll()).isEmpty();
                        assertThat(slow.readAll()).contains("Connection: close").endsWith("/slow");
                        assertThat(drained.await()).isTrue();
                    }
                });
    }

    @EachReactor
    void drainInAHandler_isRefused(String reactor) {
        List<String> reports = serve(reactor, b -> b, x -> x.respond("never"), server -> {});
        assertThat(reports).isEmpty();
        var self = new HttpServer[1];
        reports = serve(reactor, b -> b, x -> self[0].drain(), server -> {
            self[0] = server;
            assertThat(Raw.exchange(server.port(), GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")))
                    .contains(" 500 ");
        });
        assertThat(reports).singleElement().asString().contains("can't wait for the drain of its own server");
    }

    @EachReactor
    void close_answersRequestsUnderWay(String reactor) {
        var ends = new ArrayList<String>();
        serve(
                reactor,
                b -> b,
                x -> {
                    ends.add("begun");
                    try {
                        delay(3_600_000);
                    } finally {
                        protect(() -> delay(20));
                        ends.add("ended");
                    }
                },
                server -> {
                    try (var peer = new Raw(server.port()).send(GET)) {
                        while (ends.isEmpty()) delay(1);
                        server.close();
                        assertThat(peer.readAll())
                                .contains(" 503 ", "Connection: close")
                                .endsWith("shutting down\n");
                    }
                    assertThat(ends).containsExactly("begun", "ended");
                });
    }

    @EachReactor
    void closeAtOnce_leavesNoConnection(String reactor) {
        serve(reactor, b -> b, x -> x.respond("ok"), server -> {
            var peers = new ArrayList<Raw>();
            for (int i = 0; i < 20; i++) peers.add(new Raw(server.port()).send(GET));
            while (server.stats().acceptedConnections() == 0) delay(0);
            server.close();
            settle(server);
            for (Raw peer : peers) peer.close();
        });
    }

    @EachReactor
    void abort_cutsTheResponseAndLetsTheHandlerGoOn(String reactor) {
        var order = new ArrayList<String>();
        List<String> reports = serve(
                reactor,
                b -> b,
                x -> {
                    x.write("part");
                    x.abort();
                    delay(5);
                    order.add("went on");
                },
                server -> {
                    String all = Raw.exchange(server.port(), GET);
                    assertThat(all).contains("part").doesNotEndWith("0\r\n\r\n");
                    settle(server);
                    assertThat(server.stats().abortedResponses()).isEqualTo(1);
                    assertThat(server.stats().cancelledRequests()).isZero();
                });
        assertThat(order).containsExactly("went on");
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void clientThatLeft_doesNotHideABugOfTheHandler(String reactor) {
        List<String> reports = serve(
                reactor,
                b -> b.cancelAbandoned(false),
                x -> {
                    try {
                        while (true) {
                            x.write("x".repeat(1_000));
                            delay(1);
                        }
                    } finally {
                        if (x.path().equals("/bug")) throw new IllegalStateException("a bug");
                    }
                },
                server -> {
                    for (String path : List.of("/", "/bug")) {
                        var peer = new Raw(server.port()).send(GET.replace("/ ", path + " "));
                        peer.readUntil("xxx");
                        peer.reset();
                        settle(server);
                    }
                    assertThat(server.stats().abortedResponses()).isEqualTo(2);
                });
        assertThat(reports).singleElement().asString().contains("a bug");
    }

    @EachReactor
    void clientThatOnlyClosesItsOutput_isAnswered(String reactor) {
        serve(
                reactor,
                b -> b.cancelAbandoned(false),
                x -> {
                    delay(1_100);
                    x.respond("late");
                },
                server -> {
                    try (var peer = new Raw(server.port()).send(GET).end()) {
                        assertThat(peer.readAll()).endsWith("late");
                    }
                });
    }

    @EachReactor
    void accessLog_hasALineForEachRequest(String reactor) {
        var common = new ArrayList<String>();
        var json = new ArrayList<String>();
        serve(
                reactor,
                b -> b.accessLog(entry -> {
                    common.add(entry.common());
                    json.add(entry.json());
                }),
                x -> x.respond(201, "made"),
                server -> {
                    Raw.exchange(
                            server.port(),
                            "GET /a\"b?c HTTP/1.1\r\nHost: a\r\nUser-Agent: \"me\"\r\nConnection: close\r\n\r\n");
                    Raw.exchange(server.port(), "rubbish\r\n\r\n");
                });
        assertThat(common).hasSize(2);
        assertThat(common.getFirst())
                .matches("127\\.0\\.0\\.1 - - \\[.* \\+0000] \"GET /a\\\\x22b\\?c HTTP/1\\.1\" 201 4");
        assertThat(common.getLast()).contains("\"-\" 400 ");
        assertThat(json.getFirst())
                .startsWith("{\"time\":\"")
                .contains(
                        "\"client.address\":\"127.0.0.1\",\"http.request.method\":\"GET\"",
                        "\"url.path\":\"/a\\u0022b\",\"url.query\":\"c\",\"network.protocol.version\":\"1.1\"",
                        "\"http.response.status_code\":201,\"http.response.body.size\":4",
                        "\"user_agent.original\":\"\\u0022me\\u0022\"")
                .containsPattern("\"http.server.request.duration\":\\d+\\.\\d{6},")
                .endsWith("}");
        assertThat(json.getLast()).doesNotContain("http.request").contains("\"http.response.status_code\":400");
    }

    @EachReactor
    void accessLogThatFails_isReportedAndHarmless(String reactor) {
        List<String> reports = serve(
                reactor,
                b -> b.accessLog(entry -> {
                    throw new IllegalStateException("disk is full");
                }),
                x -> x.respond("ok"),
                server -> {
                    try (var peer = new Raw(server.port())) {
                        for (int i = 0; i < 2; i++) peer.send(GET).readUntil("ok");
                    }
                });
        assertThat(reports).hasSize(2).allMatch(r -> r.contains("disk is full"));
    }
}
