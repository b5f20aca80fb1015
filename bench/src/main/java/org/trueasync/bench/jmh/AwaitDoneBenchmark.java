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
import org.trueasync.bench.workload.AwaitDone;
import org.trueasync.bench.workload.Workloads;

/** Awaits a result that is complete already. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AwaitDoneBenchmark {

    private static final int COUNT = 10_000_000;

    @Param({"OURS", "FLOOR", "KOTLIN", "COMPLETABLE_FUTURE"})
    Peer peer;

    private AwaitDone workload;

    @Setup
    public void load() {
        workload = Workloads.awaitDone(peer);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long awaitDone(Blackhole results) {
        return workload.awaitDone(COUNT, results);
    }
}
