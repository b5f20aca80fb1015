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

/** One suspension and one resumption, among two coroutines and among a thousand. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SwitchBenchmark {

    private static final int SWITCHES = 1_000_000;

    @Param({"OURS", "FLOOR", "VIRTUAL_THREADS", "KOTLIN"})
    Peer peer;

    @Param({"2", "1000"})
    int coroutines;

    private Coroutines workload;

    @Setup
    public void load() {
        workload = Workloads.coroutines(peer);
    }

    @Benchmark
    @OperationsPerInvocation(SWITCHES)
    public long switches() {
        return workload.switches(coroutines, SWITCHES / coroutines);
    }
}
