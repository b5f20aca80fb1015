package org.trueasync.stress.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.http.HttpClient;
import org.trueasync.internal.testkit.Nightly;
import org.trueasync.internal.testkit.Resources;
import org.trueasync.io.Pipe;
import org.trueasync.io.PipeServer;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/**
 * Messages of every kind for a long time, one in a hundred with a fault: none is lost or doubled beyond what its fault
 * allows, and after the first quarter the process holds no more and no more.
 */
class SoakNightly {
    /** One lane alone, by its name. */
    private static final String ONLY = System.getProperty("trueasync.soak.only", "");

    /** The folder of the picture; empty for none. */
    private static final String PICTURES = System.getProperty("trueasync.nightly.pictures", "");

    /** A look asks for a collection, which holds everything up. */
    private static final int LOOKS = 50;

    private final long seed = Long.getLong("trueasync.soak.seed", System.nanoTime());
    private final List<String> reports = new ArrayList<>();
    private final List<Tally> tallies = new ArrayList<>();
    private final SoakPlot plot = new SoakPlot();
    private Resources early;
    private Resources late;

    @Test
    @Timeout(value = 10, unit = TimeUnit.HOURS)
    void messagesOfEachKind_areNeitherLostNorDoubled_andNothingGrows(@TempDir Path folder) throws Exception {
        long nanos = Nightly.budget(17).toNanos();
        Thread cores = cores(nanos);
        Async.runtime()
                .name("soak")
                .heldLoopAfter(Duration.ZERO) // collections are asked for
                .diagnostics(this::report)
                .run(() -> soak(new Soak(nanos, seed), folder));
        cores.join();
        if (!reports.isEmpty()) throw new AssertionError("seed " + seed + ": " + reports);
        long messages = tallies.stream().mapToLong(tally -> tally.messages).sum();
        long faults = tallies.stream().mapToLong(tally -> tally.faults).sum();
        Nightly.figure(
                "soak",
                String.format(
                                "%,d messages in %,d s, %,d faults, none lost or doubled: ",
                                messages, nanos / 1_000_000_000, faults)
                        + tallies.stream().map(Tally::toString).collect(Collectors.joining("; ")));
        Nightly.figure(
                "soak, resources",
                String.format(
                        "after the first quarter and at the end: heap %d and %d MiB, resident %d and %d MiB,"
                                + " descriptors %d and %d, threads %d and %d",
                        early.heap(),
                        late.heap(),
                        early.resident(),
                        late.resident(),
                        early.descriptors(),
                        late.descriptors(),
                        early.threads(),
                        late.threads()));
        if (!PICTURES.isEmpty()) Files.writeString(Path.of(PICTURES, "soak.svg"), plot.format());
        late.requireNoMoreThan(early);
    }

    private Resources look(Soak soak) throws IOException {
        Resources now = Resources.now();
        long messages = tallies.stream().mapToLong(tally -> tally.messages).sum();
        plot.add(new SoakPlot.Sample(soak.seconds(), messages, now));
        return now;
    }

    private synchronized void report(String text) {
        reports.add(text);
    }

    private Tally tally(String name) {
        var tally = new Tally(name);
        tallies.add(tally);
        return tally;
    }

    /** Has loops and threads of its own. */
    private Thread cores(long nanos) {
        if (!ONLY.isEmpty() && !ONLY.equals("cores")) return new Thread();
        Tally tally = tally("cores");
        return Thread.ofPlatform().name("soak-cores").start(() -> {
            try {
                Async.runtime().name("soak-cores").diagnostics(this::report).run(() -> new CoresLane()
                        .run(new Soak(nanos, seed + 1), tally));
            } catch (Throwable e) {
                report("cores: " + e);
            }
        });
    }

    private void soak(Soak soak, Path folder) throws Exception {
        Path socket = folder.resolve("soak");
        try (TcpServer tcp = TcpServer.listen("127.0.0.1", 0);
                PipeServer pipe = PipeServer.listen(socket)) {
            Map<String, Lane> lanes = new LinkedHashMap<>();
            lanes.put("channels", new ChannelLane());
            lanes.put("thread channels", new ThreadChannelLane());
            lanes.put("TCP", new StreamLane(() -> TcpStream.connect("127.0.0.1", tcp.port()), tcp::accept));
            lanes.put("pipes", new StreamLane(() -> Pipe.connect(socket), pipe::accept));
            lanes.put("UDP", new UdpLane());
            lanes.put("HTTP/1.1", new HttpLane(HttpClient.builder().http1Only(), 8));
            lanes.put("HTTP/2", new HttpLane(HttpClient.builder().http2Only(), 16));
            lanes.put("WebSocket", new WebSocketLane());
            lanes.put("pools", new PoolLane());
            lanes.put("JDBC", new JdbcLane());
            List<Coroutine<?>> all = new ArrayList<>();
            lanes.forEach((name, lane) -> {
                if (!ONLY.isEmpty() && !ONLY.equals(name)) return;
                Tally tally = tally(name);
                all.add(Async.spawn(name, () -> lane.run(soak, tally)));
            });
            for (int look = 1; look < LOOKS; look++) {
                while (!soak.isPast((double) look / LOOKS)) Async.delay(10);
                late = look(soak);
                if (early == null && soak.isPast(0.25)) early = late;
            }
            all.forEach(Coroutine::await);
        }
        Files.deleteIfExists(socket);
    }
}
