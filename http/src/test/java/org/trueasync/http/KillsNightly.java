package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.FreePort;
import org.trueasync.internal.testkit.Nightly;
import org.trueasync.internal.testkit.Resources;

/**
 * This process and two others send bodies to each other, in both directions, over HTTP/1.1 and HTTP/2. One of the
 * others is killed with SIGKILL in the midst of that and starts anew, again and again. A body that was cut is an error
 * for whoever reads or writes it, and never a short body; calls of the other peer notice nothing; whatever was under
 * way ends; the pools of the clients recover by themselves, within a minute; nothing is left over.
 */
class KillsNightly {
    /** By each client to each peer at a time. */
    private static final int CALLERS = 6;

    private static final int LONGEST_BODY = 300_000;
    private static final int LONGEST_PEACE_MILLIS = 800;
    private static final Duration ENDS = Duration.ofSeconds(60);

    /** A body whose length the path says. */
    private static final class Bytes {
        private Bytes() {}

        static int length(String path) {
            return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
        }

        private static byte at(int place) {
            return (byte) (place * 31 >> 4);
        }

        static void write(OutputStream out, int length, Random random) throws IOException {
            for (int done = 0; done < length; ) {
                var part = new byte[Math.min(length - done, 1 + random.nextInt(20_000))];
                for (int i = 0; i < part.length; i++) part[i] = at(done + i);
                out.write(part);
                done += part.length;
                delay(random.nextInt(4)); // most moments are in the midst of a body
            }
        }

        /** Reads a body to its end, which must be the right one. */
        static void read(InputStream in, int length) throws IOException {
            var part = new byte[8_192];
            int done = 0;
            for (int count; (count = in.read(part)) >= 0; done += count)
                for (int i = 0; i < count; i++)
                    if (part[i] != at(done + i)) throw new AssertionError("another byte at " + (done + i));
            if (done != length) throw new AssertionError("a body of " + length + " bytes has " + done);
        }
    }

    /** Calls one server, by one client. */
    private static final class Caller {
        private final HttpClient client;
        private final String base;
        private final boolean mayBeCut;
        private final Random random;
        int whole;
        int cut;
        boolean isOver;

        /** @param mayBeCut if the server may be killed */
        Caller(HttpClient client, String base, boolean mayBeCut, long seed) {
            this.client = client;
            this.base = base;
            this.mayBeCut = mayBeCut;
            this.random = new Random(seed);
        }

        void run() throws IOException {
            while (!isOver) {
                try {
                    call();
                    whole++;
                    delay(random.nextInt(20)); // peers that start anew need the processor too
                } catch (IOException | InputOutputException e) {
                    if (!mayBeCut) throw e;
                    cut++;
                    delay(5 + random.nextInt(20));
                }
            }
        }

        private void call() throws IOException {
            int length = random.nextInt(LONGEST_BODY);
            boolean sends = random.nextBoolean();
            HttpRequest request = client.request(sends ? "POST" : "GET", base + length);
            if (sends) {
                long announced = random.nextBoolean() ? length : -1;
                if (announced < 0) request.body(out -> Bytes.write(out, length, random));
                else request.body(out -> Bytes.write(out, length, random), announced);
            }
            try (HttpResponse response = request.send()) {
                if (response.status() != 200) throw new AssertionError(response + " " + response.text());
                if (sends) assertThat(response.text()).isEqualTo("whole");
                else Bytes.read(response.inputStream(), length);
            }
        }
    }

    private static HttpServer listen(int port, HttpHandler handler) {
        return HttpServer.builder()
                .host("127.0.0.1")
                .port(port)
                .maxBodyBytes(LONGEST_BODY)
                .listen(handler);
    }

    private static void serve(Exchange exchange, Random random) throws IOException {
        int length = Bytes.length(exchange.path());
        if (exchange.method().equals("POST")) {
            Bytes.read(exchange.inputStream(), length);
            exchange.respond("whole");
        } else {
            Bytes.write(exchange.outputStream(), length, random);
            exchange.end();
        }
    }

    private static HttpClient client(boolean http2) {
        HttpClient.Builder builder = HttpClient.builder().maxConnections(CALLERS);
        return (http2 ? builder.http2Only() : builder.http1Only()).build();
    }

    /** The program of a peer: its port, and the address of the server that it calls. */
    static final class Peer {
        public static void main(String[] arguments) {
            var random = new Random();
            Async.run(() -> {
                try (var server = listen(Integer.parseInt(arguments[0]), exchange -> serve(exchange, random));
                        HttpClient first = client(false);
                        HttpClient second = client(true)) {
                    System.out.println("listens on " + server.port());
                    var all = new ArrayList<Coroutine<?>>();
                    for (int i = 0; i < 2 * CALLERS; i++) {
                        HttpClient client = i % 2 == 0 ? first : second;
                        all.add(spawn(new Caller(client, arguments[1], false, random.nextLong())::run));
                    }
                    awaitAllOrFail(all);
                }
            });
        }
    }

