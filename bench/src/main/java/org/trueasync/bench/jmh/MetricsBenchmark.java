package org.trueasync.bench.jmh;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.trueasync.bench.Peer;
import org.trueasync.bench.workload.Coroutines;
import org.trueasync.bench.workload.Workloads;
import org.trueasync.micrometer.TrueAsyncMetrics;

/** What a program loses by the meters of its runtime: scraped, not scraped, and without them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MetricsBenchmark {

    /*
     * Each call is a run of its own, whose meters are made at its beginning. So many that this is no part of what one
     * operation costs.
     */
    private static final int SWITCHES = 5_000_000;
    private static final int SPAWNS = 1_000_000;

    /** Short enough that each iteration has some. */
    private static final long SCRAPE_MILLIS = 100;

    @Param({"OURS", "OURS_UNSCRAPED", "OURS_UNMETERED"})
    Peer peer;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final TrueAsyncMetrics metrics = new TrueAsyncMetrics();
    private final AtomicInteger scrapesOfARun = new AtomicInteger();
    private Coroutines workload;
    private ScheduledExecutorService monitor;

    @Setup
    public void beginToMonitor() {
        workload = Workloads.coroutines(Peer.OURS);
        monitor = Executors.newSingleThreadScheduledExecutor();
        if (peer != Peer.OURS_UNMETERED) {
            metrics.bindTo(registry);
        }
        if (peer == Peer.OURS) {
            monitor.scheduleAtFixedRate(this::scrape, SCRAPE_MILLIS, SCRAPE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void scrape() {
        if (registry.scrape().contains("trueasync_switches_total")) {
            scrapesOfARun.incrementAndGet();
        }
    }

    @TearDown
    public void endToMonitor() {
        monitor.shutdownNow();
        metrics.close();
        if (peer == Peer.OURS && scrapesOfARun.get() == 0) {
            throw new IllegalStateException("no scrape has found the runtime");
        }
    }

    @Benchmark
    @OperationsPerInvocation(SWITCHES)
    public long switches() {
        return workload.switches(2, SWITCHES / 2);
    }

    @Benchmark
    @OperationsPerInvocation(SPAWNS)
    public long spawnOneByOne() {
        return workload.spawnOneByOne(SPAWNS);
    }
}
