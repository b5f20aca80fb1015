package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.read;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.io.Runs.Pair;

/** Descriptors, threads and memory at their limits, many runs, peers that vanish. */
public abstract class LimitsConformance {
    // ---- descriptors

    /**
     * A server under a limit of 140 descriptors; its clients are in this process's parent, so that the server alone
     * runs out.
     */
    static final class ShortServer {
        private ShortServer() {}

        public static void main(String[] arguments) throws Exception {
            ChildProgram.loadClasses();
            var run = Runs.testRun().timeLimit(Duration.ofSeconds(60));
            run.run(() -> {
                TcpServer server = TcpServer.listen("127.0.0.1", 0);
                // what the JDK loads and opens lazily, before descriptors are short
                Async.delay(1);
                System.out.println(server.port());
                int[] served = {0};
                Coroutine<?> accepting = Async.spawn(() -> {
                    while (true) {
                        TcpStream stream = server.accept();
                        served[0]++;
                        Async.spawn(() -> Runs.echo(stream));
                    }
                });
                // the parent closes our input when it is done
                byte[] one = new byte[1];
                var input = new java.util.concurrent.CompletableFuture<Integer>();
                Thread.ofPlatform().daemon().start(() -> {
                    try {
                        input.complete(System.in.read(one));
                    } catch (IOException e) {
                        input.completeExceptionally(e);
                    }
                });
                Async.await(input);
                server.close();
                if (!(failureOf(accepting) instanceof InputOutputException))
                    System.out.println("accepting failed otherwise");
                System.out.println("served " + served[0]);
            });
            System.out.println("reports " + run.reports().size());
            if (!run.reports().isEmpty())
                System.out.println(run.reports().getFirst().replaceAll("127.0.0.1:\\d+", "ADDRESS"));
        }
    }

    @Test
    @Tag("deep")
    void descriptorsRunOutWhileAccepting_serverServesOnAndAcceptsAfterCloses() throws Exception {
        Process child = new ChildProgram()
                .limit("-n 140")
                .options("-XX:TieredStopAtLevel=1")
                .begin(ShortServer.class);
        Thread limit = Thread.ofPlatform().daemon().start(() -> {
            try {
                if (!child.waitFor(80, java.util.concurrent.TimeUnit.SECONDS)) child.destroyForcibly();
            } catch (InterruptedException e) {
                // not needed any more
            }
        });
        try (var output = child.inputReader()) {
            int port = Integer.parseInt(output.readLine());
            var clients = new ArrayList<SocketChannel>();
            for (int i = 0; i < 200; i++) clients.add(SocketChannel.open(new InetSocketAddress("127.0.0.1", port)));
            // the first ones are served although the others can't be accepted
            for (int i = 0; i < 40; i++) assertThat(echoed(clients.get(i), "a")).isTrue();
            // room for the others
            for (int i = 0; i < 100; i++) clients.get(i).close();
            for (int i = 100; i < 200; i++)
                assertThat(echoed(clients.get(i), "b")).as("client " + i).isTrue();
            for (SocketChannel client : clients) client.close();
            child.getOutputStream().close();
            assertThat(output.readLine()).isEqualTo("served 200");
            assertThat(output.readLine()).isEqualTo("reports 1");
            assertThat(output.readLine()).contains("ADDRESS").contains("EMFILE").contains("ulimit -n");
            assertThat(output.readLine()).isNull();
        }
        assertThat(child.waitFor()).isZero();
        limit.interrupt();
    }

    private static boolean echoed(SocketChannel client, String text) throws IOException {
        client.write(bytes(text));
        ByteBuffer into = ByteBuffer.allocate(text.length());
        while (into.hasRemaining()) if (client.read(into) < 0) return false;
        return new String(into.array(), java.nio.charset.StandardCharsets.UTF_8).equals(text);
    }

    /** Starts threads with runtimes of their own while so many descriptors are left, from none to enough. */
    static final class ShortThreads {
        private ShortThreads() {}

        private static int descriptors() {
            String[] names = new File("/proc/self/fd").list();
            return names == null ? 0 : names.length;
        }

        private static boolean starts(int left) throws IOException {
            var hoard = new ArrayList<FileInputStream>();
            try {
                while (true) hoard.add(new FileInputStream("/dev/null"));
            } catch (IOException full) {
                // as intended
            }
            try {
                for (int i = 0; i < left; i++) hoard.removeLast().close();
                return Async.await(Async.spawnThread(() -> true));
            } catch (AsyncException refused) {
                if (!refused.getMessage().contains("EMFILE")) throw refused;
                return false;
            } finally {
                for (FileInputStream one : hoard) one.close();
            }
        }

