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
import org.trueasync.bench.workload.AwaitMany;
import org.trueasync.bench.workload.Workloads;

/**
 * A wait for many coroutines, and many waits with one token: what each coroutine or wait costs, and whether that grows
 * with their number.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AwaitManyBenchmark {

    private static final int AWAITED = 100_000;

    @Param({"OURS", "KOTLIN", "COMPLETABLE_FUTURE"})
    Peer peer;

    @Param({"100", "1000", "10000"})
    int count;

    private AwaitMany workload;

    @Setup
    public void load() {
        workload = Workloads.awaitMany(peer);
    }

    @Benchmark
    @OperationsPerInvocation(AWAITED)
    public long awaitAll() {
        return workload.awaitAll(count, AWAITED / count);
    }

    @Benchmark
    @OperationsPerInvocation(AWAITED)
    public long sharedToken() {
        return workload.sharedToken(count, AWAITED / count);
    }
}
