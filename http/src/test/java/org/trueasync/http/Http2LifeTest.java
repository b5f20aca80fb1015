package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.FutureState;

/** How connections of HTTP/2 end: idle ones, those of a server that drains, and of one that is closed. */
@Timeout(60)
class Http2LifeTest {
    private static void serve(
            String reactor, UnaryOperator<HttpServer.Builder> settings, HttpHandler handler, Http.Client client) {
        assertThat(Http.serveAll(reactor, settings, handler, client)).isEmpty();
    }

    @EachReactor
    void idleConnection_isToldAndClosed(String reactor) {
        serve(reactor, b -> b.idleTimeout(Duration.ofMillis(150)), x -> x.respond("ok"), server -> {
            try (var silent = Http2Peer.open(server.port());
                    var peer = Http2Peer.open(server.port())) {
                assertThat(peer.get(1, "/").await(1).text()).isEqualTo("ok");
                try {
                    for (int i = 0; i < 150; i++) { // pings don't keep it open
                        peer.settle();
                        delay(10);
                    }
                    peer.reset(); // so that no GOAWAY comes
                } catch (AssertionError | IOException closed) {
                    // it is closed while it waits for an answer
                }
                assertThat(peer.awaitEnd().goAway()).isZero();
                assertThat(silent.awaitEnd().goAway()).isZero();
                assertThat(server.stats().idleTimeouts()).isEqualTo(2);
            }
        });
    }

