package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.AsyncCancellation;
import org.trueasync.FutureState;
import org.trueasync.io.TlsOptions;

/** Requests and responses of HTTP/2, as RFC 9113 says. */
@Timeout(60)
class Http2Test {
    @TempDir
    Path folder;

    private static List<String> serve(
            String reactor, UnaryOperator<HttpServer.Builder> settings, HttpHandler handler, Http.Client client) {
        return Http.serveAll(reactor, settings, handler, client);
    }

    /** Nothing may be reported. */
    private static void serve(String reactor, HttpHandler handler, Http.Client client) {
        assertThat(serve(reactor, b -> b, handler, client)).isEmpty();
    }

    /** Where handlers wait for the test. */
    private static final class Gate {
        private FutureState<String> state;

        private FutureState<String> state() { // it belongs to the runtime, which begins later
            if (state == null) state = new FutureState<>();
            return state;
        }

        String await() {
            return state().future().await();
        }

        void open(String value) {
            state().complete(value);
        }
    }

    private static String letters(int count) {
        var text = new StringBuilder(count);
        for (int i = 0; i < count; i++) text.append((char) ('a' + (i * 31 + i / 1000) % 26));
        return text.toString();
    }

    // ---- who speaks it

    private static String overTls(
            String reactor, UnaryOperator<HttpServer.Builder> settings, HttpClient.Version version) throws Exception {
        var result = new ArrayList<String>();
        List<String> reports = Http.run(reactor, () -> {
            try (var server = settings.apply(HttpServer.builder().host("127.0.0.1"))
                            .listen(x -> x.respond(x.protocol() + " "
                                    + x.tlsSession().getProtocol().startsWith("TLSv1")));
                    var client = HttpClient.newBuilder()
                            .sslContext(Keys.context())
                            .version(version)
                            .build()) {
                HttpResponse<String> response = client.send(
                        HttpRequest.newBuilder(Http2Peer.uri("https", server)).build(),
                        HttpResponse.BodyHandlers.ofString());
                result.add(response.version() + " " + response.body());
            }
        });
        assertThat(reports).isEmpty();
        return result.getFirst();
    }

    @EachReactor
    void clientOverTls_choosesByAlpn(String reactor) throws Exception {
        var context = Keys.context();
        HttpClient.Version two = HttpClient.Version.HTTP_2;
        assertThat(overTls(reactor, b -> b.tls(context), two)).isEqualTo("HTTP_2 HTTP/2 true");
        assertThat(overTls(reactor, b -> b.tls(context), HttpClient.Version.HTTP_1_1))
                .isEqualTo("HTTP_1_1 HTTP/1.1 true");
        assertThat(overTls(reactor, b -> b.tls(context).http2(false), two)).isEqualTo("HTTP_1_1 HTTP/1.1 true");
        assertThat(overTls(reactor, b -> b.tls(TlsOptions.server(context).applicationProtocols("http/1.1")), two))
                .isEqualTo("HTTP_1_1 HTTP/1.1 true");
    }

