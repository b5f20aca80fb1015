package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.InputOutputException;
import org.trueasync.io.AsyncFile;

/** Several coroutines write one response, or it ends while one of them is in the middle of a part. */
@Timeout(60)
class ResponseWritersTest {
    /** More than the windows of HTTP/2, and than the buffers of a socket. */
    private static final String LARGE = "A".repeat(12_000_000);

    private static final List<String> HOW = List.of("write", "output", "events", "file");

    @TempDir
    private Path dir;

    private void write(Exchange exchange, String how, String text) throws IOException {
        switch (how) {
            case "write", "gzip" -> exchange.write(text);
            case "output" -> exchange.outputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            case "events" -> exchange.events().send(text);
            default -> {
                Path path = Files.writeString(dir.resolve("f"), text);
                try (var file = AsyncFile.open(path)) {
                    exchange.core().response().write(file, 0, text.length());
                }
            }
        }
    }

    @EachReactor
    void partUnderWayAsTheHandlerEnds_isWholeOrTheResponseIsCut(String reactor) {
        for (String end : List.of("return", "error"))
            for (String how : HOW) {
                boolean[] left = {false};
                HttpHandler handler = exchange -> {
                    try {
                        launch(() -> write(exchange, how, LARGE));
                        while (!exchange.isCommitted()) delay(1);
                        if (end.equals("error")) throw new HttpException(500, "no");
                    } finally {
                        left[0] = true;
                    }
                };
                boolean isWhole = end.equals("return");
                Http.serve(reactor, handler, server -> {
                    try (var peer = get(server);
                            var peer2 = Http2Peer.open(server.port())) {
                        peer.readUntil("\r\n\r\n");
                        while (!left[0]) delay(1);
                        assertCut(peer, !isWhole, how, end);
                        left[0] = false;
                        peer2.get(1, "/");
                        while (!left[0]) delay(1);
                        peer2.settle();
                        assertThat(peer2.of(1).ended).as(how + " " + end).isFalse();
                        peer2.number(Http2Peer.WINDOW, 0, 1 << 30)
                                .number(Http2Peer.WINDOW, 1, 1 << 30)
                                .await(1);
                        assertCut(peer2, !isWhole, how, end);
                    }
                });
            }
    }

    @EachReactor
    void partUnderWayAsTheServerEnds_isCut(String reactor) {
        for (String end : List.of("close", "drain"))
            for (String how : HOW) {
                int[] committed = {0};
                HttpHandler handler = exchange -> {
                    launch(() -> write(exchange, how, LARGE));
                    while (!exchange.isCommitted()) delay(1);
                    committed[0]++;
                    delay(3_600_000);
                };
                Http.serve(reactor, handler, server -> {
                    try (var peer = get(server);
                            var peer2 = Http2Peer.open(server.port()).get(1, "/")) {
                        while (committed[0] < 2) delay(1);
                        if (end.equals("drain")) server.drain(Duration.ofMillis(1));
                        server.close();
                        assertCut(peer, true, how, end);
                        peer2.awaitEnd();
                        assertCut(peer2, true, how, end);
                    }
                });
            }
    }

