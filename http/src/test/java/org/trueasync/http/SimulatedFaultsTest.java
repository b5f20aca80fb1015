package org.trueasync.http;

import static org.trueasync.Async.*;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.PoolStats;
import org.trueasync.RecoveryStrategy;
import org.trueasync.RuntimeStats;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.io.TcpStream;
import org.trueasync.testkit.simulation.Host;
import org.trueasync.testkit.simulation.Simulation;

/** A service of several hosts whose network and machines fail: what its clients may count on all the same. */
@Timeout(300)
class SimulatedFaultsTest {
    private static final int PORT = 8080;
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration READ = Duration.ofSeconds(5);
    private static final Duration CALL = Duration.ofSeconds(10);
    /** The drain, and then the clean-up. */
    private static final Duration SHUTDOWN = Duration.ofSeconds(10 + 10).plusMillis(200);

    private static final int CANCEL = 8;
    private static final int LONGEST = 300_000;
    private static final byte[] MANY = new byte[2 * LONGEST];

    static {
        new SplittableRandom(1).nextBytes(MANY);
    }

    private static final List<String> SERVERS = List.of("a", "b");

    /** The bytes that belong to a text. */
    static byte[] bytesOf(String text, int length) {
        int from = (text.hashCode() & 0x7fffffff) % (MANY.length - LONGEST);
        return Arrays.copyOfRange(MANY, from, from + length);
    }

    static int lengthOf(String text) {
        int hash = (text + "length").hashCode() & 0x7fffffff;
        return switch (hash % 8) {
            case 0 -> 0;
            case 1, 2, 3 -> hash % 1_000;
            case 4, 5 -> hash % 30_000;
            case 6 -> hash % 100_000;
            default -> (hash >>> 3) % 8 == 0 ? hash % LONGEST : hash % 100;
        };
    }

    /** What the hosts share: a test may know more than its hosts. */
    static final class Service {
        final Simulation sim;
        final Map<String, Integer> executed = new HashMap<>();
        final Map<String, Integer> answered = new HashMap<>();
        final Map<String, String> failed = new HashMap<>();
        int ids;

        Service(Simulation sim) {
            this.sim = sim;
        }

        // ---- a server

        void handle(Exchange exchange) throws IOException {
            String id = exchange.header("X-Id");
            if (id == null) {
                exchange.respond("up");
                return;
            }
            var random = new SplittableRandom(id.hashCode());
            if (!exchange.method().equals("GET")) {
                byte[] body = exchange.bytes();
                String named = exchange.header("X-Length");
                int length = named == null ? lengthOf(id) : Integer.parseInt(named);
                sim.always(
                        Arrays.equals(body, bytesOf(id, length)),
                        "a body that was read is that of its request: " + id + " " + body.length + " of " + length);
            }
            executed.merge(id, 1, Integer::sum);
            delay(random.nextInt(300));
            String answer = id + "?";
            byte[] bytes = bytesOf(answer, lengthOf(answer));
            exchange.header("X-Answer", id);
            if (random.nextBoolean()) {
                exchange.respond(bytes);
            } else {
                OutputStream out = exchange.outputStream();
                for (int at = 0; at < bytes.length; ) {
                    int part = Math.min(bytes.length - at, 1 + random.nextInt(200_000));
                    out.write(bytes, at, part);
                    at += part;
                    if (random.nextBoolean()) delay(random.nextInt(100));
                    if (random.nextBoolean()) out.flush();
                }
                out.close();
            }
        }

        // ---- a client