        public static void main(String[] arguments) throws Exception {
            ChildProgram.loadClasses();
            Runs.testRun().timeLimit(Duration.ofSeconds(60)).run(() -> {
                // what is loaded and opened once, also on the way out of a failure
                Async.await(Async.spawnThread(() -> true));
                starts(0);
                Async.await(Async.spawnThread(() -> true));
                int before = descriptors();
                int refused = 0;
                for (int left = 0; left < 5; left++)
                    for (int round = 0; round < 4; round++) if (!starts(left)) refused++;
                // a thread's own descriptors are closed a moment after its task has ended
                for (int turn = 0; turn < 2_000 && descriptors() > before; turn++) Async.delay(10);
                System.out.println("refused " + (refused >= 4) + ", left behind " + (descriptors() - before));
            });
        }
    }

    @Test
    @Tag("deep")
    @Tag("K66")
    void threadsThatCannotStartForWantOfDescriptors_leaveNone() throws Exception {
        assumeTrue(new File("/proc/self/fd").isDirectory(), "no /proc here");
        String output = new ChildProgram()
                .limit("-n 140")
                .options("-XX:TieredStopAtLevel=1")
                .run(ShortThreads.class);
        assertThat(output).isEqualTo("refused true, left behind 0\nexit 0");
    }

    /** Connects to itself until no descriptor is left. */
    static final class ShortClient {
        private ShortClient() {}

        public static void main(String[] arguments) throws Exception {
            ChildProgram.loadClasses();
            Runs.testRun().timeLimit(Duration.ofSeconds(60)).run(() -> {
                TcpServer server = TcpServer.listen("127.0.0.1", 0);
                var open = new ArrayList<TcpStream>();
                InputOutputException refused = null;
                while (refused == null) {
                    try {
                        open.add(TcpStream.connect("127.0.0.1", server.port()));
                    } catch (InputOutputException e) {
                        refused = e;
                    }
                }
                System.out.println(refused.getMessage().replaceAll("127.0.0.1:\\d+", "ADDRESS"));
                try {
                    TcpServer.listen("127.0.0.1", 0);
                } catch (InputOutputException e) {
                    System.out.println(e.errno());
                }
                Coroutine<?> accepting = Async.spawn(() -> server.accept());
                Async.delay(2);
                System.out.println("accepted " + accepting.isCompleted());
                open.removeLast().close();
                open.removeLast().close();
                ((TcpStream) Async.await(accepting)).close();
                System.out.println("accepted " + accepting.isCompleted());
            });
            System.out.println("ended");
        }
    }

    @Test
    @Tag("deep")
    void descriptorsRunOutWhileConnecting_errorNamesTheLimitAndTheLoopLives() throws Exception {
        String output = new ChildProgram()
                .limit("-n 120")
                .options("-XX:TieredStopAtLevel=1")
                .run(ShortClient.class);
        List<String> lines = output.lines().toList();
        assertThat(lines).hasSize(6).as(output);
        assertThat(lines.getFirst()).startsWith("connect to ADDRESS").contains("EMFILE");
        assertThat(lines.subList(1, 6)).containsExactly("EMFILE", "accepted false", "accepted true", "ended", "exit 0");
    }

    @Test
    @Tag("E38")
    @Tag("deep")
    void serverClosedWhileItPausesForDescriptors_accepterIsToldAtOnce() throws Exception {
        String output = new ChildProgram()
                .limit("-n 120")
                .options("-XX:TieredStopAtLevel=1")
                .run(ClosedWhilePausing.class);
        assertThat(output.lines()).containsExactly("told at once: true", "exit 0");
    }

    /** Closes a server whose accepter waits for descriptors. */
    static final class ClosedWhilePausing {
        private ClosedWhilePausing() {}

        public static void main(String[] arguments) throws Exception {
            ChildProgram.loadClasses();
            Runs.testRun().timeLimit(Duration.ofSeconds(60)).run(() -> {
                TcpServer server = TcpServer.listen("127.0.0.1", 0);
                var open = new ArrayList<TcpStream>();
                try {
                    while (true) open.add(TcpStream.connect("127.0.0.1", server.port()));
                } catch (InputOutputException e) {
                    // used up
                }
                Coroutine<?> accepting = Async.spawn(() -> server.accept());
                // pauses grow: 10, 20, 40, 80, ... ms
                Async.delay(100);
                server.close();
                Async.delay(5);
                System.out.println("told at once: " + accepting.isCompleted());
                failureOf(accepting);
                open.forEach(TcpStream::close);
            });
        }
    }

