package org.trueasync.bench.jmh;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
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
import org.trueasync.Async;
import org.trueasync.bench.Peer;
import org.trueasync.micrometer.TrueAsyncMetrics;

/**
 * The text for Prometheus of one runtime's meters: made by a coroutine of the runtime, by a virtual thread, and by a
 * platform thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScrapeBenchmark {

    private static final int COUNT = 1_000;

    @Param({"OURS", "VIRTUAL_THREADS", "PLATFORM_THREADS"})
    Peer peer;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final TrueAsyncMetrics metrics = new TrueAsyncMetrics();

    @Setup
    public void bind() {
        metrics.bindTo(registry);
    }

    @TearDown
    public void close() {
        metrics.close();
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void scrapes(Blackhole texts) {
        Async.run(() -> {
            switch (peer) {
                case OURS -> scrapeEach(texts);
                case VIRTUAL_THREADS ->
                    Async.blocking(() -> {
                        Thread.startVirtualThread(() -> scrapeEach(texts)).join();
                    });
                case PLATFORM_THREADS -> Async.blocking(() -> scrapeEach(texts));
                default -> throw new IllegalStateException(peer.title);
            }
        });
    }

    private void scrapeEach(Blackhole texts) {
        for (int i = 0; i < COUNT; i++) {
            texts.consume(registry.scrape());
        }
    }
}