        String call(HttpClient client, String server, String method, boolean limited) {
            String id = "id" + ++ids;
            var random = new SplittableRandom(id.hashCode());
            Duration began = sim.elapsed();
            String outcome = "?";
            try {
                if (limited) withTimeout(CALL, () -> ask(client, server, method, id, random));
                else ask(client, server, method, id, random);
                outcome = "answered";
                sim.always(executed.getOrDefault(id, 0) > 0, id + " was answered, so it was executed");
                sim.reachable("an answer");
            } catch (InputOutputException | AsyncTimeoutException | ServiceUnavailableException | HttpException gone) {
                outcome = gone.toString();
                failed.put(id, outcome);
                sim.reachable(gone.getClass().getSimpleName());
            }
            Duration took = sim.elapsed().minus(began);
            if (limited)
                sim.always(
                        took.compareTo(CALL.plusMillis(1)) <= 0, id + " ends in time, after " + took + " " + outcome);
            else
                sim.always(
                        took.compareTo(Duration.ofSeconds(60)) <= 0,
                        id + " ends in time, after " + took + " " + outcome);
            if (method.equals("POST")) sim.always(executed.getOrDefault(id, 0) <= 1, id + " is executed at most once");
            else sim.always(executed.getOrDefault(id, 0) <= 2, id + " is executed at most twice");
            return id;
        }

        private void ask(HttpClient client, String server, String method, String id, SplittableRandom random) {
            HttpRequest request = client.request(method, "http://" + server + ":" + PORT + "/work")
                    .header("X-Id", id);
            if (!method.equals("GET")) {
                byte[] body = bytesOf(id, lengthOf(id));
                switch (random.nextInt(4)) {
                    case 0 -> request.body((HttpRequest.BodyWriter) out -> writeSlowly(out, body, random));
                    case 1 -> request.body((HttpRequest.BodyWriter) out -> writeSlowly(out, body, random), body.length);
                    case 2 -> request.body(body).expectContinue();
                    default -> request.body(body);
                }
            }
            try (HttpResponse response = request.send()) {
                if (response.status() == 503 || response.status() == 408) {
                    sim.reachable("status " + response.status());
                    throw new HttpException(response.status(), "busy");
                }
                sim.always(response.status() == 200, "status " + response.status() + " of " + id);
                sim.always(id.equals(response.header("X-Answer")), "the response belongs to " + id);
                String answer = id + "?";
                byte[] expected = bytesOf(answer, lengthOf(answer));
                int some = random.nextInt(4);
                if (some == 0) return; // leaves the rest
                if (some == 1) {
                    byte[] part = response.inputStream().readNBytes(expected.length / 2);
                    sim.always(Arrays.equals(part, Arrays.copyOf(expected, part.length)), "half a body of " + id);
                    sim.always(part.length == expected.length / 2, "half of the body of " + id);
                    return;
                }
                byte[] body = response.bytes();
                sim.always(
                        body.length == expected.length,
                        "all of the body of " + id + ": " + body.length + " of " + expected.length);
                sim.always(Arrays.equals(body, expected), "the body of " + id);
            } catch (IOException e) {
                if (e.getCause() instanceof InputOutputException cause) throw cause;
                throw new InputOutputException(e.getMessage(), "", e);
            }
        }

        private static void writeSlowly(OutputStream out, byte[] body, SplittableRandom random) throws IOException {
            for (int at = 0; at < body.length; ) {
                int part = Math.min(body.length - at, 1 + random.nextInt(100_000));
                out.write(body, at, part);
                at += part;
                if (random.nextInt(3) == 0) delay(random.nextInt(100));
                if (random.nextBoolean()) out.flush();
            }
        }
    }

    private static HttpServer listen(HttpHandler handler) {
        return HttpServer.builder()
                .port(PORT)
                .maxRequests(6, 6)
                .idleTimeout(Duration.ofSeconds(20))
                .bodyTimeout(Duration.ofSeconds(10))
                .writeTimeout(Duration.ofSeconds(10))
                .requestTimeout(Duration.ofSeconds(30))
                .listen(handler);
    }

    private static HttpClient client(boolean http2) {
        var builder = HttpClient.builder();
        return (http2 ? builder.http2Only() : builder)
                .maxConnections(3)
                .keepAlive(Duration.ofSeconds(10))
                .connectTimeout(CONNECT)
                .readTimeout(READ)
                .circuitBreaker(() -> RecoveryStrategy.consecutiveFailures(5).recoverAfter(Duration.ofSeconds(2), 1))
                .build();
    }

