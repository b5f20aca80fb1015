package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.internal.testkit.Nightly;

/**
 * Servers under load that get SIGTERM or SIGINT, once or twice, at any moment from the start of their JVM on. Each ends
 * soon with the status of its signal, says nothing odd, and answers every request that it has begun if it is asked
 * once.
 */
class SignalsNightly {
    private static final int AT_A_TIME = 2;
    private static final int CLIENTS = 3;
    private static final int LONGEST_LIFE_MILLIS = 1_800;
    /** What the JVM says if it can't yet log that it ends. */
    private static final String OF_THE_JVM = "^Runtime\\.exit\\(\\d+\\) logging failed: .*\\R+";

    private static final String SERVES = """
            import static org.trueasync.Async.*;
            import org.trueasync.http.*;
            public class Serves {
                public static void main(String[] a) throws Exception {
                    HttpHandler handler = exchange -> {
                        System.out.println("begun " + exchange.path());
                        delay(15);
                        exchange.respond("answer");
                    };
                    try (var server = HttpServer.builder().host("127.0.0.1").listen(handler)) {
                        System.out.println("port " + server.port());
                        delay(3_600_000);
                    } finally {
                        System.out.println("closed");
                    }
                }
            }
            """;

    @TempDir
    Path directory;

    private final String classPath =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    private final AtomicInteger processes = new AtomicInteger();
    private final AtomicInteger twice = new AtomicInteger();
    private final AtomicInteger beforeItServed = new AtomicInteger();
    private final AtomicLong answers = new AtomicLong();

    @Test
    @Timeout(7_200)
    void processes_endRightWheneverTheyAreAsked() throws Exception {
        LauncherProcess.write(directory, "Serves.java", SERVES);
        SourceProgram.compile(
                directory.resolve("Serves.java"),
                Stream.of(classPath.split(":")).map(Path::of).toList(),
                directory,
                new PrintWriter(System.err),
                new SourceTree());
        long end = System.nanoTime() + Nightly.budget(16).toNanos();
        var seed = new AtomicLong(Long.getLong("trueasync.nightly.seed", System.currentTimeMillis()));
        var runs = new ArrayList<Future<?>>();
        try (var executor = Executors.newFixedThreadPool(AT_A_TIME)) {
            for (int i = 0; i < AT_A_TIME; i++)
                runs.add(executor.submit(() -> {
                    do one(seed.incrementAndGet());
                    while (System.nanoTime() < end);
                    return null;
                }));
        }
        for (Future<?> run : runs) run.get();
        Nightly.figure(
                "signals",
                "%,d processes, %,d of them asked twice, %,d before they served; %,d requests answered, none lost"
                        .formatted(processes.get(), twice.get(), beforeItServed.get(), answers.get()));
    }

    private void one(long seed) throws Exception {
        var random = new Random(seed);
        Path err = directory.resolve("err" + seed);
        ProcessBuilder builder = LauncherProcess.starting(
                        directory, "run", "-cp", classPath + ":" + directory, "Serves")
                .redirectError(err.toFile());
        builder.environment().put("TRUEASYNC_CACHE", "off");
        Process process = builder.start();
        try {
            var served = new Served(process);
            Thread reader = Thread.startVirtualThread(served::read);
            Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
            String first = signal(random, process);
            String second = null;
            if (random.nextInt(3) == 0) {
                Thread.sleep(random.nextInt(200));
                second = signal(random, process);
            }
            String told = "seed %d, %s, then %s".formatted(seed, first, second);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(told).isTrue();
            reader.join();
            for (Thread client : served.clients) client.join();
            if (served.notBegun) { // the JVM itself was not ready, and says so with a status of its own
                beforeItServed.incrementAndGet();
                return;
            }
            assertThat(process.exitValue()).as(told).isIn(status(first), status(second));
            assertThat(Files.readString(err).replaceFirst(OF_THE_JVM, ""))
                    .as(told)
                    .isEmpty();
            if (second == null) {
                assertThat(served.answered).as(told).containsAll(served.begun);
                assertThat(served.isClosed).as(told).isEqualTo(!served.clients.isEmpty());
            } else twice.incrementAndGet();
            if (served.clients.isEmpty()) beforeItServed.incrementAndGet();
            processes.incrementAndGet();
            answers.addAndGet(served.answered.size());
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(err);
        }
    }

    private static String signal(Random random, Process process) throws Exception {
        String name = random.nextBoolean() || ProcessEndTest.isInterruptIgnored() ? "TERM" : "INT";
        // fails if the process has ended
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .redirectErrorStream(true)
                .start()
                .waitFor();
        return name;
    }

    private static int status(String signal) {
        return "INT".equals(signal) ? 128 + 2 : 128 + 15;
    }

    /** What a server says, and what its clients get. */
    private static final class Served {
        private final Process process;
        private final Set<String> begun = ConcurrentHashMap.newKeySet();
        private final Set<String> answered = ConcurrentHashMap.newKeySet();
        private final List<Thread> clients = new ArrayList<>();
        private boolean isClosed;
        /** If the JVM could not begin. */
        private boolean notBegun;

        Served(Process process) {
            this.process = process;
        }

        void read() {
            process.inputReader().lines().forEach(line -> {
                if (line.startsWith("begun ")) begun.add(line.substring("begun ".length()));
                else if (line.startsWith("port ")) serves(line.substring("port ".length()));
                else if (line.equals("closed")) isClosed = true;
                else if (line.startsWith("Error occurred during initialization of VM")) notBegun = true;
                else if (!notBegun) throw new AssertionError("it says " + line);
            });
        }

        private void serves(String port) {
            for (int i = 0; i < CLIENTS; i++) {
                String place = "/" + i + "-";
                clients.add(Thread.startVirtualThread(() -> ask("http://127.0.0.1:" + port, place)));
            }
        }

        private void ask(String server, String place) {
            try (var client = HttpClient.newHttpClient()) {
                for (int i = 0; ; i++) {
                    var request = HttpRequest.newBuilder(URI.create(server + place + i))
                            .timeout(Duration.ofSeconds(30))
                            .build();
                    if (client.send(request, BodyHandlers.ofString()).statusCode() == 200) answered.add(place + i);
                }
            } catch (IOException e) {
                // it serves no more
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