    // ---- many coroutines

    /** A million of them. */
    static final class Million {
        private Million() {}

        public static void main(String[] arguments) {
            Runs.testRun().timeLimit(Duration.ofSeconds(360)).run(() -> {
                int count = 1_000_000;
                long[] woken = {0};
                boolean[] go = {false};
                for (int i = 0; i < count; i++) {
                    Async.spawn(() -> {
                        Async.delay(go[0] ? 0 : 1 + woken[0] % 2);
                        woken[0]++;
                    });
                }
                Coroutine<?> waiter = Async.spawn(() -> {});
                Async.suspend();
                System.out.println(Async.runtimeStats().coroutines() > count / 2 ? "alive" : "" + Async.runtimeStats());
                Async.await(waiter);
                while (woken[0] < count) Async.delay(5);
                System.out.println("all woken");
            });
            System.out.println("ended");
        }
    }

    /** A million that wait all at the same time. */
    static final class MillionParked {
        private MillionParked() {}

        public static void main(String[] arguments) {
            Runs.testRun().timeLimit(Duration.ofSeconds(360)).run(() -> {
                int count = 1_000_000;
                long[] woken = {0};
                Coroutine<?> gate = Async.spawn(() -> Async.delay(3_600_000));
                for (int i = 0; i < count; i++) {
                    Async.spawn(() -> {
                        try {
                            Async.await(gate);
                        } catch (org.trueasync.AsyncCancellation e) {
                            woken[0]++;
                        }
                    });
                }
                Async.delay(1);
                System.out.println("alive " + Async.runtimeStats().coroutines());
                gate.cancel();
                while (woken[0] < count) Async.delay(5);
                System.out.println("all woken");
            });
            System.out.println("ended");
        }
    }

    @Test
    @Timeout(400)
    @Tag("deep")
    void millionCoroutinesParkedAtOnce_allWake() throws Exception {
        String output = new ChildProgram()
                .atMost(380)
                .options("-Xmx2g", "-XX:+UseSerialGC")
                .run(MillionParked.class);
        assertThat(output.lines()).containsExactly("alive 1000002", "all woken", "ended", "exit 0");
    }

    @Test
    @Timeout(400)
    @Tag("deep")
    @Tag("F79")
    void millionCoroutinesOnTimers_allWake() throws Exception {
        String output = new ChildProgram()
                .atMost(380)
                .options("-Xmx2g", "-XX:+UseSerialGC")
                .run(Million.class);
        assertThat(output.lines()).contains("all woken", "ended", "exit 0");
    }

    // ---- many runs

    /** Runs again and again, with sockets, timers, failures, coroutines left behind. */
    static final class ManyRuns {
        private ManyRuns() {}

        static void once(int i) {
            try {
                Runs.run(() -> {
                    Pair pair = Pair.open();
                    pair.client().write(bytes("run " + i));
                    if (!read(pair.peer(), 20).equals("run " + i)) throw new AssertionError();
                    Async.spawn(() -> Async.delay(3_600_000));
                    Async.spawn(() -> read(pair.client(), 1));
                    for (int k = 0; k < 20; k++) Async.spawn(() -> Async.delay(1));
                    Async.delay(2);
                    if (i % 3 == 0) throw new IllegalStateException("run " + i);
                    if (i % 3 == 1) pair.close();
                    Async.gracefulShutdown();
                });
            } catch (IllegalStateException | InputOutputException expected) {
                // some runs fail
            }
        }

        static Set<String> threads() {
            return Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(n -> !n.equals("watchdog"))
                    .collect(Collectors.toSet());
        }

        public static void main(String[] arguments) throws Exception {
            // until the heap has the size that it needs
            for (int i = 0; i < 400; i++) once(i);
            Set<String> before = threads();
            System.gc();
            long start = Memory.resident();
            int descriptors = descriptors();
            for (int i = 0; i < 200; i++) once(i);
            System.gc();
            long growth = Memory.resident() - start;
            System.out.println(growth < 24L << 20 ? "flat" : "grew by " + growth);
            System.out.println("descriptors " + (descriptors() - descriptors));
            var more = threads();
            more.removeAll(before);
            System.out.println("new threads " + more);
        }

        private static int descriptors() {
            String[] open = new java.io.File("/proc/self/fd").list();
            return open == null ? 0 : open.length;
        }
    }