    private static void host(Simulation sim, Service service, String name) {
        sim.host(name, () -> {
            HttpServer server = listen(service::handle);
            RuntimeStats before = null;
            while (true) {
                delay(Duration.ofSeconds(5));
                if (sim.elapsed().toSeconds() < 400) continue;
                sim.always(server.stats().openConnections() == 0, name + ": " + server.stats());
                sim.always(runtimeStats().coroutines() == 2, name + " " + runtimeStats());
                sim.always(runtimeStats().reactorHandles() == 1, name + " " + runtimeStats());
                delay(Duration.ofHours(10));
            }
        });
    }

    @Test
    void eachCallGetsItsAnswer_orAnErrorInTime_andAllRecovers() {
        Simulation.explore(15, sim -> eachCallGetsItsAnswer_orAnErrorInTime_andAllRecovers(sim, 12, false));
    }

    @Test
    void eachCallOverHttp2GetsItsAnswer_orAnErrorInTime_andAllRecovers() {
        Simulation.explore(10, sim -> eachCallGetsItsAnswer_orAnErrorInTime_andAllRecovers(sim, 12, true));
    }

    @Test
    @Tag("deep")
    void eachCallGetsItsAnswer_orAnErrorInTime_andAllRecovers_often() {
        Simulation.explore(20, sim -> eachCallGetsItsAnswer_orAnErrorInTime_andAllRecovers(sim, 60, false));
        Simulation.explore(20, sim -> eachCallGetsItsAnswer_orAnErrorInTime_andAllRecovers(sim, 60, true));
    }

    private static void eachCallGetsItsAnswer_orAnErrorInTime_andAllRecovers(
            Simulation sim, int seconds, boolean http2) {
        var service = new Service(sim);
        for (String name : SERVERS) {
            host(sim, service, name);
        }
        sim.faults()
                .partitions()
                .kills()
                .resets()
                .slowLinks()
                .pauses("a", "b")
                .every(Duration.ofMillis(50 * seconds))
                .until(Duration.ofSeconds(seconds));
        for (String what : List.of("an answer", "InputOutputException", "ServiceUnavailableException"))
            sim.reachable(what);
        for (int i = 0; i < 2; i++) sim.client(() -> runClient(sim, service, seconds, http2));
    }

    private static void runClient(Simulation sim, Service service, int seconds, boolean http2) {
        RuntimeStats before = runtimeStats();
        HttpClient client = client(http2);
        var workers = new ArrayList<Coroutine<?>>();
        var random = new SplittableRandom(sim.random().nextLong());
        for (int w = 0; w < 4; w++) {
            var own = random.split();
            workers.add(spawn(() -> {
                while (sim.elapsed().toSeconds() < seconds) {
                    String method = new String[] {"GET", "POST", "PUT"}[own.nextInt(3)];
                    service.call(client, SERVERS.get(own.nextInt(SERVERS.size())), method, true);
                    delay(own.nextInt(own.nextInt(20) == 0 ? 15_000 : 1_000));
                }
            }));
        }
        workers.forEach(worker -> await(worker));
        delay(Duration.ofSeconds(200).minus(sim.elapsed()));
        for (String name : SERVERS) {
            String text = withTimeout(Duration.ofSeconds(1), () -> client.get("http://" + name + ":" + PORT + "/up")
                    .text());
            sim.always(text.equals("up"), name + " says " + text);
        }
        for (Map.Entry<String, PoolStats> entry : client.stats().entrySet())
            sim.always(entry.getValue().active() == 0 && entry.getValue().idle() <= 1, entry.toString());
        delay(Duration.ofSeconds(20));
        for (Map.Entry<String, PoolStats> entry : client.stats().entrySet())
            sim.always(entry.getValue().idle() == 0, entry.toString());
        client.close();
        delay(1);
        RuntimeStats after = runtimeStats();
        sim.always(
                after.coroutines() == before.coroutines() && after.reactorHandles() == before.reactorHandles(),
                after.toString());
        delay(Duration.ofSeconds(500).minus(sim.elapsed()));
    }

    // ---- HTTP/2

