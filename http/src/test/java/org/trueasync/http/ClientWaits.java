package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.FutureState;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitCase.SetUp;
import org.trueasync.internal.testkit.WaitTable;

/**
 * Waits of a client for its server, and of a server for its handlers. A call that was given up has closed its
 * connection, and none is missing from the pool.
 */
final class ClientWaits extends WaitTable {
    private final boolean http2;

    ClientWaits(boolean http2) {
        this.http2 = http2;
        calls();
        responses();
        servers();
    }

    /** A client and its server, which answers at the gate. */
    private static final class Talk {
        final FutureState<Integer> gate = new FutureState<Integer>().ignore();
        final HttpServer server;
        final HttpClient client;

        Talk(WaitCase wait, int connections, boolean http2) {
            server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                if (exchange.path().equals("/head")) exchange.write("\"some");
                if (!exchange.path().equals("/at-once")) await(gate.future());
                if (exchange.path().equals("/head")) exchange.write("thing\"");
                else exchange.respond("\"something\"");
            });
            HttpClient.Builder builder = HttpClient.builder().maxConnections(connections);
            client = (http2 ? builder.http2Only() : builder).build();
            // a connection that the next one may keep
            client.get(at("/at-once")).text();
            wait.needsServer()
                    .serve(this::open)
                    .comesFromOutside()
                    .leaves(() -> {
                        client.stats().values().forEach(pool -> assertThat(pool.active())
                                .isZero());
                        if (!http2) return;
                        Exchanges.until(() -> server.stats().runningRequests() == 0, server.stats());
                        assertThat(server.stats().acceptedConnections()).isOne();
                    })
                    .closes(() -> {
                        open();
                        client.close();
                        server.close();
                    });
        }

        String at(String path) {
            return "http://127.0.0.1:" + server.port() + path;
        }

        void open() {
            if (!gate.isCompleted()) gate.complete(1);
        }
    }

    @Override
    protected void row(String method, SetUp setUp) {
        super.row(http2 ? method + ", over HTTP/2" : method, setUp);
    }

    private void call(String method, int connections, On<Talk> on) {
        row(method, wait -> {
            var talk = new Talk(wait, connections, http2);
            call(method, wait, token -> on.call(talk, token));
        });
    }

    private void calls() {
        call("HttpClient.get(String)", 2, (talk, token) -> assertThat(
                        talk.client.get(talk.at("/")).text())
                .isEqualTo("\"something\""));
        call("HttpClient.get(URI)", 2, (talk, token) -> assertThat(
                        talk.client.get(URI.create(talk.at("/"))).text())
                .isEqualTo("\"something\""));
        call("HttpRequest.send()", 2, (talk, token) -> assertThat(
                        talk.client.request("GET", talk.at("/")).send().text())
                .isEqualTo("\"something\""));
        row("HttpRequest.send(), with all connections taken", wait -> {
            var talk = new Talk(wait, 1, http2);
            spawn(() -> talk.client.get(talk.at("/")).text());
            delay(1);
            wait.call(() -> talk.client.get(talk.at("/at-once")).text());
        });
    }

    /** A response that was given up is closed, so each call has another. */
    private void response(String method, On<HttpResponse> on) {
        row(method, wait -> {
            var talk = new Talk(wait, 3, http2);
            List<HttpResponse> responses = new ArrayList<>();
            for (int i = 0; i < 2; i++) responses.add(talk.client.get(talk.at("/head")));
            call(method, wait, token -> on.call(responses.removeFirst(), token));
            wait.leaves(() -> {}).closes(() -> responses.forEach(HttpResponse::close));
        });
    }

    private void responses() {
        response("HttpResponse.bytes()", (response, token) -> assertThat(response.bytes())
                .hasSize(11));
        response("HttpResponse.text()", (response, token) -> assertThat(response.text())
                .isEqualTo("\"something\""));
        response("HttpResponse.body(Class)", (response, token) -> assertThat(response.body(String.class))
                .isEqualTo("something"));
        response("ResponseInput.read", (response, token) -> {
            try (response) {
                assertThat(response.inputStream().readAllBytes()).hasSize(11);
            }
        });
    }

    private void servers() {
        for (String method : List.of("HttpServer.drain()", "HttpServer.drain(Duration)"))
            row(method, wait -> {
                var talk = new Talk(wait, 1, http2);
                spawn(() -> talk.client.get(talk.at("/")).text());
                delay(1);
                call(method, wait, token -> {
                    if (method.endsWith("()")) talk.server.drain();
                    else assertThat(talk.server.drain(Duration.ofDays(1))).isTrue();
                });
            });
    }
}
