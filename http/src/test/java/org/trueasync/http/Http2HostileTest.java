package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.http.Http2Peer.CONTINUATION;
import static org.trueasync.http.Http2Peer.DATA;
import static org.trueasync.http.Http2Peer.END_HEADERS;
import static org.trueasync.http.Http2Peer.END_STREAM;
import static org.trueasync.http.Http2Peer.GO_AWAY;
import static org.trueasync.http.Http2Peer.HEADERS;
import static org.trueasync.http.Http2Peer.PING;
import static org.trueasync.http.Http2Peer.PRIORITY;
import static org.trueasync.http.Http2Peer.PUSH;
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

/** Frames that RFC 9113 forbids, each with the answer that it asks for; and peers that ask for too much. */
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

    private static Row head(String name, byte[] block, String... answers) {
        return row(name, peer -> peer.send(HEADERS, BOTH, 1, block), answers);
    }

    private static Row field(String name, String value, String... answers) {
        return head(name + ": " + value.replaceAll("[\r\n\0]", "^"), request("GET", "/", name, value), answers);
    }

    private static Row sends(String name, byte[] frame, String... answers) {
        return row(name, peer -> peer.raw(frame), answers);
    }

    private static byte[] frame(int type, int flags, int id, String hex) {
        return Http2Peer.frame(type, flags, id, hex(hex));
    }

    /** connection and stream stand for its failure with that code. */
    private static List<Row> rows() {
        String protocol = "connection 1";
        String size = "connection 6";
        String malformed = "stream 1";
        return List.of(
                sends("DATA on stream 0", frame(DATA, 0, 0, "00"), protocol),
                sends("DATA on an idle stream", frame(DATA, 0, 1, "00"), protocol),
                row("DATA too large", p -> p.post(1, "/").send(DATA, 0, 1, new byte[16_385]), size, "stream 6"),
                row("DATA, padding too long", p -> p.post(1, "/").send(DATA, 8, 1, hex("05 0000")), protocol),
                row("DATA, padding of the whole frame", p -> p.post(1, "/").send(DATA, 8, 1, hex("03 0000")), protocol),
                row("DATA, no length of the padding", p -> p.post(1, "/").send(DATA, 8, 1, hex("")), size),
                row("DATA after the end", p -> p.get(1, "/wait").data(1, "x", true), "stream 5"),
                row(
                        "DATA after both ends",
                        p -> {
                            p.get(1, "/").await(1);
                            p.data(1, "x", true);
                        },
                        "connection 5",
                        "stream 5"),
                row(
                        "DATA after a reset",
                        p -> p.post(1, "/wait")
                                .send(RESET, 0, 1, hex("00000008"))
                                .data(1, "x", true),
                        "stream 5"),
                row(
                        "HEADERS after a reset",
                        p -> p.post(1, "/wait")
                                .send(RESET, 0, 1, hex("00000008"))
                                .get(1, "/"),
                        "stream 5"),
                row("HEADERS after the end", p -> p.get(1, "/wait").get(1, "/"), "stream 5", "connection 5"),
                row(
                        "HEADERS after both ends",
                        p -> {
                            p.get(1, "/").await(1);
                            p.get(1, "/");
                        },
                        "connection 5"),
                row("HEADERS on an even stream", p -> p.get(2, "/"), protocol),
                row("HEADERS on stream 0", p -> p.get(0, "/"), protocol),
                row("HEADERS on a lower stream", p -> p.get(3, "/").get(1, "/"), "connection 5", protocol),
                row("HEADERS, padding too long", p -> p.send(HEADERS, BOTH | 8, 1, hex("05 0000")), protocol),
                sends("HEADERS, no length of the padding", frame(HEADERS, BOTH | 8, 1, ""), size),
                sends("RST_STREAM of an idle stream", frame(RESET, 0, 1, "00000008"), protocol),
                sends("RST_STREAM of 0", frame(RESET, 0, 0, "00000008"), protocol),
                row("RST_STREAM of 3 bytes", p -> p.get(1, "/wait").send(RESET, 0, 1, hex("000008")), size),
                row("WINDOW_UPDATE by 0", p -> p.get(1, "/wait").number(WINDOW, 1, 0), malformed),
                sends("WINDOW_UPDATE of all by 0", frame(WINDOW, 0, 0, "00000000"), protocol),
                row("WINDOW_UPDATE too wide", p -> p.get(1, "/wait").number(WINDOW, 1, Integer.MAX_VALUE), "stream 3"),
                sends("WINDOW_UPDATE of all too wide", frame(WINDOW, 0, 0, "7fffffff"), "connection 3"),
                sends("WINDOW_UPDATE of 3 bytes", frame(WINDOW, 0, 0, "ffffff"), size),
                sends("WINDOW_UPDATE of an idle stream", frame(WINDOW, 0, 1, "00000001"), protocol),
                sends("SETTINGS of a stream", frame(SETTINGS, 0, 1, ""), protocol),
                sends("SETTINGS of 5 bytes", frame(SETTINGS, 0, 0, "0001000000"), size),
                sends("SETTINGS, push 2", frame(SETTINGS, 0, 0, "0002 00000002"), protocol),
                sends("SETTINGS, window 2^31", frame(SETTINGS, 0, 0, "0004 80000000"), "connection 3"),
                row(
                        "SETTINGS, window too wide for a stream",
                        p -> p.get(1, "/wait").number(WINDOW, 1, 100).send(SETTINGS, 0, 0, hex("0004 7fffffff")),
                        "connection 3"),
                sends("SETTINGS, frame 100", frame(SETTINGS, 0, 0, "0005 00000064"), protocol),
                sends("SETTINGS, frame 2^24", frame(SETTINGS, 0, 0, "0005 01000000"), protocol),
                sends("SETTINGS reply with bytes", frame(SETTINGS, 1, 0, "0001 00000000"), size),
                row(
                        "SETTINGS, table of 2^31",
                        p -> p.send(SETTINGS, 0, 0, hex("0001 80000000")).get(1, "/"),
                        "200"),
                row(
                        "SETTINGS, table and head of 2^32 - 1",
                        p -> p.send(SETTINGS, 0, 0, hex("0003 ffffffff 0001 ffffffff 0006 ffffffff"))
                                .get(1, "/"),
                        "200"),
                row(
                        "SETTINGS unknown",
                        p -> p.send(SETTINGS, 0, 0, hex("00ff 00000001")).get(1, "/"),
                        "200"),
                sends("PING of 7 bytes", frame(PING, 0, 0, "00000000000000"), size),
                sends("PING of 0 bytes", frame(PING, 0, 0, ""), size),
                sends("PING of a stream", frame(PING, 0, 1, "0000000000000000"), protocol),
                sends("PRIORITY of 0", frame(PRIORITY, 0, 0, "0000000000"), protocol),
                sends("PRIORITY of 4 bytes", frame(PRIORITY, 0, 1, "00000000"), size, "stream 6"),
                row("PRIORITY", p -> p.send(PRIORITY, 0, 1, hex("0000000000")).get(1, "/"), "200"),
                sends("PUSH_PROMISE", frame(PUSH, END_HEADERS, 1, "00000002"), protocol),
                sends("GOAWAY of a stream", frame(GO_AWAY, 0, 1, "00000000 00000000"), protocol),
                row(
                        "GOAWAY",
                        p -> p.send(GO_AWAY, 0, 0, hex("00000000 00000000")).get(1, "/"),
                        "200"),
                row("an unknown frame", p -> p.send(99, 255, 1, new byte[20]).get(1, "/"), "200"),
                sends("CONTINUATION of nothing", frame(CONTINUATION, 4, 1, ""), protocol),
                row(
                        "a frame in the middle of a head",
                        p -> p.send(HEADERS, 1, 1, hex("00")).send(PING, 0, 0, new byte[8]),
                        protocol),
                row(
                        "CONTINUATION of another",
                        p -> p.send(HEADERS, 1, 1, request("GET", "/")).send(CONTINUATION, 4, 3, hex("")),
                        protocol),
                row(
                        "CONTINUATION",
                        p -> p.send(HEADERS, 1, 1, request("GET", "/")).send(CONTINUATION, 4, 1, fields("a", "b")),
                        "200"),
                // RFC 7541
                head("index beyond the table", hex("be"), "connection 9"),
                head("index 0", hex("80"), "connection 9"),
                head("an endless number", hex("ff ffffffffffffffff7f"), "connection 9"),
                head("a text beyond the block", hex("00 7f ff01 61"), "connection 9"),
                head("a table too large", hex("3f ffff7f"), "connection 9"),
                head("a table at the end", hex("82 86 84 41 01 61 20"), "connection 9", "200"),
                head("Huffman, end of text inside", hex("82 86 84 00 84 ffffffff 01 61"), "connection 9"),
                // RFC 9113, 8.2
                field("X-Upper", "1", malformed),
                field("a b", "1", malformed),
                field("a\n", "1", malformed),
                field("", "1", malformed),
                field("a", "1\r\nb: 2", malformed),
                field("a", "1\n2", malformed),
                field("a", "1\0002", malformed),
                field("a", " 1", malformed, "200"),
                field("a", "\u00e9", "200"),
                field("connection", "close", malformed),
                field("connection", "te", malformed),
                field("keep-alive", "1", malformed),
                field("proxy-connection", "close", malformed),
                field("transfer-encoding", "chunked", malformed),
                field("upgrade", "h2c", malformed),
                field("te", "gzip", malformed),
                field("te", "trailers", "200"),
                // 8.3
                head("no method", fields(":scheme", "http", ":path", "/", ":authority", "a"), malformed),
                head("no scheme", fields(":method", "GET", ":path", "/", ":authority", "a"), malformed),
                head("no path", fields(":method", "GET", ":scheme", "http", ":authority", "a"), malformed),
                head("no field", new byte[0], malformed),
                head("unknown scheme", fields(":method", "GET", ":scheme", "ftp", ":path", "/"), malformed),
                head("no host", fields(":method", "GET", ":scheme", "http", ":path", "/"), "400"),
                head("a host alone", fields(":method", "GET", ":scheme", "http", ":path", "/", "host", "a"), "200"),
                field("host", "localhost", "200"),
                field("host", "elsewhere", "400"),
                head("empty path", request("GET", ""), malformed),
                head("path without slash", request("GET", "x"), "400", malformed),
                head("path with a blank", request("GET", "/a b"), "400", malformed),
                head("path with a line end", request("GET", "/a\r\nb"), "400", malformed),
                head("path with a fragment", request("GET", "/a#b"), "400", malformed),
                head("path of another host", request("GET", "http://elsewhere/"), "400", malformed),
                head("path of nobody knows", request("GET", "//elsewhere/x"), "200"),
                head("path *", request("GET", "*"), "400"),
                head("path * of OPTIONS", request("OPTIONS", "*"), "200"),
                head("method with a blank", request("GE T", "/"), malformed, "400"),
                head("method with a line end", request("GET / HTTP/1.1\r\na: b", "/"), malformed, "400"),
                field(":path", "/", malformed),
                field(":method", "GET", malformed),
                field(":status", "200", malformed),
                field(":other", "1", malformed),
                head(
                        "a pseudo field behind others",
                        fields("a", "b", ":method", "GET", ":scheme", "http", ":path", "/"),
                        malformed),
                row(
                        "a pseudo field behind the body",
                        p -> p.post(1, "/").send(HEADERS, BOTH, 1, fields(":path", "/")),
                        malformed),
                row(
                        "trailers without end",
                        p -> p.post(1, "/").send(HEADERS, END_HEADERS, 1, fields("a", "b")),
                        malformed),
                // 8.1.1
                field("content-length", "5", malformed),
                field("content-length", "0", "200"),
                field("content-length", "-1", malformed),
                field("content-length", "abc", malformed),
                field("content-length", "99999999999999999999", malformed),
                row(
                        "two lengths",
                        p -> p.post(1, "/", "content-length", "1", "content-length", "2")
                                .data(1, "x", true),
                        malformed),
                row(
                        "a body too long",
                        p -> p.post(1, "/", "content-length", "2").data(1, "xyz", false),
                        malformed),
                row(
                        "a body too short",
                        p -> p.post(1, "/", "content-length", "4").data(1, "xyz", true),
                        malformed),
                row(
                        "a body too short, trailers",
                        p -> p.post(1, "/", "content-length", "4")
                                .data(1, "xyz", false)
                                .send(HEADERS, BOTH, 1, fields("a", "b")),
                        malformed),
                // sizes
                field("a", "x".repeat(16_300), "431"),
                // of a single frame it would be more than the frame may have
                head(
                        "a head far too large",
                        request("GET", "/", "a", "x".repeat(9_000), "b", "x".repeat(9_000)),
                        "431",
                        "connection 6"),
                row(
                        "a head without end",
                        p -> {
                            p.send(HEADERS, 1, 1, request("GET", "/"));
                            for (int i = 0; i < 20; i++) p.send(CONTINUATION, 0, 1, fields("a", "x".repeat(8_000)));
                        },
                        "connection 11",
                        "connection 9",
                        protocol),
                head("a head that unpacks to much", bomb(), "431"));
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
    void forbiddenFrames_failAsTheyShould(String reactor) {
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