    @Test
    @Tag("deep")
    @Tag("F77")
    @Tag("F79")
    @Tag("F80")
    void hundredsOfRunsInARow_leaveNoMemoryNoDescriptorAndNoThread() throws Exception {
        String output = new ChildProgram()
                .options("-Xmx64m", "-Xms64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .run(ManyRuns.class);
        assertThat(output.lines()).containsExactly("flat", "descriptors 0", "new threads []", "exit 0");
    }

    @Test
    @Tag("F77")
    void runAfterAFailedRun_startsClean() {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> Runs.run(() -> {
                        Pair pair = Pair.open();
                        Async.spawn(() -> read(pair.client(), 1));
                        Async.spawn(() -> Async.delay(3_600_000));
                        Async.suspend();
                        throw new IllegalStateException("failed run");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            Runs.runClean(() -> {
                assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
                assertThat(Async.runtimeStats().timers()).isZero();
                assertThat(Async.coroutines()).hasSize(1);
                try (Pair pair = Pair.open()) {
                    pair.client().write(bytes("clean"));
                    assertThat(read(pair.peer(), 9)).isEqualTo("clean");
                }
            });
        }
    }

    @Test
    @Tag("F80")
    void runEnds_noThreadOfOursIsLeft() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Thread[] loop = new Thread[1];
        Async.runtime()
                .reactor(Runs::reactor)
                .name("own thread")
                .stackSize(1 << 20)
                .run(() -> {
                    Thread.getAllStackTraces().keySet().stream()
                            .filter(t -> t.getName().contains("own thread"))
                            .forEach(t -> loop[0] = t);
                    for (int i = 0; i < 10; i++) Async.spawn(() -> Async.delay(1));
                });
        assertThat(loop[0]).isNotNull();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(t -> !before.contains(t))
                .extracting(Thread::getName)
                .noneMatch(n -> n.contains("own thread"));
        assertThat(loop[0].isAlive()).isFalse();
    }

    // ---- a peer that is killed

    /** Connects, sends a line, waits to be killed. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] arguments) throws Exception {
            SocketChannel channel =
                    SocketChannel.open(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
            channel.write(bytes("hello"));
            new java.util.concurrent.CountDownLatch(1).await();
        }
    }

    @Test
    @Tag("F5")
    void peerKilled_readerAndParkedWriterWake() {
        Runs.runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Process victim = new ChildProgram().begin(Victim.class, "" + server.port());
            try {
                TcpStream stream = server.accept();
                assertThat(Runs.readFully(stream, 5)).isEqualTo("hello");
                Coroutine<String> reader = Async.spawn(() -> read(stream, 1));
                Coroutine<?> writer = Runs.parkedWriter(stream);
                victim.destroyForcibly();
                assertThat(failureOf(writer)).isInstanceOf(InputOutputException.class);
                Throwable end = failureOf(reader);
                assertThat(end == null || end instanceof InputOutputException).isTrue();
                stream.close();
            } finally {
                victim.destroyForcibly();
            }
            server.close();
        });
    }

    /** Thousands of connections one after another, in a heap that has all its memory from the start. */
    static final class ComeAndGo {
        private ComeAndGo() {}

        public static void main(String[] arguments) {
            Runs.runClean(() -> {
                TcpServer server = TcpServer.listen("127.0.0.1", 0);
                Coroutine<?> accepting = Async.spawn(() -> {
                    while (true) {
                        TcpStream stream = server.accept();
                        Async.spawn(() -> Runs.echo(stream));
                    }
                });
                long start = 0;
                for (int i = 0; i < 6_000; i++) {
                    if (i == 3_000) start = Memory.resident();
                    try (TcpStream client = TcpStream.connect("127.0.0.1", server.port())) {
                        client.write(bytes("x"));
                        if (!read(client, 1).equals("x")) throw new AssertionError();
                    }
                }
                long growth = Memory.resident() - start;
                System.out.println(growth < 16L << 20 ? "flat" : "grew by " + growth);
                server.close();
                failureOf(accepting);
            });
        }
    }

    @Test
    @Tag("F79")
    @Tag("deep")
    void connectionsComeAndGo_memoryIsFlat() throws Exception {
        // The optimising compiler takes tens of megabytes while it works; on a busy machine that is in the second half.
        String output = new ChildProgram()
                .options("-Xmx64m", "-Xms64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .run(ComeAndGo.class);
        assertThat(output.lines()).containsExactly("flat", "exit 0");
    }
}
