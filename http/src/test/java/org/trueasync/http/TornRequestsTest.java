package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** Requests of which only a part comes, and requests whose handler is cancelled wherever it waits. */
@Timeout(60)
class TornRequestsTest {
    private static final List<String> WHOLE = List.of(
            "POST /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: 1\r\n\r\n");

    private static void serve(String reactor, Http.Client client) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .headerTimeout(Duration.ofMillis(100))
                    .bodyTimeout(Duration.ofMillis(100))
                    .idleTimeout(Duration.ofMillis(700)) // a busy machine must not take a slow byte for none
                    .listen(x -> x.respond(x.text()))) {
                client.use(server);
                LimitsTest.settle(server);
            }
        });
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void everyPrefix_thenSilence_getsItsAnswer(String reactor) {
        serve(reactor, server -> {
            for (String whole : WHOLE) {
                var peers = new ArrayList<Raw>();
                for (int i = 0; i < whole.length(); i++) peers.add(new Raw(server.port()).send(whole.substring(0, i)));
                for (int i = 0; i < whole.length(); i++) {
                    String all = peers.get(i).readAll();
                    if (i == 0) assertThat(all).isEmpty();
                    else assertThat(all).startsWith("HTTP/1.1 408 ").contains("Connection: close");
                    peers.get(i).close();
                }
            }
        });
    }

    @EachReactor
    void everyPrefix_thenTheEndOfTheOutput_isRefusedOrClosed(String reactor) {
        serve(reactor, server -> {
            for (String whole : WHOLE)
                for (int i = 0; i <= whole.length(); i++) {
                    try (var peer =
                            new Raw(server.port()).send(whole.substring(0, i)).end()) {
                        String all = peer.readAll();
                        if (i == whole.length())
                            assertThat(all).contains(" 200 ").endsWith("abc");
                        else assertThat(all).matches("(?s)|HTTP/1.1 400 .*");
                    }
                }
        });
    }

    @EachReactor
    void everyPrefix_thenAReset_leavesNothing(String reactor) {
        serve(reactor, server -> {
            for (String whole : WHOLE)
                for (int i = 0; i <= whole.length(); i++)
                    new Raw(server.port()).send(whole.substring(0, i)).reset();
            String good = WHOLE.getFirst().replace("Host", "Connection: close\r\nHost");
            assertThat(Raw.exchange(server.port(), good)).endsWith("abc");
        });
    }

    @EachReactor
    void bytesOneAtATime_areARequest(String reactor) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder().host("127.0.0.1").listen(x -> x.respond(x.text()))) {
                for (String whole : WHOLE)
                    try (var peer = new Raw(server.port())) {
                        for (String each : whole.split("")) {
                            peer.send(each);
                            delay(1);
                        }
                        assertThat(peer.readUntil("abc")).contains(" 200 ");
                    }
            }
        });
        assertThat(reports).isEmpty();
    }

    /** Waits in one of several ways. */
    private static void wait(Exchange exchange, int way) throws Exception {
        switch (way) {
            case 0 -> delay(3_600_000);
            case 1 -> await(spawn(() -> delay(3_600_000)));
            case 2 -> withTimeout(Duration.ofHours(1), () -> delay(3_600_000));
            case 3 -> {
                exchange.write("begun");
                delay(3_600_000);
            }
            case 4 -> exchange.bytes(); // which do not come
            case 5 -> exchange.respond(new byte[50_000_000]); // which are not read
            case 6 -> {
                var all = exchange.outputStream();
                while (true) all.write(new byte[100_000]);
            }
            default -> {
                spawn(() -> delay(3_600_000));
                suspend(); // one that has not begun is told of
                exchange.respond("its child ends with it");
            }
        }
    }

    @EachReactor
    void requestThatIsCancelledWhereverItWaits_leavesNothing(String reactor) {
        for (String how : List.of("limit", "close", "reset")) {
            List<String> reports = Http.run(reactor, () -> {
                for (int i = 0; i <= 7; i++) {
                    int way = i;
                    var builder = HttpServer.builder().host("127.0.0.1").maxRequests(1, 1);
                    if (how.equals("limit")) builder.requestTimeout(Duration.ofMillis(50));
                    try (var server = builder.listen(x -> wait(x, way))) {
                        String head = way == 4 ? "POST / HTTP/1.1\r\nContent-Length: 9\r\n" : "GET / HTTP/1.1\r\n";
                        var peer = new Raw(server.port()).send(head + "Host: a\r\n\r\n");
                        while (server.stats().requests() == 0) delay(1);
                        delay(20);
                        var queued = new Raw(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                        while (server.stats().requests() == 1) delay(1);
                        switch (how) {
                            case "close" -> server.close();
                            case "reset" -> delay(1);
                            default -> delay(80);
                        }
                        queued.reset();
                        peer.reset();
                        LimitsTest.settle(server);
                    }
                }
            });
            assertThat(reports).isEmpty();
        }
    }
}
