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
import org.trueasync.bench.workload.Owned;
import org.trueasync.bench.workload.Workloads;

/** The cost of an owner for each of its members, and whether that grows with their number. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OwnedBenchmark {

    private static final int MEMBERS = 1_000_000;

    @Param({"OURS", "KOTLIN", "VIRTUAL_THREADS", "COMPLETABLE_FUTURE"})
    Peer peer;

    @Param({"1000", "100000", "1000000"})
    int count;

    private Owned workload;

    @Setup
    public void load() {
        workload = Workloads.owned(peer);
    }

    @Benchmark
    @OperationsPerInvocation(MEMBERS)
    public long group() {
        return workload.group(count, MEMBERS / count);
    }

    @Benchmark
    @OperationsPerInvocation(MEMBERS)
    public long scope() {
        return workload.scope(count, MEMBERS / count);
    }
}
