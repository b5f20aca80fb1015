package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.http.Http2Answers.Holds;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitTable;

/**
 * Waits of a client of HTTP/2, place by place. A call that was given up has reset its stream and nothing else: its
 * connection serves the next one, all windows are given back, and whoever waits beside it goes on.
 */
final class Http2ClientWaits extends WaitTable {
    /** Who else waits on the connection. */
    private enum Beside {
        NOBODY(""),
        /** It waits for another who reads. */
        READER(", while another reads"),
        /** It reads for another. */
        FOLLOWER(", reading for another");

        final String name;

        Beside(String name) {
            this.name = name;
        }
    }

    Http2ClientWaits() {
        places();
        connecting();
        for (Beside beside : Beside.values()) {
            heads(beside);
            bodies(beside);
            uploads(beside);
        }
    }

    /** A client and its server, of whose connection there may be one more user. */
    private static final class Talk {
        final Http2Answers server;
        final HttpClient client;
        private final FutureState<Integer> follows = new FutureState<Integer>().ignore();
        private final List<Coroutine<String>> others = new ArrayList<>();

        Talk(WaitCase wait, Holds holds, int places, Beside beside) {
            server = new Http2Answers(holds);
            client = HttpClient.builder()
                    .http2Only()
                    .maxConnections(places)
                    .readTimeout(Duration.ZERO)
                    .build();
            wait.needsServer()
                    .serve(server::goOn)
                    .keepsNothing()
                    .comesFromOutside()
                    .closes(() -> {
                        client.close();
                        server.close();
                    })
                    .closes(this::awaitOthers)
                    .leaves(this::assertWhole);
            delay(1);
            if (holds == Holds.SETTINGS) return;
            get("/at-once");
            if (beside != Beside.NOBODY)
                other(() -> {
                    // with as many events as it has when it reads
                    if (beside == Beside.FOLLOWER) withTimeout(AGES, () -> await(follows.future(), timeout(AGES)));
                    return get("/never");
                });
        }

        String get(String path) {
            return client.get(server.at(path)).text();
        }

        /** Before a call waits: what follows it runs when it does. */
        void begins() {
            if (!follows.isCompleted()) follows.complete(1);
        }

        private void assertWhole() throws Exception {
            boolean isUsed = others.stream().anyMatch(one -> !one.isCompleted());
            assertThat(client.stats().values()).allMatch(pool -> pool.active() == (isUsed ? 1 : 0));
            answerOthers();
            // before the client looks by itself
            delay(10);
            assertThat(others).allMatch(Coroutine::isCompleted);
            server.assertWhole(client);
        }

        private void answerOthers() throws Exception {
            server.goOn();
            for (Http2Answers.Link link : server.links) link.answerNever();
        }

        private void awaitOthers() throws Exception {
            begins();
            delay(1);
            answerOthers();
            for (Coroutine<String> other : others) assertThat(await(other)).isEqualTo("\"something\"");
        }

        /** Another coroutine calls too. */
        void other(Callable<String> call) {
            others.add(spawn(call));
            delay(1);
        }
    }

    // ---- before there is a stream

    private void places() {
        row("HttpRequest.send(), over HTTP/2: for a place", wait -> {
            var talk = new Talk(wait, Holds.ANSWERS, 1, Beside.NOBODY);
            talk.other(() -> talk.get("/head"));
            wait.call(() -> assertThat(talk.get("/at-once")).isEqualTo("\"something\""));
        });
    }

    private void connecting() {
        row("HttpRequest.send(), over HTTP/2: for the connection", wait -> {
            var talk = new Talk(wait, Holds.SETTINGS, 2, Beside.NOBODY);
            wait.call(() -> {
                try (var own = HttpClient.builder().http2Only().build()) {
                    assertThat(own.get(talk.server.at("/at-once")).text()).isEqualTo("\"something\"");
                }
            });
            wait.leaves(() -> {
                for (Http2Answers.Link link : talk.server.links) Exchanges.until(() -> link.peer.closed, "closed");
            });
        });
        row("HttpRequest.send(), over HTTP/2: for the connection that another makes", wait -> {
            var talk = new Talk(wait, Holds.SETTINGS, 2, Beside.NOBODY);
            talk.other(() -> talk.get("/at-once"));
            wait.call(() -> assertThat(talk.get("/at-once")).isEqualTo("\"something\""));
        });
    }

    // ---- on a stream

    private void heads(Beside beside) {
        row("HttpRequest.send(), over HTTP/2: for the head" + beside.name, wait -> {
            var talk = new Talk(wait, Holds.ANSWERS, 3, beside);
            wait.call(() -> {
                talk.begins();
                assertThat(talk.get("/head")).isEqualTo("\"something\"");
            });
        });
    }

    private void response(String row, String path, Beside beside, On<HttpResponse> on) {
        row(row + beside.name, wait -> {
            var talk = new Talk(wait, Holds.ANSWERS, 4, beside);
            List<HttpResponse> responses = new ArrayList<>();
            for (int i = 0; i < 2; i++) responses.add(talk.client.get(talk.server.at(path)));
            wait.call(() -> {
                        talk.begins();
                        on.call(responses.removeFirst(), timeout(AGES));
                    })
                    .leaves(() -> {
                        responses.forEach(HttpResponse::close);
                        talk.assertWhole();
                    });
        });
    }

    private void bodies(Beside beside) {
        response("ResponseInput.read, over HTTP/2: for the body", "/body", beside, (response, token) -> {
            try (response) {
                assertThat(response.inputStream().readAllBytes()).hasSize(11);
            }
        });
        response("HttpResponse.bytes(), over HTTP/2: for the trailers", "/trailers", beside, (response, token) -> {
            assertThat(response.bytes()).hasSize(11);
            assertThat(response.trailers().get("x-sum")).isEqualTo("6");
        });
    }

    private interface WithBody {
        HttpRequest to(HttpRequest request);
    }

    private void upload(String what, Holds holds, Beside beside, WithBody body) {
        row("HttpRequest.send(), over HTTP/2: " + what + beside.name, wait -> {
            var talk = new Talk(wait, holds, 3, beside);
            wait.call(() -> {
                talk.begins();
                assertThat(body.to(talk.client.request("POST", talk.server.at("/upload")))
                                .send()
                                .text())
                        .isEqualTo("\"something\"");
            });
        });
    }

    private void uploads(Beside beside) {
        upload("for a window", Holds.WINDOWS, beside, request -> request.body("some"));
        upload(
                "for a window, writing",
                Holds.WINDOWS,
                beside,
                request -> request.body(out -> {
                    for (int i = 0; i < 10; i++) out.write(new byte[Http2Answers.WINDOW / 10]);
                }));
        if (beside == Beside.NOBODY)
            upload(
                    "for the server to read",
                    Holds.READING,
                    beside,
                    request -> request.body(new byte[Http2Answers.MUCH]));
        upload("to be told to go on", Holds.WINDOWS, beside, request -> request.body("some")
                .expectContinue());
    }
}
