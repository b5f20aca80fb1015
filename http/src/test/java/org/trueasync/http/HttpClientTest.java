package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.trueasync.InputOutputException;

/** The client beside our own server. */
@Timeout(30)
class HttpClientTest {
    /** Runs a client beside a server; nothing may be reported, and at the end no connection may be in use. */
    static void call(String reactor, HttpHandler handler, Calls calls) {
        Http.serve(reactor, handler, server -> {
            try (var client = HttpClient.builder().build()) {
                calls.make(client, "http://127.0.0.1:" + server.port());
                for (var pool : client.stats().values())
                    assertThat(pool.active()).isZero();
            }
        });
    }

    @FunctionalInterface
    interface Calls {
        void make(HttpClient client, String origin) throws Exception;
    }

    @EachReactor
    void get_readsStatusFieldsAndBody(String reactor) {
        call(
                reactor,
                exchange -> exchange.status(201).header("X-Place", "here").respond("made " + exchange.path()),
                (client, origin) -> {
                    try (var response = client.get(origin + "/thing?x=1#part")) {
                        assertThat(response.status()).isEqualTo(201);
                        assertThat(response.header("x-place")).isEqualTo("here");
                        assertThat(response.text()).isEqualTo("made /thing");
                    }
                });
    }

    @EachReactor
    void connection_isUsedAgain(String reactor) {
        call(reactor, exchange -> exchange.respond(exchange.path()), (client, origin) -> {
            for (int i = 0; i < 5; i++)
                assertThat(client.get(origin + "/" + i).text()).isEqualTo("/" + i);
            assertThat(client.stats().get(origin).created()).isOne();
            assertThat(client.stats().get(origin).acquired()).isEqualTo(5);
        });
    }

    @EachReactor
    void figures_areReadByAnotherThreadWhileOriginsTakeTurns(String reactor) {
        call(reactor, exchange -> exchange.respond("text"), (client, origin) -> {
            List<String> origins = List.of(origin, origin.replace("127.0.0.1", "localhost"));
            for (String one : origins) client.get(one).text();
            var read = spawn(() -> blocking(() -> {
                for (int i = 0; i < 5_000; i++) assertThat(client.stats()).hasSize(2);
                return client.stats();
            }));
            while (!read.isCompleted())
                for (String one : origins) client.get(one).text();
            assertThat(await(read).keySet()).containsExactlyInAnyOrderElementsOf(origins);
            client.close();
            assertThat(client.stats()).isEmpty();
        });
    }

    @EachReactor
    void body_comesInPartsBothWays(String reactor) {
        String text = "0123456789".repeat(200_000);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        call(
                reactor,
                exchange -> {
                    try (var in = exchange.inputStream();
                            var out = exchange.outputStream()) {
                        in.transferTo(out);
                    }
                },
                (client, origin) -> {
                    var requests = List.of(
                            client.request("POST", origin).body(text),
                            client.request("POST", origin).body(new ByteArrayInputStream(bytes)),
                            client.request("POST", origin).body(new ByteArrayInputStream(bytes), bytes.length),
                            client.request("POST", origin).body(out -> {
                                for (int i = 0; i < bytes.length; i += 1000) {
                                    out.write(bytes, i, 1000);
                                    if (i % 100_000 == 0) out.flush();
                                }
                            }));
                    // a server that answers while much of the body is to come may close the connection afterwards
                    for (var request : requests)
                        assertThat(request.send().text()).isEqualTo(text);
                });
    }

    @EachReactor
    void head_hasNoBody(String reactor) {
        call(reactor, exchange -> exchange.respond("text"), (client, origin) -> {
            for (int i = 0; i < 2; i++) {
                var response = client.request("HEAD", origin).send();
                assertThat(response.header("Content-Length")).isEqualTo("4");
                assertThat(response.bytes()).isEmpty();
            }
            assertThat(client.stats().get(origin).created()).isOne();
        });
    }

    @EachReactor
    void timeLimit_endsACallAndItsConnection(String reactor) {
        call(reactor, exchange -> delay(3_600_000), (client, origin) -> {
            assertThatThrownBy(() -> withTimeout(
                            Duration.ofMillis(20), () -> client.get(origin).text()))
                    .isInstanceOf(org.trueasync.AsyncTimeoutException.class);
            assertThat(client.stats().get(origin).count()).isZero();
        });
    }

    @EachReactor
    void nobodyListens_namesTheCall(String reactor) {
        call(reactor, exchange -> {}, (client, origin) -> assertThatThrownBy(() -> client.get("http://127.0.0.1:1/x"))
                .isInstanceOf(InputOutputException.class)
                .hasMessageStartingWith("GET http://127.0.0.1:1/x: ")
                .hasMessageContaining("ECONNREFUSED"));
    }

    @EachReactor
    void serverOfTheJdk_isUnderstood(String reactor) throws Exception {
        var address = new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0);
        var server = com.sun.net.httpserver.HttpServer.create(address, 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean chunked = exchange.getRequestURI().getPath().equals("/chunked");
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : chunked ? 0 : body.length);
            if (body.length > 0) exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            List<String> reports = Http.run(reactor, () -> {
                String text = "0123456789".repeat(50_000);
                String origin = "http://127.0.0.1:" + server.getAddress().getPort();
                try (var client = HttpClient.builder().build()) {
                    for (String path : List.of("/", "/chunked")) {
                        assertThat(client.get(origin + path).text()).isEmpty();
                        assertThat(client.request("PUT", origin + path)
                                        .body("x")
                                        .send()
                                        .text())
                                .isEqualTo("x");
                        var large = client.request("POST", origin + path)
                                .body(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
                        assertThat(large.send().text()).isEqualTo(text);
                    }
                    assertThat(client.stats().get(origin).created()).isOne();
                }
            });
            assertThat(reports).isEmpty();
        } finally {
            server.stop(0);
        }
    }
}