    /** One connection: some requests at once, of which each gets its own response, or none. */
    private static void batch(
            Simulation sim, Service service, String server, SplittableRandom random, boolean hasFaults) {
        Map<Integer, String> ids = new LinkedHashMap<>();
        Http2Peer[] used = new Http2Peer[1];
        boolean[] left = new boolean[1];
        Set<Integer> givenUp = new HashSet<>();
        try {
            withTimeout(CALL, () -> {
                try (TcpStream stream = TcpStream.connect(server, PORT)) {
                    var peer = new Http2Peer(stream.inputStream(), stream.outputStream());
                    used[0] = peer;
                    peer.begin();
                    int next = 1;
                    for (int round = 0; round < 1 + random.nextInt(3); round++) {
                        for (int i = 0; i < 1 + random.nextInt(4); i++, next += 2) {
                            String id = "id" + ++service.ids;
                            ids.put(next, id);
                            begin(peer, next, id, random);
                        }
                        if (random.nextInt(8) == 0) {
                            int one = 1 + 2 * random.nextInt(ids.size());
                            givenUp.add(one);
                            peer.number(Http2Peer.RESET, one, CANCEL);
                        }
                        if (random.nextInt(10) == 0) {
                            delay(random.nextInt(200));
                            left[0] = true;
                            return;
                        }
                        while (ids.keySet().stream().anyMatch(id -> !givenUp.contains(id) && !isOver(peer, id))) {
                            Http2Peer.Frame frame = peer.next();
                            if (frame == null) return;
                            if (frame.type() != Http2Peer.DATA || frame.payload().length == 0) continue;
                            peer.number(Http2Peer.WINDOW, 0, frame.payload().length);
                            if (!frame.isLast()) peer.number(Http2Peer.WINDOW, frame.id(), frame.payload().length);
                        }
                        delay(random.nextInt(500));
                    }
                }
            });
        } catch (AsyncTimeoutException | InputOutputException | IOException gone) {
            sim.reachable(gone.getClass().getSimpleName());
        }
        Http2Peer peer = used[0];
        if (peer == null) return;
        int last = peer.goAways.isEmpty()
                ? Integer.MAX_VALUE
                : ByteBuffer.wrap(peer.goAways.getLast().payload()).getInt();
        ids.forEach((number, id) -> {
            Http2Peer.Response response = peer.of(number);
            int executed = service.executed.getOrDefault(id, 0);
            sim.always(executed <= 1, id + " is executed at most once");
            if (number > last)
                sim.always(executed == 0, id + " is beyond the last stream that a GOAWAY names, and not executed");
            if (response.reset == Http2Peer.REFUSED) sim.always(executed == 0, id + " was refused, and not executed");
            if (!response.ended) {
                boolean mayBeLost = hasFaults || left[0] || givenUp.contains(number) || response.reset >= 0;
                sim.always(mayBeLost || executed == 0, id + " was executed and not answered: " + response);
                return;
            }
            if (response.status().equals("503")) return;
            sim.always(executed == 1, id + " was answered, and so executed");
            sim.always(response.status().equals("200"), id + " " + response);
            sim.always(id.equals(response.fields.get("x-answer")), id + " " + response);
            byte[] expected = bytesOf(id + "?", lengthOf(id + "?"));
            sim.always(
                    Arrays.equals(expected, response.body.toByteArray()),
                    id + ": " + response + " of " + expected.length);
            sim.reachable("an answer of HTTP/2");
        });
    }

    private static boolean isOver(Http2Peer peer, int id) {
        return peer.of(id).ended || peer.of(id).reset >= 0;
    }

    private static void begin(Http2Peer peer, int number, String id, SplittableRandom random) throws IOException {
        if (random.nextBoolean()) {
            peer.get(number, "/work", "x-id", id);
            return;
        }
        peer.post(number, "/work", "x-id", id, "x-length", "" + lengthOf(id) % 5_000);
        byte[] body = bytesOf(id, lengthOf(id) % 5_000);
        int half = body.length / 2;
        peer.send(Http2Peer.DATA, 0, number, Arrays.copyOf(body, half));
        if (random.nextInt(4) == 0) delay(random.nextInt(300));
        peer.send(Http2Peer.DATA, Http2Peer.END_STREAM, number, Arrays.copyOfRange(body, half, body.length));
    }

    @Test
    void http2_eachStreamGetsItsAnswer() {
        Simulation.explore(5, sim -> http2_eachStreamGetsItsAnswer(sim, 12));
    }

