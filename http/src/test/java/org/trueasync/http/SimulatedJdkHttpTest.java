package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.testkit.simulation.Simulation;

/** The JDK's HTTP client, and its HTTP server, on hosts of a simulation. */
@Timeout(300)
class SimulatedJdkHttpTest {
    private static final int PORT = 8080;
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofSeconds(3);
    private static final Duration STALL = Duration.ofSeconds(30);
    /** How often the client sends a request, at most. */
    private static final int TRIES = 5;

    private static final int CALLS = 24;

    private enum Server {
        OURS,
        JDK
    }

    /** One run: what is served and asked, and what must hold. */
    private static final class Run {
        final Simulation sim;
        final Map<String, Integer> executed = new HashMap<>();
        final List<String> log = new ArrayList<>();

        Run(Simulation sim) {
            this.sim = sim;
        }

        // ---- servers

        void serve(Server kind) throws IOException {
            if (kind == Server.OURS) {
                HttpServer.builder().host("0.0.0.0").port(PORT).listen(exchange -> {
                    byte[] answer = answer(exchange.path().substring(1), exchange.bytes());
                    exchange.header("X-Id", exchange.path().substring(1));
                    exchange.respond(answer);
                });
                delay(Duration.ofHours(10));
                return;
            }
            var server = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(PORT), 0);
            server.setExecutor(Executors.newFixedThreadPool(3));
            server.createContext("/", this::handle);
            server.start(); // its threads keep the host alive
        }

