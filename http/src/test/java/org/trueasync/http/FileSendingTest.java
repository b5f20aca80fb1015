package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.io.AsyncFile;

/** What a response sends of a file. */
@Timeout(60)
class FileSendingTest {
    @TempDir
    Path folder;

    private Path file(int bytes) throws Exception {
        return Files.writeString(folder.resolve("f"), "0123456789".repeat(bytes / 10));
    }

    @EachReactor
    void partOfFile_isSentWhateverItsSizeAndFraming(String reactor) throws Exception {
        Path path = file(1_000_000);
        String all = Files.readString(path);
        Http.serve(
                reactor,
                exchange -> {
                    int count = Integer.parseInt(exchange.path().substring(1));
                    if (exchange.query() == null) exchange.header("Content-Length", Integer.toString(count + 2));
                    try (var file = AsyncFile.open(path)) {
                        if (exchange.query() != null) exchange.write("<");
                        exchange.core().response().write(file, 5, count);
                        exchange.write(exchange.query() == null ? "><" : ">");
                    }
                },
                server -> {
                    for (int count : new int[] {0, 7, 20_000, 900_000}) {
                        String body = all.substring(5, 5 + count);
                        assertThat(HttpServerTest.get(server, "/" + count).body())
                                .isEqualTo(body + "><");
                        assertThat(HttpServerTest.get(server, "/" + count + "?chunked")
                                        .body())
                                .isEqualTo("<" + body + ">");
                    }
                });
    }

    @EachReactor
    void fileThatBecameShorter_cutsTheResponseAndIsReported(String reactor) throws Exception {
        for (int missing : new int[] {1_000, 400_000}) {
            Path path = file(600_000 - missing);
            List<String> reports = Http.run(reactor, () -> {
                try (var server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                    exchange.header("Content-Length", "600000");
                    try (var file = AsyncFile.open(path)) {
                        exchange.core().response().write(file, 0, 600_000);
                    }
                })) {
                    String answer = Raw.exchange(server.port(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(answer).contains("Content-Length: 600000").endsWith("0123456789");
                    assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).hasSize(600_000 - missing);
                }
            });
            assertThat(reports).singleElement().asString().contains("became shorter");
        }
    }
}
