package org.trueasync.io;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Cores;
import org.trueasync.ThreadPool;

/** A program of many runs: shows the threads that each leaves, and whether they end in time. */
final class LeftThreads {
    /** Idle helpers and watchers end at most 10 s after the run. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(11);

    /** Of the JDK's threads, those that runs make it start. */
    private static final String JDK = "(Read-|Write-|Master)Poller.*|VirtualThread-un.*|ForkJoinPool.*-worker-\\d+"
            + "|process reaper.*|Cleaner-\\d+|CompletableFutureDelayScheduler|Thread-\\d+|Attach Listener"
            + "|FileSystemWatch.*|.*Compiler.*|Keep-Alive-Timer";

    private static final Set<Thread> BEFORE = threads();

    private LeftThreads() {}

    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("left", ".txt");
        Path folder = Files.createTempDirectory("left");
        run("plain", () -> Async.await(Async.spawn(() -> 1)));
        run("files", () -> {
            try (var open = AsyncFile.open(file, StandardOpenOption.WRITE)) {
                open.write(ByteBuffer.wrap(new byte[100_000]));
            }
        });
        run("names", () -> {
            Dns.resolve("localhost");
            InetAddress.getByName("localhost");
        });
        run("blocking", () -> Async.blocking(() -> Thread.sleep(1)));
        run("sockets", LeftThreads::talk);
        run("threads", () -> {
            Async.await(Async.spawnThread(() -> 1));
            new ThreadPool(2).submit(() -> 1).ignore();
            Async.spawnThread(() -> Async.delay(60_000));
            Async.delay(10);
        });
        run("cores", () -> Cores.builder().run(() -> 1));
        run("exec", () -> Exec.of("true").run());
        run("watching", () -> {
            try (var watcher = FileSystemWatcher.builder(folder).build()) {
                Files.createFile(folder.resolve("new"));
                watcher.iterator().next();
            }
        });
        run("watched", () -> Async.delay(10));
        IO.println(endInTime());
        Files.delete(file);
    }

    private static void run(String kind, Body main) {
        Async.runtime().heldLoopAfter(java.time.Duration.ofSeconds(1)).run(() -> {
            try {
                main.run();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            return null;
        });
        awaitLastSteps();
        for (Thread thread : ours()) {
            String name = thread.getName().replaceAll("-\\d+$", "");
            IO.println(kind + ": " + name + (thread.isDaemon() ? "" : ", no daemon"));
        }
    }

    /** A run does not wait for the last instructions of a watchdog or of a reactor's threads. */
    private static void awaitLastSteps() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (!ours().stream().allMatch(LeftThreads::isListed) && System.nanoTime() - end < 0) Thread.yield();
    }

    private static boolean isListed(Thread thread) {
        return thread.getName().matches(LeftThreadsConformance.LISTED + "(-\\d+)?");
    }

    /** Sockets of the JDK's, in coroutines. */
    private static void talk() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var accepted = Async.spawn(() -> {
                try (Socket peer = server.accept()) {
                    return peer.getInputStream().read();
                }
            });
            try (var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                client.getOutputStream().write(7);
                Async.await(accepted);
            }
        }
    }

    private static String endInTime() throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!ours().isEmpty() && System.nanoTime() - end < 0) Thread.sleep(50);
        var left = new TreeSet<String>();
        for (Thread thread : ours()) left.add(thread.getName());
        return "left in the end: " + left;
    }

    private static Set<Thread> ours() {
        Set<Thread> now = threads();
        now.removeAll(BEFORE);
        now.removeIf(thread -> thread.getName().matches(JDK));
        return now;
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream().collect(Collectors.toSet());
    }
}
