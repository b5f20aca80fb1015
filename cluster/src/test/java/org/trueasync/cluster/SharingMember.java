package org.trueasync.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.trueasync.Async;
import org.trueasync.Body;

/** A member in a process of its own: it holds a lock, waits at an empty channel and receives from others, and says so line by line. */
final class SharingMember implements AutoCloseable {
    static final int RECEIVERS = 2;

    private final Process process;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final Thread listener;

    SharingMember(String cluster, int port, String... channels) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "--add-opens",
                        "java.base/java.lang=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SharingMember.class.getName(),
                        cluster,
                        Integer.toString(port),
                        String.join(",", channels))
                .redirectErrorStream(true)
                .start();
        listener = Thread.ofPlatform().daemon().start(this::listen);
    }

    private void listen() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = out.readLine()) != null; ) said.add(line);
        } catch (IOException e) {
            said.add("unreadable: " + e);
        }
    }

    /** The next line that begins with one of these words; only this coroutine waits. */
    String says(String first) {
        return Async.blocking(() -> {
            for (String line; (line = said.poll(90, TimeUnit.SECONDS)) != null; )
                if (line.startsWith(first))
                    return line.substring(first.length()).strip();
            throw new AssertionError("the other member does not say '" + first + "'");
        });
    }

    /** SIGKILL, and every line that it has said and nobody has read. */
    List<String> kill() {
        return Async.blocking(() -> {
            process.destroyForcibly().waitFor();
            listener.join();
            return List.copyOf(said);
        });
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
    }

    static ClusterConfig.Builder config(String cluster, int port) {
        return ClusterConfig.builder()
                .name(cluster)
                .members("127.0.0.1:" + port)
                .allow("org.trueasync.cluster.");
    }

    public static void main(String[] arguments) {
        Async.run((Body) () -> {
            var cluster = Cluster.join(
                    config(arguments[0], Integer.parseInt(arguments[1])).build());
            ClusterLock lock = cluster.lock("held");
            lock.lock();
            IO.println("holds " + lock.fence());
            ClusterChannel<Integer> empty = cluster.channel("empty", 4);
            for (int i = 0; i < RECEIVERS; i++) Async.spawn(() -> IO.println("stolen " + empty.receive()));
            for (String name : arguments[2].split(",", -1)) {
                ClusterChannel<Integer> channel = cluster.channel(name, 4);
                for (int i = 0; i < RECEIVERS; i++)
                    Async.spawn(() -> {
                        for (int value : channel) IO.println("got " + name + " " + value);
                    });
            }
            IO.println("ready");
            Async.await(new CompletableFuture<Boolean>());
        });
    }
}