    private static Raw get(HttpServer server) throws IOException {
        return new Raw(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    }

    private static void assertCut(Raw peer, boolean isCut, String how, String end) throws IOException {
        String tail = peer.readAll();
        assertThat(tail.endsWith("0\r\n\r\n")).as(how + " " + end).isNotEqualTo(isCut);
        assertThat(tail.length() > LARGE.length()).as(how + " " + end).isNotEqualTo(isCut);
    }

    private static void assertCut(Http2Peer peer, boolean isCut, String how, String end) {
        assertThat(peer.of(1).ended).as(how + " " + end).isNotEqualTo(isCut);
        assertThat(peer.of(1).body.size() >= LARGE.length()).as(how + " " + end).isNotEqualTo(isCut);
    }

    @EachReactor
    void partsOfSeveralCoroutines_areWholeAndInTheOrderOfTheCalls(String reactor) {
        for (String how : List.of("write", "output", "events", "gzip")) {
            // each packs badly, so that it is more than the window of a stream
            String[] parts = new String[3];
            for (int i = 0; i < parts.length; i++) parts[i] = random(i, 100_000);
            HttpHandler handler = exchange -> {
                exchange.header("Content-Type", "text/plain");
                EventStream events = how.equals("events") ? exchange.events() : null;
                for (String part : parts)
                    launch(() -> {
                        if (events != null) events.send(part);
                        else write(exchange, how, part);
                    });
                suspend();
            };
            var expected = new StringBuilder();
            for (String part : parts) expected.append(how.equals("events") ? "data: " + part + "\n\n" : part);
            Http.serve(reactor, builder -> how.equals("gzip") ? builder.compress(1) : builder, handler, server -> {
                try (var peer = Http2Peer.open(server.port())) {
                    peer.get(1, "/", "accept-encoding", "gzip");
                    while (peer.of(1).body.size() < 65_535) peer.next();
                    for (int window = 0; window < 1_000_000; window += 5_000) {
                        peer.number(Http2Peer.WINDOW, 0, 5_000).number(Http2Peer.WINDOW, 1, 5_000);
                    }
                    byte[] body = peer.await(1).body.toByteArray();
                    if (how.equals("gzip")) body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
                    assertThat(new String(body, StandardCharsets.US_ASCII)).isEqualTo(expected.toString());
                }
            });
        }
    }

    @EachReactor
    void streamThatIsCancelledInTheMiddle_closesWithoutASecondError(String reactor) {
        var reports = Http.run(reactor, () -> {
            boolean[] began = {false};
            HttpHandler handler = exchange -> {
                try (var out = exchange.outputStream()) {
                    began[0] = true;
                    while (true) out.write(new byte[65_536]);
                }
            };
            try (var server = HttpServer.builder().host("127.0.0.1").listen(handler);
                    var peer = new Http2Peer(server.port()).begin(4, 1_000)) {
                peer.get(1, "/");
                while (!began[0]) delay(1);
            }
        });
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void partBehindOneThatTheStreamSends_isWholeAsTheHandlerEnds(String reactor) {
        byte[][] parts = new byte[3][30_000]; // two are more than the stream collects
        for (int i = 0; i < parts.length; i++) Arrays.fill(parts[i], (byte) ('A' + i));
        boolean[] left = {false};
        HttpHandler handler = exchange -> {
            for (byte[] part : parts) launch(() -> exchange.outputStream().write(part));
            while (!exchange.isCommitted()) delay(1);
            left[0] = true;
        };
        Http.serve(reactor, handler, server -> {
            try (var peer = new Http2Peer(server.port()).begin(4, 1_000)) { // a window that holds the first part up
                peer.get(1, "/");
                while (!left[0]) delay(1);
                peer.settle()
                        .number(Http2Peer.WINDOW, 0, 1 << 20)
                        .number(Http2Peer.WINDOW, 1, 1 << 20)
                        .await(1);
                assertThat(peer.of(1).ended).isTrue();
                assertThat(peer.of(1).text()).isEqualTo("A".repeat(30_000) + "B".repeat(30_000) + "C".repeat(30_000));
            }
        });
    }

    private static String random(long seed, int length) {
        return new Random(seed)
                .ints(length, '0', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @EachReactor
    void partThatWasGivenUpInTheMiddle_leavesNoOrderlyEnd(String reactor) throws Exception {
        Path path = Files.writeString(dir.resolve("short"), "0123456789");
        var failures = new ArrayList<String>();
        HttpHandler handler = exchange -> {
            try (var file = AsyncFile.open(path)) {
                exchange.write("<");
                exchange.core().response().write(file, 0, 20);
            } catch (InputOutputException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        };
        Http.serve(reactor, handler, server -> {
            assertThat(Raw.exchange(server.port(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                    .endsWith("0123456789\r\n");
            try (var peer = Http2Peer.open(server.port())) {
                assertThat(peer.get(1, "/").await(1).ended).isFalse();
                assertThat(peer.of(1).text()).isEqualTo("<0123456789");
            }
        });
        assertThat(failures).hasSize(2).allMatch(failure -> failure.contains("became shorter"));
    }

    @EachReactor
    void clientThatHasClosedItsOutput_isAnswered(String reactor) {
        HttpHandler handler = exchange -> {
            if (exchange.path().equals("/late")) delay(20);
            exchange.write(exchange.text());
            exchange.write("the answer");
        };
        Http.serve(reactor, handler, server -> {
            for (String path : List.of("/", "/late")) {
                try (var peer = Http2Peer.open(server.port())) {
                    peer.get(1, path)
                            .post(3, path)
                            .data(3, "a body and ", true)
                            .post(5, "/")
                            .data(5, "a", false);
                    peer.end().awaitEnd();
                    assertThat(peer.of(1).text()).isEqualTo("the answer");
                    assertThat(peer.of(1).ended).isTrue();
                    assertThat(peer.of(3).text()).isEqualTo("a body and the answer");
                    assertThat(peer.of(3).ended).isTrue();
                    assertThat(peer.of(5).ended).isFalse();
                }
            }
        });
    }

    @EachReactor
    void answerBeforeTheEndOfTheRequest_isNotReset(String reactor) {
        Http.serve(reactor, exchange -> exchange.respond("enough"), server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.post(1, "/").data(1, "a", false).await(1);
                peer.post(3, "/").data(3, "a", false).await(3);
                peer.post(5, "/").await(5);
                peer.settle();
                assertThat(List.of(peer.of(1).reset, peer.of(3).reset, peer.of(5).reset))
                        .containsOnly(-1);
                peer.data(1, "more", false)
                        .data(3, "the end", true)
                        .send(Http2Peer.HEADERS, 5, 5, Http2Peer.fields("x", "y"));
                peer.settle();
                assertThat(List.of(peer.of(1).reset, peer.of(3).reset, peer.of(5).reset))
                        .containsOnly(-1); // a client that sends a lot is in Http2Test
                peer.data(1, "on its way", true).get(7, "/").await(7);
                // as many as are kept, and then the oldest is reset
                for (int id = 9; id < 9 + 2 * 17; id += 2) peer.post(id, "/").await(id);
                peer.settle();
                assertThat(peer.of(9).reset).isZero();
                assertThat(peer.of(11).reset).isEqualTo(-1);
                assertThat(peer.goAways).isEmpty();
            }
        });
    }
}
