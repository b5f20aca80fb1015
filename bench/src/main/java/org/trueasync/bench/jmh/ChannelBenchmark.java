package org.trueasync.bench.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.trueasync.bench.Peer;
import org.trueasync.bench.workload.Channels;
import org.trueasync.bench.workload.Workloads;

/** Sends values from one coroutine to another. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ChannelBenchmark {

    private static final int ITEMS = 1_000_000;

    @Param({"OURS", "FLOOR", "VIRTUAL_THREADS", "KOTLIN", "JOX"})
    Peer peer;

    private Channels workload;

    @Setup
    public void load() {
        workload = Workloads.channels(peer);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public long rendezvous() {
        return workload.rendezvous(ITEMS);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public long pingPong() {
        return workload.pingPong(ITEMS);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public long buffered() {
        return workload.buffered(ITEMS, 64);
    }
}
