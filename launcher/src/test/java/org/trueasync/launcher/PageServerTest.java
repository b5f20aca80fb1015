package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who gets the page of a process, and what of. */
class PageServerTest {
    private static final String NAME = "<script>alert(1)</script>";

    private final Process process = new Process();
    private final Samples samples = new Samples(process);
    private final HttpClient client = HttpClient.newHttpClient();
    private PageServer server;

    /** One that answers as it is told to. */
    private static final class Process implements Inspected {
        final List<String> questions = new ArrayList<>();
        String refusal;
        boolean hasEnded;

        @Override
        public long pid() {
            return 12;
        }

        @Override
        public synchronized void ask(String question, Consumer<String> lines) throws UsageException, Question.Ended {
            questions.add(question);
            if (hasEnded) throw new Question.Ended("process 12 has ended");
            if (refusal != null) throw new UsageException(refusal);
            if (question.equals("ps")) lines.accept("1\t1\t0\twaiting\t" + NAME + " \"quoted\"");
            else lines.accept("{\"question\":\"" + question + "\",");
            if (question.contains("json")) lines.accept("\"name\":\"" + NAME + "\"}");
        }

        @Override
        public boolean hasEnded() {
            return hasEnded;
        }
    }

    @BeforeEach
    void start() throws Exception {
        samples.take();
        server = PageServer.start(process, samples);
    }

    @AfterEach
    void end() {
        server.close();
        client.close();
    }

    private HttpResponse<String> get(String uri, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
        if (headers.length > 0) request.headers(headers);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Where the page is, once one is admitted. */
    private record Admitted(String root, String cookie) {}

    private Admitted admitted() throws Exception {
        HttpResponse<String> first = get(server.url());
        assertThat(first.statusCode()).isEqualTo(303);
        String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
        String place = first.headers().firstValue("Location").orElseThrow();
        assertThat(cookie).endsWith("; Path=" + place + "; HttpOnly; SameSite=Strict");
        return new Admitted(
                URI.create(server.url()).resolve(place).toString(), cookie.substring(0, cookie.indexOf(';')));
    }

    private HttpResponse<String> page(String name) throws Exception {
        Admitted admitted = admitted();
        return get(admitted.root + name, "Cookie", "other=1; " + admitted.cookie);
    }

    @Test
    void tokenOfTheAddress_admits() throws Exception {
        assertThat(page("").body()).startsWith("<!doctype html>").doesNotContain(NAME);
        for (String file : List.of("page.css", "page.js", "charts.js", "tree.js", "groups.js", "icon.svg"))
            assertThat(page(file).statusCode()).as(file).isEqualTo(200);
        assertThat(page("page.html").statusCode()).isEqualTo(404);
        assertThat(page("../Main.class").statusCode()).isEqualTo(404);
    }

    @Test
    void missingOrWrongToken_isRefused() throws Exception {
        Admitted admitted = admitted();
        String shorter = server.url().substring(0, server.url().length() - 1);
        String bare = URI.create(server.url()).resolve("/").toString();
        for (String uri : List.of(shorter, shorter + ".", server.url() + "/", bare))
            assertThat(get(uri).statusCode()).as(uri).isEqualTo(403);
        assertThat(get(admitted.root).statusCode()).isEqualTo(403);
        assertThat(get(admitted.root + "samples", "Cookie", admitted.cookie + "x")
                        .statusCode())
                .isEqualTo(403);
        String outside = URI.create(admitted.root).resolve("/samples").toString();
        assertThat(get(outside, "Cookie", admitted.cookie).statusCode()).isEqualTo(403);
        assertThat(process.questions).doesNotContain("why", "json");
    }

    @Test
    void otherHost_isRefusedAlsoWithTheToken() throws Exception {
        URI uri = URI.create(server.url());
        assertThat(status(uri, "Host: attacker.example:" + uri.getPort())).contains(" 403 ");
        assertThat(status(uri, "Host: 127.0.0.1")).contains(" 403 ");
        assertThat(status(uri, "X-No-Host: 1")).contains(" 403 ");
        assertThat(status(uri, "Host: localhost:" + uri.getPort())).contains(" 303 ");
    }

    /** The JDK's client lets nobody set the host. */
    private static String status(URI uri, String header) throws Exception {
        try (var socket = new Socket("127.0.0.1", uri.getPort())) {
            socket.getOutputStream()
                    .write(("GET " + uri.getPath() + " HTTP/1.0\r\n" + header + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    @Test
    void everyAnswer_forbidsWhatThePageDoesNotNeed() throws Exception {
        for (HttpResponse<String> response : List.of(page(""), page("samples"), get(server.url() + "x"))) {
            var headers = response.headers();
            assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
                    .startsWith("default-src 'none'; script-src 'self';")
                    .doesNotContain("unsafe");
            assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(headers.firstValue("Cache-Control")).contains("no-store");
            assertThat(headers.firstValue("Access-Control-Allow-Origin")).isEmpty();
        }
    }

    @Test
    void otherMethodThanGet_isRefused() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(URI.create(server.url()))
                .POST(BodyPublishers.ofString("x"))
                .build();
        assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }

    @Test
    void whatTheProcessSays_isNeverHtml() throws Exception {
        HttpResponse<String> dump = page("dump");
        assertThat(dump.headers().firstValue("Content-Type")).contains("application/json; charset=utf-8");
        assertThat(dump.body()).isEqualTo("{\"question\":\"json\",\n\"name\":\"" + NAME + "\"}\n");
        assertThat(page("why").headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
        HttpResponse<String> told = page("samples");
        assertThat(told.headers().firstValue("Content-Type")).contains("application/json; charset=utf-8");
        assertThat(told.body()).contains("\"program\":\"" + NAME + " \\\"quoted\\\"\"");
    }

    @Test
    void samples_areToldOnce() throws Exception {
        samples.take();
        assertThat(page("samples").body()).contains("\"taken\":2").containsPattern("(?s)json --stats.*json --stats");
        assertThat(page("samples?1").body()).containsOnlyOnce("json --stats");
        assertThat(page("samples?2").body()).endsWith("\"samples\":[]}");
        assertThat(page("samples?-9").body()).containsPattern("(?s)json --stats.*json --stats");
    }

    @Test
    void processThatRefuses_isToldAsSuch() throws Exception {
        process.refusal = "process 12 refuses: it is answering too many others";
        HttpResponse<String> dump = page("dump");
        assertThat(dump.statusCode()).isEqualTo(502);
        assertThat(dump.body()).isEqualTo("process 12 refuses: it is answering too many others\n");
    }

    @Test
    void processThatEnds_isToldAndEndsTheSampling() throws Exception {
        process.hasEnded = true;
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                while (!page("samples").body().contains("\"ended\":true")) Thread.onSpinWait();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        samples.takeUntilTheEnd();
        reader.join();
        assertThat(samples.problem()).isEqualTo("Process 12 has ended");
    }
}
