package org.trueasync.bench.jmh;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.trueasync.Async;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.InputOutputException;
import org.trueasync.bench.Peer;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;
import org.trueasync.testkit.simulation.Simulation;

/** What simulations are made of. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SimulationBenchmark {

    private static final int SWITCHES = 200_000;
    private static final int MESSAGES = 20_000;
    private static final int SEEDS = 50;
    private static final int PORT = 7_000;
    private static final int SIZE = 16;

    @Param({"OURS"})
    Peer peer;

    /** Two coroutines of one host. */
    @Benchmark
    @OperationsPerInvocation(SWITCHES)
    public void switches() {
        Simulation.replay(
                1,
                sim -> sim.client(() -> Async.awaitAllOrFail(List.of(
                        Async.spawn(SimulationBenchmark::switchOften),
                        Async.spawn(SimulationBenchmark::switchOften)))));
    }

    private static void switchOften() {
        for (int i = 0; i < SWITCHES / 2; i++) {
            Async.suspend();
        }
    }

    /** To another host and back. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void messages() {
        Simulation.replay(1, sim -> {
            sim.host("echo", SimulationBenchmark::echo);
            sim.client(() -> {
                try (var stream = TcpStream.connect("echo", PORT)) {
                    var buffer = ByteBuffer.allocate(SIZE);
                    for (int i = 0; i < MESSAGES / 2; i++) {
                        stream.write(buffer.clear());
                        stream.read(buffer.clear());
                    }
                }
            });
        });
    }

    private static void echo() {
        try (var stream = TcpServer.listen("0.0.0.0", PORT).accept()) {
            var buffer = ByteBuffer.allocate(SIZE);
            while (stream.read(buffer.clear()) >= 0) {
                stream.write(buffer.flip());
            }
        }
    }

    /** Three hosts, each of which tells the next one each second that it is there. */
    @Benchmark
    public void idleHour() {
        Simulation.replay(1, sim -> {
            sim.timeLimit(Duration.ofHours(2));
            for (int i = 0; i < 3; i++) {
                String next = "host" + (i + 1) % 3;
                sim.host("host" + i, () -> beat(next));
            }
            sim.client(() -> Async.delay(Duration.ofHours(1)));
        });
    }

    private static void beat(String next) {
        var server = TcpServer.listen("0.0.0.0", PORT);
        Async.spawn(() -> {
            try (var stream = server.accept()) {
                var buffer = ByteBuffer.allocate(SIZE);
                while (stream.read(buffer.clear()) >= 0) {
                    // only to take it
                }
            }
        });
        Async.delay(1);
        try (var stream = TcpStream.connect(next, PORT)) {
            while (true) {
                Async.delay(1_000);
                stream.write(ByteBuffer.allocate(1));
            }
        }
    }

    /** Ten requests to a server that loses its power now and then; for each seed. */
    @Benchmark
    @OperationsPerInvocation(SEEDS)
    public void seeds() {
        Simulation.explore(SEEDS, sim -> {
            sim.host("server", SimulationBenchmark::serve);
            sim.faults().kills().partitions();
            sim.client(() -> {
                for (int i = 0; i < 10; i++) {
                    request();
                    Async.delay(300);
                }
            });
        });
    }

    private static void serve() {
        var server = TcpServer.listen("0.0.0.0", PORT);
        while (true) {
            try (var stream = server.accept()) {
                stream.write(ByteBuffer.allocate(1));
            }
        }
    }

    private static void request() {
        try {
            Async.withTimeout(Duration.ofSeconds(1), () -> {
                try (var stream = TcpStream.connect("server", PORT)) {
                    stream.read(ByteBuffer.allocate(1));
                }
            });
        } catch (InputOutputException | AsyncTimeoutException lost) {
            // the next one
        }
    }
}