    @EachReactor
    void priorKnowledge_isServed_unlessTurnedOff(String reactor) {
        serve(reactor, x -> x.respond(x.protocol() + " " + x.host()), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                assertThat(peer.get(1, "/").await(1).text()).isEqualTo("HTTP/2 localhost");
                assertThat(peer.of(1).status()).isEqualTo("200");
                assertThat(peer.of(1).fields).containsKeys("date", "content-length");
            }
            assertThat(Raw.exchange(server.port(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                    .endsWith("HTTP/1.1 a");
        });
        serve(reactor, b -> b.http2(false), x -> x.respond("never"), server -> assertThat(
                        Raw.exchange(server.port(), Http2Peer.PREFACE))
                .startsWith("HTTP/1.1 505 "));
    }

    @EachReactor
    void prefaceInPieces_isServed(String reactor) {
        serve(reactor, x -> x.respond("ok"), server -> {
            try (var peer = new Http2Peer(server.port())) {
                for (String each : Http2Peer.PREFACE.split("")) {
                    peer.raw(each);
                    delay(1);
                }
                byte[] rest = Http2Peer.frame(Http2Peer.SETTINGS, 0, 0, new byte[0]);
                byte[] get = Http2Peer.frame(
                        Http2Peer.HEADERS,
                        Http2Peer.END_HEADERS | Http2Peer.END_STREAM,
                        1,
                        Http2Peer.request("GET", "/"));
                for (byte each : rest) peer.raw(new byte[] {each});
                for (byte each : get) {
                    peer.raw(new byte[] {each});
                    if (each == 'o') delay(1);
                }
                assertThat(peer.await(1).text()).isEqualTo("ok");
                assertThat(peer.settingsReplies).isEqualTo(1);
            }
        });
    }

    @EachReactor
    void firstFrame_isCutBehindItsHeader(String reactor) {
        serve(reactor, x -> x.respond("ok"), server -> {
            byte[] settings = Http2Peer.frame(Http2Peer.SETTINGS, 0, 0, Http2Peer.hex("0003 00000064"));
            try (var peer = new Http2Peer(server.port())) {
                peer.raw(Http2Peer.PREFACE + new String(settings, 0, 9, StandardCharsets.ISO_8859_1));
                delay(5);
                peer.raw(Arrays.copyOfRange(settings, 9, settings.length));
                assertThat(peer.get(1, "/").await(1).text()).isEqualTo("ok");
            }
        });
    }

    // ---- requests and responses

    @EachReactor
    void manyStreams_areAnsweredIndependently(String reactor) {
        var slow = new Gate();
        HttpHandler handler = x -> x.respond(x.path().equals("/slow") ? slow.await() : x.path());
        serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(1, "/slow");
                for (int i = 0; i < 100; i++) peer.get(3 + 2 * i, "/" + i);
                for (int i = 0; i < 100; i++)
                    assertThat(peer.await(3 + 2 * i).text()).isEqualTo("/" + i);
                assertThat(peer.of(1).status()).isEqualTo("none");
                assertThat(server.stats().runningRequests()).isEqualTo(1);
                slow.open("late");
                assertThat(peer.await(1).text()).isEqualTo("late");
                assertThat(server.stats().requests()).isEqualTo(101);
                assertThat(server.stats().acceptedConnections()).isEqualTo(1);
            }
        });
    }

    @EachReactor
    void fieldsOfARequest_areTheSameAsInHttp1(String reactor) {
        HttpHandler handler = x -> {
            x.header("X-Answer", "Yes").header("Connection", "close").header("Keep-Alive", "timeout=5");
            x.respond(x.method() + " " + x.path() + "?" + x.query() + " " + x.header("Cookie") + " " + x.header("x-one")
                    + " " + x.headers().all("x-two"));
        };
        serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(
                        1,
                        "/a%2fb/../c?q=%20",
                        "cookie",
                        "a=1",
                        "x-one",
                        "1",
                        "cookie",
                        "b=2",
                        "x-two",
                        "x",
                        "x-two",
                        "y");
                assertThat(peer.await(1).text()).isEqualTo("GET /a%2fb/../c?q=%20 a=1; b=2 1 [x, y]");
                assertThat(peer.of(1).fields)
                        .containsEntry("x-answer", "Yes")
                        .doesNotContainKeys("connection", "keep-alive");
                peer.send(1, 5, 3, Http2Peer.request("HEAD", "/", "cookie", "c=3"));
                assertThat(peer.await(3).fields).containsEntry("content-length", "23");
                assertThat(peer.of(3).text()).isEmpty();
            }
        });
    }

    @EachReactor
    void bodyOfARequest_comesAsTheHandlerReads(String reactor) {
        var gate = new Gate();
        HttpHandler handler = x -> {
            gate.await();
            x.respond(x.text());
        };
        serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.settle();
                long connection = peer.windows.get(0);
                int stream = 256 * 1024;
                peer.post(1, "/");
                String body = letters(stream + 100_000);
                for (int at = 0; at < stream; at += 16_384) peer.data(1, body.substring(at, at + 16_384), false);
                peer.settle();
                assertThat(peer.windows).containsOnlyKeys(0).containsEntry(0, connection); // nothing is asked for
                gate.open("go");
                while (!peer.windows.containsKey(1)) peer.next();
                for (int at = stream; at < body.length(); at += 10_000)
                    peer.data(1, body.substring(at, at + 10_000), at + 10_000 == body.length());
                // the peer reads while it sends, as the answer is larger than its window
                while (!peer.of(1).ended) {
                    Http2Peer.Frame frame = peer.next();
                    if (frame.type() == Http2Peer.DATA && frame.payload().length > 0) {
                        peer.number(Http2Peer.WINDOW, 0, frame.payload().length);
                        if (!frame.isLast()) peer.number(Http2Peer.WINDOW, 1, frame.payload().length);
                    }
                }
                assertThat(peer.of(1).text()).isEqualTo(body);
            }
        });
    }

    @EachReactor
    void bodiesBeyondAllWindows_areTakenAgainAndAgain(String reactor) {
        serve(reactor, x -> x.respond(Integer.toString(x.bytes().length)), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                byte[] part = new byte[16_384];
                for (int i = 0; i < 5; i++) { // 2.5 MiB in all: the window of the connection is given back
                    int id = 1 + 2 * i;
                    peer.settle();
                    peer.post(id, "/", "content-length", "524288");
                    long room = 256 * 1024;
                    for (int sent = 0; sent < 524_288; sent += part.length) {
                        while (room + peer.windows.getOrDefault(id, 0L) < part.length) peer.next();
                        room -= part.length;
                        peer.send(Http2Peer.DATA, sent + part.length == 524_288 ? 1 : 0, id, part);
                    }
                    assertThat(peer.await(id).text()).isEqualTo("524288");
                }
                assertThat(peer.windows.get(0)).isGreaterThan(2_500_000);
            }
        });
    }

    @EachReactor
    void answerBeyondTheWindows_waitsForThem(String reactor) {
        String body = letters(300_000);
        serve(reactor, x -> x.respond(x.path().equals("/small") ? "small" : body), server -> {
            try (var peer = new Http2Peer(server.port()).begin(4, 1_000)) { // initial window
                peer.get(1, "/");
                while (peer.of(1).body.size() < 1_000) peer.next();
                peer.settle();
                assertThat(peer.of(1).body.size()).isEqualTo(1_000);
                assertThat(peer.get(3, "/small").await(3).text()).isEqualTo("small"); // others go on
                peer.send(Http2Peer.SETTINGS, 0, 0, Http2Peer.hex("0004 00000bb8"))
                        .settle(); // 3,000: wider afterwards
                peer.settle();
                assertThat(peer.of(1).body.size()).isEqualTo(3_000);
                peer.number(Http2Peer.WINDOW, 1, 400_000).settle().settle();
                assertThat(peer.of(1).body.size() + 5).isEqualTo(65_535); // all that the connection's lets through
                peer.number(Http2Peer.WINDOW, 0, 400_000);
                assertThat(peer.await(1).text()).isEqualTo(body);
            }
        });
    }

    @EachReactor
    void windowThatIsNarrowedBelowZero_isHeeded(String reactor) {
        String body = letters(60_000);
        serve(reactor, x -> x.respond(body), server -> {
            try (var peer = new Http2Peer(server.port()).begin(4, 50_000)) {
                peer.get(1, "/");
                while (peer.of(1).body.size() < 50_000) peer.next();
                peer.send(Http2Peer.SETTINGS, 0, 0, Http2Peer.hex("0004 00000000"));
                peer.number(Http2Peer.WINDOW, 1, 50_000).settle().settle();
                assertThat(peer.of(1).body.size()).isEqualTo(50_000);
                peer.number(Http2Peer.WINDOW, 1, 1).settle().settle();
                assertThat(peer.of(1).body.size()).isEqualTo(50_001);
                peer.number(Http2Peer.WINDOW, 1, 10_000);
                assertThat(peer.await(1).text()).isEqualTo(body);
            }
        });
    }

    @EachReactor
    void paddedBodyWhoseLengthIsNamed_isTakenWithoutItsPadding(String reactor) {
        serve(reactor, x -> x.respond(x.text()), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.post(1, "/", "content-length", "6");
                for (String half : List.of("abc", "def")) {
                    byte[] padded = ("\u0004" + half + "\0\0\0\0").getBytes(StandardCharsets.ISO_8859_1);
                    peer.send(Http2Peer.DATA, 8 | (half.equals("def") ? Http2Peer.END_STREAM : 0), 1, padded);
                }
                assertThat(peer.await(1).text()).isEqualTo("abcdef");
            }
        });
    }

    @EachReactor
    void trailers_goBothWays(String reactor) {
        HttpHandler handler = x -> {
            String text = x.text();
            x.write(text);
            x.trailer("X-Sum", x.trailers().get("x-sum") + "!");
        };
        serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.post(1, "/").data(1, "abc", false);
                peer.send(1, 5, 1, Http2Peer.fields("x-sum", "6"));
                assertThat(peer.await(1).text()).isEqualTo("abc");
                assertThat(peer.of(1).trailers).containsExactly(java.util.Map.entry("x-sum", "6!"));
            }
        });
    }

    @EachReactor
    void clientThatWaitsWithItsBody_isInvited(String reactor) {
        HttpHandler handler = x -> {
            if (x.path().equals("/no")) throw new HttpException(403, "no");
            x.respond(x.text());
        };
        serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.post(1, "/", "expect", "100-continue");
                while (peer.of(1).before.isEmpty()) peer.next();
                assertThat(peer.data(1, "body", true).await(1).text()).isEqualTo("body");
                assertThat(peer.of(1).before).containsExactly("100");
                peer.post(3, "/no", "expect", "100-continue").await(3);
                assertThat(peer.of(3).before).isEmpty();
                assertThat(peer.of(3).status()).isEqualTo("403");
                peer.data(3, "body", false).settle(); // it is not wanted any more
                assertThat(peer.of(3).reset).isEqualTo(-1);
                peer.post(5, "/", "expect", "the best").await(5);
                assertThat(peer.of(5).status()).isEqualTo("417");
            }
        });
    }

    @EachReactor
    void answerBeforeTheBody_endsTheStreamInOrder(String reactor) {
        serve(reactor, x -> x.respond("enough"), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                for (int i = 0; i < 50; i++) { // more than the windows in all
                    int id = 1 + 2 * i;
                    peer.post(id, "/").data(id, "x".repeat(16_000), false).data(id, "x".repeat(16_000), false);
                    assertThat(peer.await(id).text()).isEqualTo("enough");
                    peer.data(id, "x".repeat(16_000), false); // it can't know yet
                }
                assertThat(peer.settle().goAways).isEmpty();
            }
        });
    }

    @EachReactor
    void clientThatGoesOnSendingAfterTheAnswer_isResetInTheEnd(String reactor) {
        serve(reactor, x -> x.respond("enough"), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                String part = "x".repeat(16_000);
                peer.post(1, "/").await(1);
                int sent = 0;
                long window = 256 * 1024;
                for (; peer.of(1).reset < 0; sent += part.length()) {
                    while (window + peer.windows.getOrDefault(1, 0L) - sent < part.length()) peer.next();
                    peer.data(1, part, false);
                    if (sent > 256 * 1024) peer.settle();
                }
                assertThat(sent).isBetween(1024 * 1024, 1100 * 1024);
                assertThat(peer.of(1).reset).isZero();
                assertThat(peer.of(1).text()).isEqualTo("enough");
                for (int i = 0; i < 200; i++) { // all of it was given back to the connection
                    int id = 3 + 2 * i;
                    peer.post(id, "/").data(id, part, true);
                    assertThat(peer.await(id).text()).isEqualTo("enough");
                }
                assertThat(peer.settle().goAways).isEmpty();
            }
        });
    }

    @EachReactor
    void clientThatSendsAllAfterTheAnswer_isNotReset(String reactor) {
        serve(reactor, x -> x.respond("enough"), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                String part = "x".repeat(16_000);
                for (int id = 1; id < 100; id += 2) {
                    peer.post(id, "/").await(id);
                    for (int i = 0; i < 16; i++) peer.data(id, part, i == 15);
                    assertThat(peer.settle().of(id).reset).isEqualTo(-1);
                }
                assertThat(peer.get(201, "/").await(201).text()).isEqualTo("enough");
                assertThat(peer.settle().goAways).isEmpty();
            }
        });
    }

    // ---- what stands on it

    @EachReactor
    void compression_andFiles(String reactor) throws Exception {
        String text = letters(200_000);
        Files.writeString(folder.resolve("a.txt"), text);
        var files = new FileHandler(folder);
        HttpHandler handler = x -> {
            if (x.path().equals("/packed")) x.respond(text);
            else files.handle(x);
        };
        var reports = serve(reactor, b -> b.compress(1024), handler, server -> {
            try (var peer = new Http2Peer(server.port()).begin(4, 1 << 24).number(Http2Peer.WINDOW, 0, 1 << 24)) {
                peer.get(1, "/packed", "accept-encoding", "gzip").await(1);
                assertThat(peer.of(1).fields).containsEntry("content-encoding", "gzip");
                byte[] packed = peer.of(1).body.toByteArray();
                assertThat(packed.length).isLessThan(200_000);
                assertThat(new String(new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes(), "ASCII"))
                        .isEqualTo(text);
                assertThat(peer.get(3, "/a.txt").await(3).text()).isEqualTo(text);
                String tag = peer.of(3).fields.get("etag");
                peer.get(5, "/a.txt", "if-none-match", tag).await(5);
                assertThat(peer.of(5).status()).isEqualTo("304");
                assertThat(peer.of(5).body.size()).isZero();
                peer.get(7, "/a.txt", "range", "bytes=100-149").await(7);
                assertThat(peer.of(7).status()).isEqualTo("206");
                assertThat(peer.of(7).text()).isEqualTo(text.substring(100, 150));
                peer.get(9, "/none").await(9);
                assertThat(peer.of(9).status()).isEqualTo("404");
            }
        });
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void events_goOnUntilTheClientLeaves(String reactor) {
        var ended = new ArrayList<String>();
        HttpHandler handler = x -> {
            var events = x.events();
            try {
                for (int i = 0; ; i++) {
                    events.send("tick " + i);
                    delay(1);
                }
            } catch (AsyncCancellation e) {
                ended.add("cancelled");
                throw e;
            }
        };
        serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(1, "/").get(3, "/");
                while (!peer.of(1).text().contains("tick 3")
                        || !peer.of(3).text().contains("tick 3")) peer.next();
                peer.number(Http2Peer.RESET, 1, 8).settle();
                while (ended.isEmpty()) delay(1);
                int size = peer.of(3).body.size();
                while (peer.of(3).body.size() < size + 50) peer.next(); // the other goes on
                assertThat(ended).hasSize(1);
                assertThat(server.stats().runningRequests()).isEqualTo(1);
            }
            while (ended.size() < 2) delay(1);
        });
    }

    @EachReactor
    void resetByTheClient_cancelsAGet_andNoPost(String reactor) {
        var told = new ArrayList<String>();
        var go = new Gate();
        HttpHandler handler = x -> {
            try {
                go.await();
                told.add(x.method() + " went on");
                x.respond("x");
            } catch (AsyncCancellation e) {
                told.add(x.method() + " cancelled");
                throw e;
            }
        };
        serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.get(1, "/")
                        .send(1, 5, 3, Http2Peer.request("POST", "/"))
                        .get(5, "/")
                        .settle();
                peer.number(Http2Peer.RESET, 1, 8).number(Http2Peer.RESET, 3, 8).settle();
                while (told.isEmpty()) delay(1);
                assertThat(told).containsExactly("GET cancelled");
                go.open("go");
                assertThat(peer.await(5).text()).isEqualTo("x");
                assertThat(told).containsExactly("GET cancelled", "POST went on", "GET went on");
                assertThat(server.stats().abortedResponses()).isEqualTo(2);
            }
        });
    }

    @EachReactor
    void failures_are500_orAReset(String reactor) {
        HttpHandler handler = x -> {
            if (x.path().equals("/cut")) x.write("0123456789");
            if (x.path().equals("/abort")) x.abort();
            else throw new IllegalStateException("secret");
        };
        List<String> reports = serve(reactor, b -> b, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                assertThat(peer.get(1, "/").await(1).status()).isEqualTo("500");
                assertThat(peer.of(1).text()).doesNotContain("secret");
                peer.get(3, "/cut").await(3);
                assertThat(peer.of(3).ended).isFalse();
                assertThat(peer.of(3).reset).isEqualTo(2); // INTERNAL_ERROR
                assertThat(peer.get(5, "/abort").await(5).reset).isEqualTo(2);
                assertThat(peer.settle().goAways).isEmpty();
                assertThat(server.stats().handlerFailures()).isEqualTo(2);
            }
        });
        assertThat(reports).hasSize(2).allMatch(report -> report.contains("secret"));
    }

    @EachReactor
    void otherProtocols_areNotOffered(String reactor) {
        HttpHandler handler = x -> {
            if (x.path().equals("/ws")) x.webSocket();
            else x.upgrade("other");
        };
        List<String> reports = serve(reactor, b -> b, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                assertThat(peer.get(1, "/ws").await(1).status()).isEqualTo("426");
                assertThat(peer.of(1).text()).contains("HTTP/1.1");
                peer.send(1, 4, 3, Http2Peer.fields(":method", "CONNECT", ":authority", "a:80"));
                assertThat(peer.await(3).status()).isEqualTo("501");
                peer.send(
                        1,
                        4,
                        5,
                        Http2Peer.fields(
                                ":method",
                                "CONNECT",
                                ":protocol",
                                "websocket",
                                ":scheme",
                                "http",
                                ":path",
                                "/ws",
                                ":authority",
                                "a"));
                assertThat(peer.await(5).status()).isEqualTo("426"); // it says no version
                assertThat(peer.get(7, "/other").await(7).status()).isEqualTo("500");
                assertThat(peer.settle().goAways).isEmpty();
            }
        });
        assertThat(reports).hasSize(1);
    }

    @EachReactor
    void jdkClient_sendsAndReceivesManyAtATime(String reactor) throws Exception {
        String body = letters(100_000);
        var reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                            .host("127.0.0.1")
                            .tls(Keys.context())
                            .listen(x -> {
                                delay(5);
                                x.respond(x.method() + x.text());
                            });
                    var client =
                            HttpClient.newBuilder().sslContext(Keys.context()).build()) {
                var all = new ArrayList<CompletableFuture<HttpResponse<String>>>();
                var uri = Http2Peer.uri("https", server);
                client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
                for (int i = 0; i < 40; i++) {
                    var request = HttpRequest.newBuilder(uri);
                    if (i % 2 == 0) request.POST(HttpRequest.BodyPublishers.ofString(body + i));
                    all.add(client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()));
                }
                for (int i = 0; i < 40; i++) {
                    HttpResponse<String> got = spawn(all.get(i)::get).await();
                    assertThat(got.version()).isEqualTo(HttpClient.Version.HTTP_2);
                    assertThat(got.body()).isEqualTo(i % 2 == 0 ? "POST" + body + i : "GET");
                }
                assertThat(server.stats().acceptedConnections()).isEqualTo(1);
            }
        });
        assertThat(reports).isEmpty();
    }
}