    @EachReactor
    void busyConnection_isNotIdle(String reactor) {
        HttpHandler handler = x -> {
            delay(200);
            x.respond("late");
        };
        serve(reactor, b -> b.idleTimeout(Duration.ofMillis(50)), handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(1, "/").settle();
                assertThat(peer.await(1).text()).isEqualTo("late");
                assertThat(peer.awaitEnd().goAway()).isZero();
            }
        });
    }

    @EachReactor
    void lastRequestOfAConnection_isFollowedByItsEnd(String reactor) {
        serve(reactor, b -> b.maxRequestsPerConnection(3), x -> x.respond(x.path()), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                for (int i = 0; i < 5; i++) peer.get(1 + 2 * i, "/" + i);
                peer.awaitEnd();
                for (int i = 0; i < 3; i++)
                    assertThat(peer.of(1 + 2 * i).text()).isEqualTo("/" + i);
                assertThat(peer.of(7).reset).isEqualTo(Http2Peer.REFUSED);
                assertThat(peer.of(9).reset).isEqualTo(Http2Peer.REFUSED);
                assertThat(peer.goAway()).isZero();
                assertThat(peer.goAways.getLast().payload()[3]).isEqualTo((byte) 5); // the last one that is served
                assertThat(server.stats().requests()).isEqualTo(3);
            }
        });
    }

    @EachReactor
    void drain_finishesWhatIsUnderWay_andRefusesTheRest(String reactor) {
        var gate = new ArrayList<FutureState<String>>();
        HttpHandler handler = x ->
                x.respond(x.path().equals("/slow") ? gate.getFirst().future().await() : "quick");
        serve(reactor, b -> b, handler, server -> {
            gate.add(new FutureState<>());
            try (var peer = Http2Peer.open(server.port());
                    var idle = Http2Peer.open(server.port())) {
                peer.get(1, "/slow").settle();
                idle.get(1, "/").await(1);
                var drained = spawn(() -> {
                    server.drain();
                    return "drained";
                });
                while (peer.goAways.isEmpty()) peer.next();
                assertThat(peer.get(3, "/").await(3).text()).isEqualTo("quick"); // it was on its way
                while (peer.goAways.size() < 2) peer.next();
                assertThat(peer.get(5, "/").await(5).reset).isEqualTo(Http2Peer.REFUSED);
                assertThat(peer.goAways.getLast().payload()[3]).isEqualTo((byte) 3);
                assertThat(idle.awaitEnd().goAway()).isZero();
                assertThat(drained.isCompleted()).isFalse();
                gate.getFirst().complete("late");
                assertThat(peer.await(1).text()).isEqualTo("late");
                assertThat(peer.awaitEnd().goAway()).isZero();
                assertThat(drained.await()).isEqualTo("drained");
            }
        });
    }

    @EachReactor
    void drain_endsStreamsOfEvents(String reactor) {
        HttpHandler handler = x -> {
            var events = x.events();
            for (int i = 0; ; i++) {
                events.send("tick " + i);
                delay(5);
            }
        };
        serve(reactor, b -> b, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(1, "/").get(3, "/");
                while (!peer.of(3).text().contains("tick 2")) peer.next();
                var drained = spawn(() -> server.drain(Duration.ofSeconds(20)));
                assertThat(peer.await(1).ended).isTrue(); // in order, not cut
                assertThat(peer.await(3).ended).isTrue();
                peer.awaitEnd();
                assertThat(drained.await()).isTrue();
            }
        });
    }

    @EachReactor
    void drainThatTakesTooLong_cancels(String reactor) {
        HttpHandler handler = x -> {
            if (x.path().equals("/begun")) x.write("begun");
            delay(60_000);
        };
        serve(reactor, b -> b, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(1, "/").get(3, "/begun").settle();
                var drained = spawn(() -> server.drain(Duration.ofMillis(200)));
                assertThat(peer.await(1).status()).isEqualTo("503");
                assertThat(peer.await(3).ended).isFalse();
                assertThat(peer.of(3).reset).isEqualTo(2);
                peer.awaitEnd();
                assertThat(drained.await()).isFalse();
            }
        });
    }

    @EachReactor
    void serverThatIsClosed_answersWhatItCancels(String reactor) {
        var ended = new ArrayList<String>();
        HttpHandler handler = x -> {
            try {
                delay(60_000);
            } catch (AsyncCancellation e) {
                ended.add(x.path());
                throw e;
            }
        };
        serve(reactor, b -> b, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(1, "/1").get(3, "/3").settle();
                server.close();
                for (int id = 1; id <= 3; id += 2) {
                    assertThat(peer.await(id).status()).isEqualTo("503");
                    assertThat(peer.of(id).text()).contains("shutting down");
                }
                peer.awaitEnd();
                assertThat(peer.goAway()).isZero();
                assertThat(ended).containsExactly("/1", "/3");
            }
        });
    }

    @EachReactor
    void figuresAndTheLog_tellOfEachStream(String reactor) {
        var log = new ArrayList<String>();
        serve(reactor, b -> b.accessLog(e -> log.add(e.common())), x -> x.respond("four"), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(1, "/a?b").await(1);
                peer.get(3, "/", "host", "other").await(3);
                peer.get(5, "/", "te", "gzip").await(5);
                peer.settle();
                ServerStats stats = server.stats();
                assertThat(stats.openConnections()).isEqualTo(1);
                assertThat(stats.requests()).isEqualTo(1);
                assertThat(stats.ok()).isEqualTo(1);
                assertThat(stats.clientErrors()).isEqualTo(1);
                assertThat(stats.malformedRequests()).isEqualTo(2);
                assertThat(stats.bytesRead()).isGreaterThan(100);
                assertThat(stats.bytesWritten()).isGreaterThan(100);
            }
            assertThat(log).hasSize(2);
            assertThat(log.get(0)).contains("\"GET /a?b HTTP/2\" 200 4");
            assertThat(log.get(1)).contains("\"GET / HTTP/2\" 400 10");
        });
    }

    @EachReactor
    void requestsBeyondTheBound_get503(String reactor) {
        HttpHandler handler = x -> {
            delay(50);
            x.respond("ok");
        };
        serve(reactor, b -> b.maxRequests(2, 1), handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                for (int i = 0; i < 5; i++) peer.get(1 + 2 * i, "/");
                var statuses = new ArrayList<String>();
                for (int i = 0; i < 5; i++) statuses.add(peer.await(1 + 2 * i).status());
                assertThat(statuses).containsExactly("200", "200", "200", "503", "503");
                assertThat(peer.of(9).fields).containsEntry("retry-after", "1");
            }
        });
    }

    @EachReactor
    void bodiesTooLargeOrTooSlow_areRefusedAlone(String reactor) {
        serve(reactor, b -> b.maxBodyBytes(10).bodyTimeout(Duration.ofMillis(50)), x -> x.respond(x.text()), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                assertThat(peer.post(1, "/", "content-length", "11").await(1).status())
                        .isEqualTo("413");
                assertThat(peer.post(3, "/")
                                .data(3, "12345678901", false)
                                .await(3)
                                .status())
                        .isEqualTo("413");
                assertThat(peer.post(5, "/").data(5, "1", false).await(5).status())
                        .isEqualTo("408");
                assertThat(peer.post(7, "/").data(7, "1", true).await(7).text()).isEqualTo("1");
                assertThat(server.stats().bodyTimeouts()).isEqualTo(1);
                assertThat(server.stats().tooLargeBodies()).isEqualTo(2);
                assertThat(peer.settle().goAways).isEmpty();
            }
        });
    }

    @EachReactor
    void clientThatLeaves_freesAll(String reactor) {
        serve(reactor, b -> b, x -> delay(60_000), server -> {
            for (int round = 0; round < 3; round++) {
                try (var peer = Http2Peer.open(server.port())) {
                    for (int i = 0; i < 50; i++) peer.get(1 + 2 * i, "/");
                    peer.settle();
                    if (round == 1) peer.reset();
                }
                LimitsTest.settle(server);
            }
            assertThat(server.stats().cancelledRequests()).isEqualTo(150);
        });
    }
}