    /** A peer in its process, which may be started again. */
    private static final class PeerProcess implements AutoCloseable {
        final int port = FreePort.any();
        private final ProcessBuilder builder;
        private Process process;

        PeerProcess(Path errors, String calls) throws IOException {
            builder = new ProcessBuilder(List.of(
                            ProcessHandle.current().info().command().orElse("java"),
                            "--add-opens",
                            "java.base/java.lang=ALL-UNNAMED",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            KilledUnderLoadTest.classPath(),
                            Peer.class.getName(),
                            Integer.toString(port),
                            calls))
                    .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
            start();
        }

        String address() {
            return "http://127.0.0.1:" + port + "/";
        }

        void start() throws IOException {
            process = builder.start();
            try (BufferedReader out = process.inputReader()) {
                assertThat(out.readLine()).isEqualTo("listens on " + port);
            }
        }

        boolean isAlive() {
            return process.isAlive();
        }

        /** SIGKILL. */
        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    @TempDir
    Path folder;

    private final Random random = new Random(Long.getLong("trueasync.nightly.seed", System.nanoTime()));
    private int kills;
    private long whole;
    private long cut;
    private long cutOfLasting;
    /** What was received here and should not have been. */
    private final List<String> wrong = new ArrayList<>();

    /** What the mortal peer is served here at the moment. */
    private int underWay;

    private long longestRecovery;
    private @Nullable Resources early;

    @Test
    @Timeout(7_200)
    void killedPeer_bodiesAreWholeOrErrors_andTheOtherPeerNoticesNothing() throws Exception {
        Path errors = folder.resolve("errors");
        Async.run(() -> {
            try (var server = listen(0, this::serveHere);
                    HttpClient first = client(false);
                    HttpClient second = client(true);
                    var mortal = peer(errors, server, "mortal");
                    var lasting = peer(errors, server, "lasting")) {
                early = Nightly.repeat(4, () -> round(mortal, lasting, List.of(first, second)));
                assertThat(wrong).isEmpty();
                assertThat(cutOfLasting).isZero();
                assertThat(lasting.isAlive()).isTrue();
                assertThat(errors).isEmptyFile();
            }
        });
        if (early != null) Resources.now().requireNoMoreThan(early);
        Nightly.figure(
                "kills of HTTP peers",
                "%,d kills; %,d bodies whole, %,d calls cut or refused, no body short; all called again within %,d ms"
                        .formatted(kills, whole, cut, longestRecovery));
    }

    private static PeerProcess peer(Path errors, HttpServer server, String name) {
        return blocking(() -> new PeerProcess(errors, "http://127.0.0.1:" + server.port() + "/" + name + "/"));
    }

    private void serveHere(Exchange exchange) throws IOException {
        boolean isMortal = exchange.path().startsWith("/mortal/");
        if (isMortal) underWay++;
        try {
            serve(exchange, random);
            whole++;
        } catch (IOException | InputOutputException e) {
            if (!isMortal) cutOfLasting++;
            cut++;
            throw e;
        } catch (AssertionError e) {
            wrong.add(e.toString());
            throw e;
        } finally {
            if (isMortal) underWay--;
        }
    }

    private void round(PeerProcess mortal, PeerProcess lasting, List<HttpClient> clients) throws Exception {
        var callers = new ArrayList<Caller>();
        for (HttpClient client : clients)
            for (int i = 0; i < CALLERS; i++) {
                callers.add(new Caller(client, mortal.address(), true, random.nextLong()));
                callers.add(new Caller(client, lasting.address(), false, random.nextLong()));
            }
        var running = new ArrayList<Coroutine<?>>();
        for (Caller caller : callers) running.add(spawn(caller::run));
        delay(random.nextInt(LONGEST_PEACE_MILLIS));
        blocking(mortal::close);
        kills++;
        within("end what was under way", () -> {
            while (underWay > 0) delay(1);
        });
        blocking(mortal::start);
        long back = System.nanoTime();
        int[] before = callers.stream().mapToInt(caller -> caller.whole).toArray();
        within("call again", () -> {
            for (int i = 0; i < before.length; i++) while (callers.get(i).whole == before[i]) delay(1);
        });
        longestRecovery = Math.max(longestRecovery, (System.nanoTime() - back) / 1_000_000);
        for (Caller caller : callers) caller.isOver = true;
        awaitAllOrFail(running);
        for (Caller caller : callers) {
            whole += caller.whole;
            cut += caller.cut;
        }
        for (HttpClient client : clients)
            client.stats()
                    .forEach((origin, pool) ->
                            assertThat(pool.active()).as(origin).isZero());
    }

    private static void within(String what, Runnable waits) {
        try {
            withTimeout(ENDS, waits::run);
        } catch (AsyncTimeoutException e) {
            throw new AssertionError("did not " + what + "\n" + dump(), e);
        }
    }
}