    @Test
    @Tag("deep")
    void http2_eachStreamGetsItsAnswer_often() {
        Simulation.explore(20, sim -> http2_eachStreamGetsItsAnswer(sim, 60));
    }

    private static void http2_eachStreamGetsItsAnswer(Simulation sim, int seconds) {
        var service = new Service(sim);
        for (String name : SERVERS) host(sim, service, name);
        sim.faults()
                .partitions()
                .kills()
                .resets()
                .slowLinks()
                .pauses("a", "b")
                .every(Duration.ofMillis(50 * seconds))
                .until(Duration.ofSeconds(seconds));
        sim.reachable("an answer of HTTP/2");
        for (int i = 0; i < 2; i++) {
            sim.client(() -> {
                var workers = new ArrayList<Coroutine<?>>();
                var random = new SplittableRandom(sim.random().nextLong());
                for (int w = 0; w < 3; w++) {
                    var own = random.split();
                    workers.add(spawn(() -> {
                        while (sim.elapsed().toSeconds() < seconds) {
                            batch(sim, service, SERVERS.get(own.nextInt(2)), own, true);
                            delay(own.nextInt(2_000));
                        }
                    }));
                }
                workers.forEach(worker -> await(worker));
                delay(Duration.ofSeconds(500).minus(sim.elapsed()));
            });
        }
    }

    @Test
    void gracefulShutdown_answersWhatItHasAccepted() {
        Simulation.explore(5, sim -> shutDown(sim, 12, false));
    }

    @Test
    @Tag("deep")
    void gracefulShutdown_answersWhatItHasAccepted_often() {
        Simulation.explore(20, sim -> shutDown(sim, 60, false));
    }

    @Test
    void gracefulShutdown_endsInTime_whateverTheNetworkDoes() {
        Simulation.explore(5, sim -> shutDown(sim, 12, true));
    }

    @Test
    @Tag("deep")
    void gracefulShutdown_endsInTime_whateverTheNetworkDoes_often() {
        Simulation.explore(20, sim -> shutDown(sim, 60, true));
    }

    private static void shutDown(Simulation sim, int seconds, boolean hasFaults) {
        var service = new Service(sim);
        if (hasFaults)
            sim.faults()
                    .partitions()
                    .resets()
                    .slowLinks()
                    .every(Duration.ofMillis(50 * seconds))
                    .until(Duration.ofSeconds(seconds));
        for (String name : SERVERS) {
            int[] left = {seconds / 4};
            Host[] host = new Host[1];
            Duration[] asked = {Duration.ZERO};
            host[0] = sim.host(name, () -> {
                listen(service::handle);
                delay(500 + sim.random().nextInt(4_000));
                asked[0] = sim.elapsed();
                if (--left[0] > 0) gracefulShutdown();
                else delay(Duration.ofHours(1));
            });
            sim.client(() -> {
                while (left[0] > 0) {
                    if (!host[0].isUp()) {
                        Duration took = sim.elapsed().minus(asked[0]);
                        sim.always(took.compareTo(SHUTDOWN) < 0, name + " has ended " + took + " after the call");
                        delay(sim.random().nextInt(500));
                        host[0].restart();
                    }
                    delay(100);
                }
            });
        }
        sim.client(() -> {
            HttpClient client = client(false);
            var workers = new ArrayList<Coroutine<?>>();
            var random = new SplittableRandom(sim.random().nextLong());
            for (int w = 0; w < 6; w++) {
                var own = random.split();
                boolean two = w % 2 == 0;
                workers.add(spawn(() -> {
                    while (sim.elapsed().toSeconds() < seconds) {
                        String server = SERVERS.get(own.nextInt(2));
                        if (two) batch(sim, service, server, own, hasFaults);
                        else {
                            String id = service.call(client, server, own.nextBoolean() ? "GET" : "POST", true);
                            sim.always(
                                    hasFaults
                                            || service.failed.get(id) == null
                                            || service.executed.getOrDefault(id, 0) == 0,
                                    id + " was executed and not answered: " + service.failed.get(id));
                        }
                        delay(own.nextInt(300));
                    }
                }));
            }
            workers.forEach(worker -> await(worker));
        });
    }
}