        private void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                String id = exchange.getRequestURI().getPath().substring(1);
                byte[] answer = answer(id, exchange.getRequestBody().readAllBytes());
                exchange.getResponseHeaders().set("X-Id", id);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        }

        private byte[] answer(String id, byte[] body) {
            sim.always(body.length == 0 || Arrays.equals(body, bytes(id)), "the body of " + id + " is its own");
            executed.merge(id, 1, Integer::sum);
            try {
                Thread.sleep(new SplittableRandom(id.hashCode()).nextInt(200));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return bytes(id + "?");
        }

        // ---- clients

        void ask(HttpClient.Version version) throws InterruptedException {
            var random = new SplittableRandom(sim.random().nextLong());
            Set<CompletableFuture<?>> calls = new HashSet<>();
            try (HttpClient client = HttpClient.newBuilder()
                    .version(version)
                    .connectTimeout(CONNECT)
                    .build()) {
                for (int i = 0; i < CALLS; i++) {
                    String id = "id" + i;
                    boolean posts = random.nextBoolean();
                    HttpRequest request = request(id, posts);
                    Duration began = sim.elapsed();
                    if (random.nextBoolean()) {
                        try {
                            ended(
                                    id,
                                    posts,
                                    began,
                                    client.send(request, HttpResponse.BodyHandlers.ofByteArray()),
                                    null);
                        } catch (IOException e) {
                            ended(id, posts, began, null, e);
                        }
                    } else {
                        calls.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                                .handle((response, failed) -> {
                                    ended(id, posts, began, response, failed);
                                    return id;
                                }));
                    }
                    Thread.sleep(random.nextInt(800));
                }
                for (CompletableFuture<?> call : calls) call.join();
            }
            log.add(sim.elapsed() + " closed");
        }

        private static HttpRequest request(String id, boolean posts) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://server:" + PORT + "/" + id))
                    .timeout(CALL);
            return posts
                    ? request.POST(HttpRequest.BodyPublishers.ofByteArray(bytes(id)))
                            .build()
                    : request.build();
        }

        private void ended(String id, boolean posts, Duration began, HttpResponse<byte[]> response, Throwable failed) {
            Duration took = sim.elapsed().minus(began);
            Throwable why = failed instanceof CompletionException ? failed.getCause() : failed;
            log.add(sim.elapsed() + " " + id + " " + (why == null ? response : why));
            int times = executed.getOrDefault(id, 0);
            sim.always(!posts || times <= 1, id + " is executed at most once, and was " + times + " times");
            // The client's limit is for the header of the response, and begins again with a GET that is sent again
            // because its connection was reset. A body that stalls comes as soon as TCP sends it again.
            Duration limit = CALL.multipliedBy(posts ? 1 : TRIES).plus(why == null ? STALL : Duration.ofMillis(2));
            if (!(why instanceof IOException) || why instanceof HttpTimeoutException)
                sim.always(took.compareTo(limit) <= 0, id + " ends in time, after " + took);
            if (why != null) {
                sim.always(why instanceof IOException, id + " fails as calls do: " + why);
                sim.reachable(why instanceof HttpTimeoutException ? "a timeout" : "an error of the network");
                return;
            }
            sim.reachable("an answer");
            sim.always(times >= 1, id + " was answered, and so executed");
            sim.always(
                    Arrays.equals(response.body(), bytes(id + "?"))
                            && response.headers().firstValue("X-Id").orElse("").equals(id),
                    id + " gets its own answer");
        }
    }

    private static byte[] bytes(String id) {
        byte[] all =
                new byte[new SplittableRandom(id.hashCode()).nextInt(id.hashCode() % 5 == 0 ? 600_000 : 2_000) + 1];
        new SplittableRandom(~id.hashCode()).nextBytes(all);
        return all;
    }

    private static Run define(Simulation sim, Server kind, HttpClient.Version version) {
        var run = new Run(sim);
        sim.host("server", () -> run.serve(kind));
        sim.faults()
                .partitions()
                .kills("server")
                .resets()
                .slowLinks()
                .packetLoss()
                .pauses("server")
                .every(Duration.ofMillis(1_500))
                .until(Duration.ofSeconds(12));
        sim.client(() -> {
            delay(10);
            run.ask(version);
        });
        sim.afterwards(() -> {
            delay(Duration.ofSeconds(30));
            try (HttpClient client = HttpClient.newHttpClient()) {
                HttpResponse<byte[]> response =
                        client.send(Run.request("last", false), HttpResponse.BodyHandlers.ofByteArray());
                sim.always(Arrays.equals(response.body(), bytes("last?")), "all recovers");
            }
        });
        return run;
    }

    /** What the client saw, with its times. */
    private static List<String> seen(long seed, Server kind, HttpClient.Version version) {
        Run[] run = {null};
        Simulation.replay(seed, sim -> run[0] = define(sim, kind, version));
        return run[0].log;
    }

    @Test
    void callsUnderFaults_areRight_withTheServersOfBoth() {
        for (Server kind : Server.values())
            for (HttpClient.Version version : HttpClient.Version.values())
                if (version == HttpClient.Version.HTTP_1_1 || version == HttpClient.Version.HTTP_2)
                    Simulation.explore(5, sim -> define(sim, kind, version));
    }

    @Test
    @Tag("deep")
    void callsUnderFaults_areRight_withTheServersOfBoth_often() {
        for (Server kind : Server.values()) {
            Simulation.explore(80, sim -> define(sim, kind, HttpClient.Version.HTTP_1_1));
            Simulation.explore(80, sim -> define(sim, kind, HttpClient.Version.HTTP_2));
        }
    }

    @Test
    void sameSeed_isTheSameRun() {
        sameSeed_isTheSameRun(3);
    }

    @Test
    @Tag("deep")
    void sameSeed_isTheSameRun_often() {
        sameSeed_isTheSameRun(50);
    }

    private static void sameSeed_isTheSameRun(int seeds) {
        for (Server kind : Server.values()) {
            for (long seed = 1; seed <= seeds; seed++) {
                var version = seed % 2 == 0 ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2;
                assertThat(seen(seed, kind, version)).hasSizeGreaterThan(CALLS).isEqualTo(seen(seed, kind, version));
            }
        }
    }

    @Test
    void tls_worksToo_inOneHost() throws Exception {
        SSLContext context = Keys.context();
        SSLContext trusting = Keys.trusting();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Simulation.replay(
                    1,
                    sim -> sim.client(() -> {
                        try (var server = HttpServer.builder()
                                        .tls(context)
                                        .host("127.0.0.1")
                                        .listen(exchange -> exchange.respond("secret"));
                                var client = HttpClient.newBuilder()
                                        .sslContext(trusting)
                                        .build()) {
                            var uri = URI.create("https://localhost:" + server.port() + "/");
                            var response = client.send(
                                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
                            all.add(sim.elapsed() + " " + response.body() + " " + response.version());
                        }
                    }));
        }
        assertThat(all.getFirst()).endsWith("secret HTTP_2").isEqualTo(all.getLast());
    }
}
