package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.http.Http2Peer.CONTINUATION;
import static org.trueasync.http.Http2Peer.DATA;
import static org.trueasync.http.Http2Peer.END_HEADERS;
import static org.trueasync.http.Http2Peer.END_STREAM;
import static org.trueasync.http.Http2Peer.HEADERS;
import static org.trueasync.http.Http2Peer.PING;
import static org.trueasync.http.Http2Peer.PRIORITY;
import static org.trueasync.http.Http2Peer.RESET;
import static org.trueasync.http.Http2Peer.SETTINGS;
import static org.trueasync.http.Http2Peer.WINDOW;
import static org.trueasync.http.Http2Peer.fields;
import static org.trueasync.http.Http2Peer.hex;
import static org.trueasync.http.Http2Peer.request;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.trueasync.FutureState;

/** Peers that ask for too much, or begin in a wrong way. Frames that are forbidden: {@link Http2ConformanceTest}. */
@Timeout(60)
class Http2HostileTest {
    private static final int BOTH = END_HEADERS | END_STREAM;

    /** What a peer does on stream 1, mostly, and what may come of it. */
    private record Row(String name, Act act, List<String> answers) {}

    private interface Act {
        void by(Http2Peer peer) throws IOException;
    }

    private static Row row(String name, Act act, String... answers) {
        return new Row(name, act, List.of(answers));
    }

    private static List<Row> rows() {
        return List.of(
                row(
                        "a head without end",
                        p -> {
                            p.send(HEADERS, 1, 1, request("GET", "/"));
                            for (int i = 0; i < 20; i++) p.send(CONTINUATION, 0, 1, fields("a", "x".repeat(8_000)));
                        },
                        "connection 11",
                        "connection 9",
                        "connection 1"),
                row("a head that unpacks to much", p -> p.send(HEADERS, BOTH, 1, bomb()), "431"));
    }

    /** One field that is kept in the table, and is meant 5,000 times. */
    private static byte[] bomb() {
        var block = new ByteArrayOutputStream();
        block.writeBytes(request("GET", "/"));
        block.write(0x40);
        byte[] kept = fields("a", "x".repeat(3_000));
        block.write(kept, 1, kept.length - 1);
        for (int i = 0; i < 5_000; i++) block.write(0xbe);
        return block.toByteArray();
    }

    private static String outcome(Http2Peer peer) throws IOException {
        try {
            peer.send(PING, 0, 0, new byte[8]);
            while (peer.pings == 0 || peer.responses.isEmpty() && peer.goAways.isEmpty())
                if (peer.next() == null) break;
            if (peer.goAway() > 0) peer.awaitEnd();
        } catch (SocketException e) {
            peer.awaitEnd();
        }
        if (peer.goAway() >= 0) return "connection " + peer.goAway();
        if (peer.responses.isEmpty()) return "nothing" + (peer.closed ? ", closed" : "");
        Http2Peer.Response response = peer.responses.values().iterator().next();
        if (response.reset > 0 && !response.ended) return "stream " + response.reset;
        if (response.ended && response.reset > 0) return "stream " + response.reset;
        while (!response.ended && response.reset < 0 && peer.next() != null) {}
        return response.reset > 0 ? "stream " + response.reset : response.status();
    }

    private static void serve(
            String reactor, UnaryOperator<HttpServer.Builder> settings, HttpHandler handler, Http.Client client) {
        var reports = Http.serveAll(reactor, settings, handler, server -> {
            client.use(server);
            try (var next = Http2Peer.open(server.port())) { // whatever has happened
                assertThat(next.get(1, "/next").await(1).status()).isEqualTo("200");
            }
        });
        assertThat(reports).isEmpty();
    }

    private static final HttpHandler HANDLER = x -> {
        if (x.path().equals("/wait")) delay(60_000);
        x.respond(x.text());
    };

    @EachReactor
    void headsThatAreTooMuch_areRefused(String reactor) {
        var wrong = new ArrayList<String>();
        serve(reactor, b -> b, HANDLER, server -> {
            for (Row row : rows()) {
                try (var peer = Http2Peer.open(server.port()).patience(3_000)) {
                    String outcome;
                    try {
                        row.act.by(peer);
                        outcome = outcome(peer);
                    } catch (IOException | AssertionError e) {
                        outcome = e.toString();
                    }
                    if (!row.answers.contains(outcome))
                        wrong.add(row.name + ": " + outcome + " instead of " + row.answers);
                }
            }
        });
        assertThat(wrong).isEmpty();
    }

