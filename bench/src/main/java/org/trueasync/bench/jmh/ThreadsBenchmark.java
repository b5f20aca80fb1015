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
import org.trueasync.bench.workload.Threads;
import org.trueasync.bench.workload.Workloads;

/** Tasks for a pool of two threads, and values between two threads; wall time on as many processors as there are. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ThreadsBenchmark {

    private static final int TASKS = 100_000;
    private static final int ONE_BY_ONE = 10_000;
    private static final int VALUES = 200_000;

    @Param({"OURS", "PLATFORM_THREADS"})
    Peer peer;

    private Threads workload;

    @Setup
    public void load() {
        workload = Workloads.threads(peer);
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public long submitThousand() {
        return workload.submit(TASKS, 1_000);
    }

    @Benchmark
    @OperationsPerInvocation(ONE_BY_ONE)
    public long submitOne() {
        return workload.submit(ONE_BY_ONE, 1);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public long exchange() {
        return workload.exchange(VALUES, 64);
    }
}
