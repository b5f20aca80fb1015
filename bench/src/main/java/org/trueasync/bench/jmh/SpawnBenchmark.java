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
import org.trueasync.bench.workload.Coroutines;
import org.trueasync.bench.workload.Workloads;

/** Coroutines that never suspend: spawned a hundred thousand at a time, and one by one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SpawnBenchmark {

    private static final int COUNT = 100_000;

    @Param({"OURS", "FLOOR", "VIRTUAL_THREADS", "KOTLIN"})
    Peer peer;

    private Coroutines workload;

    @Setup
    public void load() {
        workload = Workloads.coroutines(peer);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long spawnAll() {
        return workload.spawnAll(COUNT);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long spawnOneByOne() {
        return workload.spawnOneByOne(COUNT);
    }
}
