package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Good requests with random faults in them. */
@Tag("deep")
@Timeout(180)
class HttpFuzzTest {
    private static final List<String> GOOD = List.of(
            "GET /a?b=c HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nT: 1\r\n\r\n",
            "PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "GET http://h:80/p HTTP/1.1\r\nHost: h:80\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
    private static final String[] PIECES = {
        "\r\n",
        "\n",
        "\r",
        "\0",
        " ",
        "\t",
        ":",
        ",",
        ";",
        "0",
        "9",
        "-1",
        "ffffffff",
        "chunked",
        "Content-Length: 1\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Host: b\r\n",
        "HTTP/1.1",
        "\u00ff",
        "%2e",
        "X: ",
        "\r\n\r\n"
    };

    private static String mutated(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) text.append(GOOD.get(random.nextInt(GOOD.size())));
        for (int i = random.nextInt(5); i >= 0 && text.length() > 0; i--) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + 1 + random.nextInt(8));
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.delete(at, end);
                case 2 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
                case 3 -> text.insert(at, text.substring(at, end));
                default -> text.setLength(at);
            }
        }
        return text.toString();
    }

    @EachReactor
    void mutatedRequests_areAnsweredOrClosed(String reactor) {
        long seed = Long.getLong("seed", System.nanoTime());
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .maxHeaderBytes(512)
                    .headerTimeout(Duration.ofSeconds(1))
                    .bodyTimeout(Duration.ofSeconds(1))
                    .listen(x -> {
                        if (x.query() == null) x.respond(x.bytes());
                        else x.respond(200);
                    })) {
                var random = new Random(seed);
                long end = System.nanoTime() + 10_000_000_000L;
                for (int i = 0; System.nanoTime() < end; i++) {
                    String request = mutated(random);
                    try (var peer = new Raw(server.port()).send(request)) {
                        if (random.nextInt(20) == 0) peer.reset();
                        else {
                            String all = peer.end().readAll();
                            assertThat(all)
                                    .as("seed %d, request %d: %s", seed, i, request)
                                    .matches("(?s)(HTTP/1\\.1 (100|200|4..|50[0135]) .*)?")
                                    .doesNotContain(" 500 ");
                        }
                    } catch (java.io.IOException e) {
                        throw new AssertionError("seed " + seed + ", request " + i + ": " + request, e);
                    }
                }
                LimitsTest.settle(server);
            }
        });
        assertThat(reports).as("seed %d", seed).isEmpty();
    }
}