    @EachReactor
    void wrongPreface_isRefused(String reactor) {
        serve(reactor, b -> b, HANDLER, server -> {
            for (String begin : List.of(
                    "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX", "PRI * HTTP/1.1\r\n\r\n", "PRI XXXXXXXXXXXXXXXXXXXXXXXXX")) {
                try (var peer = new Http2Peer(server.port())) {
                    assertThat(peer.raw(begin).awaitEnd().goAway()).as(begin).isEqualTo(1);
                }
            }
            try (var peer = new Http2Peer(server.port())) {
                peer.raw(Http2Peer.PREFACE).send(PING, 0, 0, new byte[8]);
                assertThat(peer.awaitEnd().goAway()).isEqualTo(1);
            }
        });
    }

    private static void flood(String reactor, String name, Act act, Integer... codes) {
        serve(reactor, b -> b, HANDLER, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                try {
                    act.by(peer);
                } catch (SocketException e) {
                    // closed already
                }
                assertThat(codes).as(name + " " + peer.awaitEnd()).contains(peer.goAway());
            }
        });
    }

    @EachReactor
    void floods_endTheConnection(String reactor) {
        flood(
                reactor,
                "pings",
                p -> {
                    for (int i = 0; i < 2_000; i++) p.send(PING, 0, 0, new byte[8]);
                },
                11);
        flood(
                reactor,
                "settings",
                p -> {
                    for (int i = 0; i < 2_000; i++) p.send(SETTINGS, 0, 0, hex("0003 00000064"));
                },
                11);
        flood(
                reactor,
                "empty settings",
                p -> {
                    for (int i = 0; i < 2_000; i++) p.send(SETTINGS, 0, 0, new byte[0]);
                },
                11);
        flood(
                reactor,
                "empty data",
                p -> {
                    p.post(1, "/");
                    for (int i = 0; i < 2_000; i++) p.send(DATA, 0, 1, new byte[0]);
                },
                11);
        flood(
                reactor,
                "priorities",
                p -> {
                    for (int i = 0; i < 2_000; i++) p.send(PRIORITY, 0, 1, hex("0000000300"));
                },
                11);
        flood(
                reactor,
                "empty continuations",
                p -> {
                    p.send(HEADERS, 1, 1, request("GET", "/"));
                    for (int i = 0; i < 2_000; i++) p.send(CONTINUATION, 0, 1, new byte[0]);
                },
                11);
        flood(
                reactor,
                "unknown frames",
                p -> {
                    for (int i = 0; i < 2_000; i++) p.send(77, 0, 0, new byte[0]);
                },
                11);
        flood(
                reactor,
                "resets by the client",
                p -> {
                    for (int i = 0; i < 1_000; i++) p.get(1 + 2 * i, "/wait").number(RESET, 1 + 2 * i, 8);
                },
                11);
        flood(
                reactor,
                "resets that the client provokes",
                p -> {
                    for (int i = 0; i < 1_000; i++) p.get(1 + 2 * i, "/wait").number(WINDOW, 1 + 2 * i, 0);
                },
                11);
        flood(
                reactor,
                "resets that the client provokes by data",
                p -> {
                    for (int i = 0; i < 1_000; i++) p.get(1 + 2 * i, "/wait").data(1 + 2 * i, "x", true);
                },
                11);
        flood(
                reactor,
                "bad heads",
                p -> {
                    for (int i = 0; i < 1_000; i++) p.get(1 + 2 * i, "/", "te", "gzip");
                },
                11);
    }

    @EachReactor
    void requestsThatOnlySeemOver_areBounded(String reactor) {
        var gate = new ArrayList<FutureState<String>>();
        HttpHandler handler = x -> {
            if (x.path().equals("/next")) x.respond("");
            else gate.getFirst().future().await(); // a POST is not cancelled
        };
        serve(reactor, b -> b, handler, server -> {
            gate.add(new FutureState<>());
            try (var peer = Http2Peer.open(server.port())) {
                for (int i = 0; i < 128; i++) peer.send(HEADERS, BOTH, 1 + 2 * i, request("POST", "/"));
                peer.send(HEADERS, BOTH, 301, request("POST", "/"));
                assertThat(peer.await(301).reset).isEqualTo(Http2Peer.REFUSED); // 128 at a time
                peer.settle();
                for (int i = 0; i < 128; i++) peer.number(RESET, 1 + 2 * i, 8);
                for (int i = 0; i < 128; i++) peer.send(HEADERS, BOTH, 401 + 2 * i, request("POST", "/"));
                peer.settle();
                for (int i = 0; i < 60; i++) peer.number(RESET, 401 + 2 * i, 8);
                peer.send(HEADERS, BOTH, 801, request("POST", "/"));
                assertThat(peer.await(801).reset).isEqualTo(Http2Peer.REFUSED); // though it counts 68
                assertThat(server.stats().runningRequests()).isEqualTo(256);
                gate.getFirst().complete("go");
                assertThat(peer.await(655).status()).isEqualTo("200");
                assertThat(peer.get(803, "/next").await(803).status()).isEqualTo("200");
            }
        });
    }

    @EachReactor
    void clientThatEndsItsBodiesByAnEmptyFrame_isNoFlood(String reactor) {
        serve(reactor, b -> b, HANDLER, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                for (int i = 0; i < 600; i++) {
                    int id = 1 + 2 * i;
                    peer.post(id, "/").data(id, "x", false).data(id, "", true);
                    if (i % 100 == 99) assertThat(peer.await(id).text()).isEqualTo("x");
                }
                for (int i = 0; i < 2_000; i++) peer.number(WINDOW, 0, 1);
                assertThat(peer.settle().goAways).isEmpty();
            }
        });
    }

    @EachReactor
    void peerThatDoesNotRead_isEnded(String reactor) {
        byte[] large = new byte[8 * 1024 * 1024];
        HttpHandler handler = x -> x.respond(x.path().equals("/next") ? new byte[0] : large);
        serve(reactor, b -> b.writeTimeout(Duration.ofMillis(100)), handler, server -> {
            try (var peer = new Http2Peer(server.port()).begin(4, 0)) { // a window that stays shut
                assertThat(peer.get(1, "/").await(1).reset).isEqualTo(2);
                for (int i = 0; i < 100; i++) { // others go on meanwhile, and don't help it
                    if (i == 0) peer.get(3, "/");
                    peer.number(WINDOW, 0, 1);
                    delay(5);
                }
                assertThat(peer.await(3).reset).isEqualTo(2);
                assertThat(server.stats().writeTimeouts()).isEqualTo(2);
            }
            try (var peer = new Http2Peer(server.port()).begin(4, Integer.MAX_VALUE)) { // a full socket
                peer.number(WINDOW, 0, 1_000_000_000).get(1, "/").get(3, "/");
                while (server.stats().writeTimeouts() < 3) delay(5);
                LimitsTest.settle(server);
            }
        });
    }

    @EachReactor
    void requestForAHead_thatIsRefused_getsAHeadAlone(String reactor) {
        serve(reactor, b -> b, HANDLER, server -> {
            try (var peer = new Http2Peer(server.port()).begin()) {
                byte[] head = Http2Peer.request("HEAD", "/", "host", "other");
                peer.send(Http2Peer.HEADERS, Http2Peer.END_HEADERS | Http2Peer.END_STREAM, 1, head);
                assertThat(peer.await(1).status()).isEqualTo("400");
                assertThat(peer.of(1).body.size()).isZero();
            }
        });
    }

    @EachReactor
    void requestThatIsRefused_withoutAWindow_holdsNoOtherUp(String reactor) {
        serve(reactor, b -> b, x -> x.respond(x.path().equals("/next") ? 200 : 204), server -> {
            try (var peer = new Http2Peer(server.port()).begin(4, 0)) {
                peer.get(1, "/", "host", "other").get(3, "/");
                assertThat(peer.await(3).status()).isEqualTo("204");
                assertThat(peer.await(1).status()).isEqualTo("400");
                assertThat(peer.of(1).body.size()).isZero();
            }
        });
    }

    @EachReactor
    void peerThatIsSlowWithAHead_isEnded(String reactor) {
        serve(reactor, b -> b.headerTimeout(Duration.ofMillis(50)), HANDLER, server -> {
            try (var peer = new Http2Peer(server.port())) {
                peer.raw("PRI * HTTP").awaitEnd();
                assertThat(server.stats().headerTimeouts()).isEqualTo(1);
            }
            try (var peer = Http2Peer.open(server.port())) { // while another request is under way
                peer.get(1, "/wait").settle();
                byte[] head = request("GET", "/");
                peer.send(HEADERS, 1, 3, head).awaitEnd();
                assertThat(peer.goAway()).isEqualTo(11);
                assertThat(server.stats().headerTimeouts()).isEqualTo(2);
            }
            try (var peer = Http2Peer.open(server.port())) {
                byte[] frame = Http2Peer.frame(HEADERS, BOTH, 1, request("GET", "/"));
                try {
                    for (byte each : frame) {
                        peer.raw(new byte[] {each});
                        delay(5);
                    }
                } catch (SocketException e) {
                    // closed
                }
                assertThat(peer.awaitEnd().goAway()).isIn(11, -1);
                assertThat(server.stats().headerTimeouts()).isEqualTo(3);
            }
            try (var peer = Http2Peer.open(server.port())) { // a body may be slow
                byte[] frame = Http2Peer.frame(DATA, END_STREAM, 1, new byte[40]);
                peer.post(1, "/");
                peer.raw(java.util.Arrays.copyOf(frame, 12));
                delay(120);
                peer.raw(java.util.Arrays.copyOfRange(frame, 12, frame.length));
                assertThat(peer.await(1).body.size()).isEqualTo(40);
            }
        });
    }
}
