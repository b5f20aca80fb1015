package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.testkit.simulation.Simulation;

/** The first connection of a server has an age of 0.9 + 0.2 * 0.618 of what was set: 61,416 ms for a minute. */
@Timeout(60)
class ConnectionAgeTest {
    private static final long FIRST = 61_416;
    private static final WebSocket.Options SILENT = WebSocket.options().pingInterval(Duration.ZERO);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private Simulation time;

    private void inVirtualTime(HttpHandler handler, Http.Client client) {
        Simulation.replay(1, sim -> {
            time = sim;
            sim.client(() -> {
                try (var server = HttpServer.builder()
                        .host("127.0.0.1")
                        .idleTimeout(Duration.ofHours(1))
                        .maxConnectionAge(Duration.ofMinutes(1), Duration.ofSeconds(30))
                        .listen(handler)) {
                    client.use(server);
                }
            });
        });
    }

    private void assertElapsed(long millis) {
        assertThat(time.elapsed()).isBetween(Duration.ofMillis(millis), Duration.ofMillis(millis + 20));
    }

    @Test
    void idleConnection_isClosed() {
        inVirtualTime(x -> x.respond("ok"), server -> {
            try (var peer = new Raw(server.port()).patience(100_000)) {
                assertThat(peer.send(GET).readUntil("ok")).doesNotContain("Connection");
                assertThat(peer.readAll()).isEmpty();
                assertElapsed(FIRST + 100); // so long a request may be on its way
                assertThat(server.stats().idleTimeouts()).isZero();
            }
        });
    }

    @Test
    void nextResponse_saysClose() {
        inVirtualTime(
                x -> {
                    delay(x.path().equals("/slow") ? 70_000 : 0);
                    x.respond("ok");
                },
                server -> {
                    try (var peer = new Raw(server.port()).patience(100_000)) {
                        peer.send(GET.replace("/ ", "/slow ") + GET);
                        assertThat(peer.readAll()).contains("Connection: close").containsOnlyOnce("HTTP/1.1 200");
                        assertElapsed(70_000);
                    }
                });
    }

    @Test
    void requestBeyondTheGrace_isCancelled() {
        var ends = new ArrayList<String>();
        inVirtualTime(
                x -> {
                    if (x.path().equals("/begun")) x.write("begun");
                    try {
                        delay(Duration.ofHours(1));
                    } catch (AsyncCancellation e) {
                        ends.add(e.getMessage());
                        throw e;
                    }
                },
                server -> {
                    try (var peer = new Raw(server.port()).patience(100_000)) {
                        assertThat(peer.send(GET).readAll())
                                .startsWith("HTTP/1.1 503 ")
                                .contains("Connection: close");
                        assertElapsed(FIRST + 30_000);
                    }
                    try (var peer = new Raw(server.port()).patience(100_000)) {
                        assertThat(peer.send(GET.replace("/ ", "/begun ")).readAll())
                                .endsWith("\r\n5\r\nbegun\r\n"); // cut
                    }
                    assertThat(ends).hasSize(2).containsOnly("the connection has reached its maximum age");
                });
    }

    @Test
    void handlerThatDoesNotEnd_losesItsConnection() {
        inVirtualTime(x -> protect(() -> delay(200_000)), server -> {
            try (var peer = new Raw(server.port()).patience(100_000)) {
                assertThat(peer.send(GET).readAll()).isEmpty();
                assertElapsed(FIRST + 35_000);
            }
        });
    }

    @Test
    void http2_goesAwayTwiceAndEndsStreams() {
        inVirtualTime(
                x -> {
                    if (x.path().equals("/events")) {
                        for (var events = x.events(); ; delay(10_000)) events.send("tick");
                    }
                    delay(Long.parseLong(x.path().substring(1)));
                    x.respond("done");
                },
                server -> {
                    try (var peer = Http2Peer.open(server.port()).patience(100_000)) {
                        peer.get(1, "/70000").get(3, "/100000").get(5, "/events");
                        assertThat(peer.await(1).text()).isEqualTo("done");
                        assertElapsed(70_000);
                        assertThat(peer.goAways).hasSize(2);
                        assertThat(peer.get(7, "/0").await(7).reset).isEqualTo(Http2Peer.REFUSED);
                        assertThat(peer.await(3).status()).isEqualTo("503");
                        assertThat(peer.await(5).ended).isTrue();
                        assertElapsed(FIRST + 30_000);
                        peer.awaitEnd();
                        assertThat(peer.goAways).hasSize(2);
                    }
                    try (var peer = Http2Peer.open(server.port()).patience(100_000)) {
                        assertThat(peer.get(1, "/0").await(1).text()).isEqualTo("done");
                        assertThat(peer.awaitEnd().goAways).hasSize(2);
                    }
                });
    }

