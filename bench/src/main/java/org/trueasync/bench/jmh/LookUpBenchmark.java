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
import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.bench.Peer;
import org.trueasync.bench.workload.LookUp;
import org.trueasync.bench.workload.Workloads;

/** Looks up values that travel with the work. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LookUpBenchmark {

    private static final int COUNT = 10_000_000;

    @Param({"OURS", "VIRTUAL_THREADS"})
    Peer peer;

    @Param({"0", "8"})
    int levels;

    private LookUp workload;

    @Setup
    public void load() {
        workload = Workloads.lookUp(peer);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long lookUp(Blackhole results) {
        return workload.lookUps(levels, COUNT, results);
    }
}
