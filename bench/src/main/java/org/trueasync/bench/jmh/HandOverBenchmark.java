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
import org.trueasync.bench.workload.HandOvers;
import org.trueasync.bench.workload.Workloads;

/** Hands a task to another core and awaits it. Wall time on as many processors as there are. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandOverBenchmark {

    private static final int COUNT = 20_000;

    @Param({"OURS", "FLOOR"})
    Peer peer;

    private HandOvers workload;

    @Setup
    public void load() {
        workload = Workloads.handOvers(peer);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long thereAndBack() {
        return workload.thereAndBack(COUNT);
    }
}