    @Test
    void webSocket_isClosedWith1001AfterTheGrace() {
        inVirtualTime(
                x -> {
                    WebSocket socket = x.webSocket(SILENT);
                    for (var message : socket) socket.send(message.text());
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        delay(FIRST + 10_000);
                        peer.send(SocketPeer.frame(SocketPeer.TEXT, "still"));
                        assertThat(peer.read()).hasToString("text still");
                        delay(19_990);
                        assertThat(peer.readAll()).isEqualTo("close 1001");
                        assertElapsed(FIRST + 30_000);
                        delay(4_990);
                        assertThat(server.stats().openConnections()).isOne();
                        delay(20);
                        assertThat(server.stats().openConnections()).isZero(); // the peer does not answer
                    }
                });
    }

    @Test
    void serverThatDrains_endsOldConnectionsToo() {
        inVirtualTime(x -> x.webSocket(SILENT).receive(), server -> {
            try (var peer = new SocketPeer(server.port())) {
                delay(FIRST + 1_000);
                var drained = spawn(() -> server.drain(Duration.ofSeconds(10)));
                assertThat(peer.readAll()).isEqualTo("close 1001");
                peer.send(SocketPeer.close(1001, ""));
                assertThat(drained.await()).isTrue();
            }
        });
    }

    @Test
    void ages_differByATenth() {
        var ends = new ArrayList<Long>();
        inVirtualTime(x -> {}, server -> {
            for (int i = 0; i < 20; i++) {
                spawn(() -> {
                    try (var peer = new Raw(server.port()).patience(100_000)) {
                        peer.readAll();
                        ends.add(time.elapsed().toMillis() - 500); // as new ones get half a second
                    }
                });
            }
            delay(80_000);
        });
        assertThat(ends).hasSize(20).allMatch(end -> end >= 54_000 && end < 66_000);
        var gap = new AtomicLong();
        for (int i = 1; i < 20; i++) gap.accumulateAndGet(ends.get(i) - ends.get(i - 1), Math::max);
        assertThat(gap.get()).isLessThan(1_100); // 600 each if they were spread evenly
    }

    /** Its requests go on over new connections, and none fails. */
    @Test
    @Tag("deep")
    void clientOfTheJdk_losesNothing() throws Exception {
        SSLContext context = Keys.context();
        SSLContext trusting = Keys.trusting();
        for (var version :
                List.of(java.net.http.HttpClient.Version.HTTP_1_1, java.net.http.HttpClient.Version.HTTP_2)) {
            Http.serve(
                    "libuv",
                    b -> b.tls(context).maxConnectionAge(Duration.ofMillis(30), Duration.ofSeconds(5)),
                    x -> {
                        delay(1);
                        x.respond(x.protocol());
                    },
                    server -> {
                        var uri = URI.create("https://localhost:" + server.port() + "/");
                        try (var client = java.net.http.HttpClient.newBuilder()
                                .sslContext(trusting)
                                .version(version)
                                .build()) {
                            for (int i = 0; i < 12; i++) {
                                var request = HttpRequest.newBuilder(uri).build();
                                String body = blocking(() -> client.send(request, HttpResponse.BodyHandlers.ofString())
                                        .body());
                                assertThat(body)
                                        .isEqualTo(version.name()
                                                .replaceFirst("_", "/")
                                                .replace('_', '.'));
                                delay(5);
                            }
                            client.shutdownNow(); // close alone waits for seconds
                        }
                        assertThat(server.stats().acceptedConnections()).isGreaterThan(1);
                    });
        }
    }

    @Test
    void badTimes_areRefused() {
        assertThatThrownBy(() -> HttpServer.builder().maxConnectionAge(Duration.ofMillis(-1), Duration.ofSeconds(1)))
                .hasMessage("age must be >= 0 ms, got -1");
        assertThatThrownBy(() -> HttpServer.builder().maxConnectionAge(Duration.ZERO, Duration.ZERO))
                .hasMessage("grace must be > 0 ms, got 0");
    }
}
