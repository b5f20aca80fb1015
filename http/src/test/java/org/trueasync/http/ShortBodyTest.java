package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.io.AsyncFile;

/** A response with fewer bytes than its {@code Content-Length}: the client must not take the next one for its rest. */
@Timeout(60)
class ShortBodyTest {
    private static final String REQUESTS = "GET /%s HTTP/1.1\r\nHost: a\r\n\r\nGET /whole HTTP/1.1\r\nHost: a\r\n\r\n";

    /** The ways, with a part of what is reported; nothing is of an error that is meant for the client. */
    private static final List<List<String>> WAYS = List.of(
            List.of("write", "Content-Length is 100"),
            List.of("nothing", "Content-Length is 100"),
            List.of("output", "Content-Length is 100"),
            List.of("error", "for once"),
            List.of("refused", ""),
            List.of("file", "became shorter"));

    @TempDir
    private Path folder;

    private void answer(Exchange exchange) throws IOException {
        String way = exchange.path().substring(1);
        if (way.equals("whole")) {
            exchange.respond("whole");
            return;
        }
        exchange.header("Content-Length", way.equals("file") ? "300000" : "100");
        switch (way) {
            case "write" -> exchange.write("12345");
            case "nothing" -> exchange.write(ByteBuffer.allocate(0));
            case "output" -> {
                exchange.outputStream().write("12345".getBytes(StandardCharsets.US_ASCII));
                exchange.outputStream().flush();
            }
            case "error" -> {
                exchange.write("12345");
                throw new IllegalStateException("for once");
            }
            case "refused" -> {
                exchange.write("12345");
                throw new HttpException(500, "for once");
            }
            default -> sendAndShrink(exchange);
        }
    }

    /** Its first part has been sent when the file becomes shorter. */
    private void sendAndShrink(Exchange exchange) throws IOException {
        Path path = Files.writeString(folder.resolve("f"), "12345".repeat(60_000));
        try (var file = AsyncFile.open(path)) {
            exchange.core().response().write(file, 0, 100_000);
            try (var other = FileChannel.open(path, StandardOpenOption.WRITE)) {
                other.truncate(150_000);
            }
            exchange.core().response().write(file, 100_000, 200_000);
        }
    }

    @EachReactor
    void http1_endsItsConnection(String reactor) {
        for (List<String> way : WAYS) {
            List<String> reports = Http.run(reactor, () -> {
                try (var server = HttpServer.builder().host("127.0.0.1").listen(this::answer)) {
                    String answers = Raw.exchange(server.port(), REQUESTS.formatted(way.getFirst()));
                    assertThat(answers)
                            .as(way.getFirst())
                            .startsWith("HTTP/1.1 200 ")
                            .endsWith(way.getFirst().equals("nothing") ? "\r\n\r\n" : "12345")
                            .doesNotContain("whole");
                }
            });
            assertReported(way, reports);
        }
    }

    @EachReactor
    void http2_resetsItsStreamAlone(String reactor) {
        for (List<String> way : WAYS) {
            List<String> reports = Http.run(reactor, () -> {
                try (var server = HttpServer.builder().host("127.0.0.1").listen(this::answer);
                        var peer = Http2Peer.open(server.port())) {
                    peer.number(Http2Peer.WINDOW, 0, 1 << 20);
                    peer.get(1, "/" + way.getFirst()).number(Http2Peer.WINDOW, 1, 1 << 20);
                    peer.await(1);
                    assertThat(peer.of(1).ended).as(way.getFirst()).isFalse();
                    assertThat(peer.of(1).reset).as(way.getFirst()).isPositive();
                    assertThat(peer.of(1).text()).endsWith(way.getFirst().equals("nothing") ? "" : "12345");
                    assertThat(peer.get(3, "/whole").await(3).text()).isEqualTo("whole");
                    assertThat(peer.goAways).isEmpty();
                }
            });
            assertReported(way, reports);
        }
    }

    private static void assertReported(List<String> way, List<String> reports) {
        assertThat(reports).as(way.getFirst()).hasSize(way.getLast().isEmpty() ? 0 : 1);
        assertThat(String.join("", reports)).contains(way.getLast());
    }
}
