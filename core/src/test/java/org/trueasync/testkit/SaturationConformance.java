package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.RuntimeStats;

/** Handlers that compute, each for less than the limit for holds, saturate a loop. */
public abstract class SaturationConformance {
    private static final int HANDLERS = 8;
    private static final Duration TURN = Duration.ofMillis(30);

    private final ReactorKit kit;
    private final List<String> reports = new CopyOnWriteArrayList<>();

    protected SaturationConformance(ReactorKit kit) {
        this.kit = kit;
    }

    @Test
    @Tag("deep")
    @Tag("E42")
    @Tag("U13")
    void computingHandlers_areNamedWithTheirShare_andTheStatsTell() {
        var stats = new RuntimeStats[2];
        double[] share = {0};
        long carrier = Thread.currentThread().threadId();
        var runtime = Async.runtime()
                .reactor(kit::create)
                .name("test")
                .heldLoopAfter(Duration.ofSeconds(5))
                .diagnostics(reports::add)
                .build();
        runtime.run(() -> {
            delay(2_000);
            stats[0] = runtimeStats();
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long begin = System.nanoTime();
            long used = threads.getThreadCpuTime(carrier);
            long limit = begin + TimeUnit.SECONDS.toNanos(20);
            for (int i = 0; i < HANDLERS; i++)
                spawn(() -> {
                    while (reports.isEmpty() && System.nanoTime() < limit) {
                        delay(10);
                        hash();
                    }
                });
            while (reports.isEmpty() && System.nanoTime() < limit) delay(100);
            share[0] = (double) (threads.getThreadCpuTime(carrier) - used) / (System.nanoTime() - begin);
            stats[1] = runtimeStats();
            return null;
        });
        assertThat(stats[0].utilisation()).isLessThan(0.5);
        assertThat(stats[1].utilisation()).isGreaterThan(0.5);
        assertThat(stats[1].lagMillis()).isGreaterThan(stats[0].lagMillis()).isGreaterThan(50);
        // a loop that does not get a processor is not called saturated
        if (reports.isEmpty()) assumeThat(share[0]).as("share of a processor").isGreaterThan(0.8);
        assertThat(reports)
                .singleElement()
                .asString()
                .contains(
                        "Loop 'test' is saturated: busy for ",
                        " %  " + getClass().getSuperclass().getName() + ".hash(");
    }

    private static void hash() {
        long end = System.nanoTime() + TURN.toNanos();
        while (System.nanoTime() < end) Thread.onSpinWait();
    }
}
