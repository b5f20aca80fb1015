package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;
import org.trueasync.io.TlsOptions;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.VirtualTime;

/** Server and client in one run in virtual time: minutes of limits take no time, and every run is the same. */
@Timeout(60)
class VirtualNetworkTest {
    private static HttpServer listen(HttpHandler handler) {
        return HttpServer.builder()
                .host("127.0.0.1")
                .requestTimeout(Duration.ofSeconds(30))
                .listen(handler);
    }

    private static String at(HttpServer server, String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    @Test
    void limitsOfBothSides_passInVirtualTime() {
        VirtualTime.run(() -> {
            try (var server = listen(exchange -> {
                        delay(exchange.path().equals("/hour") ? 3_600_000 : 20_000);
                        exchange.respond("done");
                    });
                    var client = HttpClient.builder()
                            .readTimeout(Duration.ofSeconds(40))
                            .build();
                    var hasty = HttpClient.builder()
                            .readTimeout(Duration.ofSeconds(5))
                            .build()) {
                assertThat(client.get(at(server, "/")).text()).isEqualTo("done");
                assertThat(VirtualTime.elapsed()).isBetween(Duration.ofSeconds(20), Duration.ofMillis(20_001));
                assertThat(client.get(at(server, "/hour")).status()).isEqualTo(503);
                assertThat(VirtualTime.elapsed()).isBetween(Duration.ofSeconds(50), Duration.ofMillis(50_001));
                assertThatThrownBy(() -> hasty.get(at(server, "/")))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("5000 ms (readTimeout)");
                assertThat(VirtualTime.elapsed()).isBetween(Duration.ofSeconds(55), Duration.ofMillis(55_001));
            }
        });
    }

    @Test
    void tls_standsStillWhileItComputes() throws Exception {
        var context = Keys.context();
        VirtualTime.run(() -> {
            try (var server = HttpServer.builder()
                            .host("127.0.0.1")
                            .tls(context)
                            .listen(exchange -> exchange.respond(exchange.text()));
                    var client = HttpClient.builder()
                            .tls(TlsOptions.client(context).withoutServerNameCheck())
                            .build()) {
                String body = "x".repeat(300_000);
                String uri = "https://127.0.0.1:" + server.port() + "/";
                assertThat(client.request("POST", uri).body(body).send().text()).isEqualTo(body);
                assertThat(VirtualTime.elapsed()).isLessThan(Duration.ofMillis(10));
            }
        });
    }

    @Test
    void responseClosedEarly_isNotTheBeginOfTheNextOne() {
        VirtualTime.run(() -> {
            HttpHandler handler = exchange -> {
                exchange.write("first part");
                if (exchange.path().equals("/long")) delay(1_000);
                exchange.write(", second part");
            };
            try (var server = listen(handler);
                    var client = HttpClient.builder().maxConnections(1).build()) {
                client.get(at(server, "/long")).close();
                assertThat(client.get(at(server, "/short")).text()).isEqualTo("first part, second part");
            }
        });
    }

    @Test
    void trailers_areThoseOfTheirRequestAlone() {
        VirtualTime.run(() -> {
            HttpHandler handler = exchange -> {
                exchange.text();
                exchange.respond("sum " + exchange.trailers().get("x-sum"));
            };
            try (var server = listen(handler);
                    var client = TcpStream.connect("127.0.0.1", server.port())) {
                client.writeText("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n"
                        + "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\n0\r\n\r\n");
                assertThat(readAll(client)).contains("sum 6").endsWith("sum null");
            }
        });
    }

    @Test
    void connect_isATunnelWithAnIdleLimit() {
        VirtualTime.run(() -> {
            HttpHandler handler = exchange -> {
                int port = Integer.parseInt(exchange.host().split(":")[1]);
                try (var target = TcpStream.connect("127.0.0.1", port)) {
                    exchange.upgrade("").relay(target, Duration.ofMinutes(1));
                } catch (AsyncTimeoutException e) {
                    // idle
                }
            };
            try (var proxy = HttpServer.builder().host("127.0.0.1").listen(handler);
                    var listener = TcpServer.listen("127.0.0.1", 0)) {
                for (boolean ends : new boolean[] {true, false}) {
                    try (var client = TcpStream.connect("127.0.0.1", proxy.port())) {
                        client.writeText("CONNECT 127.0.0.1:" + listener.port() + " HTTP/1.1\r\nHost: a\r\n\r\nearly ");
                        try (var server = listener.accept()) {
                            client.writeText("bytes");
                            if (ends) client.shutdownOutput();
                            else delay(Duration.ofSeconds(59));
                            ByteBuffer got = ByteBuffer.allocate(11);
                            while (got.hasRemaining()) server.read(got);
                            assertThat(new String(got.array(), StandardCharsets.UTF_8))
                                    .isEqualTo("early bytes");
                            server.writeText("answer");
                            if (ends) {
                                assertThat(server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
                                server.shutdownOutput();
                            }
                            assertThat(readAll(client))
                                    .startsWith("HTTP/1.1 200")
                                    .endsWith("\r\n\r\nanswer");
                        }
                    }
                }
                assertThat(VirtualTime.elapsed()).isBetween(Duration.ofSeconds(59 + 60), Duration.ofMillis(119_010));
            }
        });
    }

    private static String readAll(TcpStream stream) {
        var all = new StringBuilder();
        ByteBuffer into = ByteBuffer.allocate(1_000);
        while (stream.read(into.clear()) >= 0)
            all.append(new String(into.array(), 0, into.position(), StandardCharsets.UTF_8));
        return all.toString();
    }

    @Test
    void clientThatLeaves_cancelsTheHandler() {
        VirtualTime.run(() -> {
            var seen = new ArrayList<String>();
            try (var server = listen(exchange -> {
                try {
                    delay(3_600_000);
                } catch (AsyncCancellation e) {
                    seen.add("after " + VirtualTime.elapsed().toSeconds() + " s");
                    throw e;
                }
            })) {
                try (var peer = TcpStream.connect("127.0.0.1", server.port())) {
                    peer.writeText("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    delay(5_000);
                }
                delay(5_000);
            }
            assertThat(seen).containsExactly("after 6 s"); // for a second it might have read still
        });
    }

    @Test
    void everyOrder_eachRequestGetsItsOwnAnswerOrAnError() {
        Schedules.explore(60, () -> {
            var outcomes = new ArrayList<String>();
            try (var server = listen(exchange -> {
                        String text = exchange.text();
                        delay(1);
                        exchange.write(text.substring(0, 500));
                        suspend();
                        exchange.write(text.substring(500));
                    });
                    var client = HttpClient.builder().build()) {
                var senders = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 6; i++) {
                    String body = String.valueOf((char) ('a' + i)).repeat(1_000);
                    senders.add(spawn(() -> {
                        try {
                            String answer = client.request("POST", at(server, "/"))
                                    .body(body)
                                    .send()
                                    .text();
                            outcomes.add(answer.equals(body) ? "answered" : answer);
                        } catch (InputOutputException e) {
                            outcomes.add("failed");
                        }
                    }));
                }
                delay(1);
                server.drain(Duration.ofSeconds(30));
                senders.forEach(sender -> await(sender));
            }
            assertThat(outcomes).hasSize(6).allMatch(outcome -> outcome.equals("answered") || outcome.equals("failed"));
        });
    }

    @Test
    void everyRun_takesTheSameTimes() {
        assertThat(trace()).hasSize(10).isEqualTo(trace());
    }

    private static List<String> trace() {
        var trace = new ArrayList<String>();
        VirtualTime.run(() -> {
            try (var server = listen(exchange -> {
                        trace.add(VirtualTime.elapsed() + " " + exchange.path());
                        exchange.respond("x".repeat(100_000));
                    });
                    var client = HttpClient.builder().build()) {
                var all = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 5; i++) {
                    String path = "/" + i;
                    all.add(spawn(() -> {
                        int length = client.get(at(server, path)).text().length();
                        trace.add(VirtualTime.elapsed() + " " + path + " " + length);
                    }));
                }
                all.forEach(one -> await(one));
            }
        });
        return trace;
    }
}
