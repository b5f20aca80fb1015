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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.bench.Peer;
import org.trueasync.bench.workload.Pools;
import org.trueasync.bench.workload.Workloads;

/** A resource is taken and given back: by one user, and by many users that wait for each other. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PoolBenchmark {

    private static final int ALONE = 5_000_000;
    private static final int USERS = 1_000;
    private static final int EACH = 200;

    @Param({"OURS", "FLOOR", "HIKARI", "COMMONS_POOL", "STORMPOT", "VIBUR"})
    Peer peer;

    private Pools pools;

    @Setup
    public void fill() {
        pools = Workloads.pools(peer);
    }

    @TearDown
    public void close() {
        pools.close();
    }

    @Benchmark
    @OperationsPerInvocation(ALONE)
    public long uncontended(Blackhole uses) {
        return pools.uncontended(ALONE, uses);
    }

    @Benchmark
    @OperationsPerInvocation(USERS * EACH)
    public long contended() {
        return pools.contended(USERS, EACH);
    }
}
