package org.trueasync.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.trueasync.Body;
import org.trueasync.Cores;
import org.trueasync.Latch;
import org.trueasync.internal.testkit.TestRuntime;

/** Each meter of a runtime tells what happens there. */
class TrueAsyncMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** Other tests have runtimes too: each of these has a name of its own. */
    private static void run(String name, Body main) {
        new TestRuntime(builder -> builder.name(name)).start(main);
    }

    private double gauge(String runtime, String name, String... tags) {
        return registry.get(name).tag("runtime", runtime).tags(tags).gauge().value();
    }

    private double count(String runtime, String name, String... tags) {
        return registry.get(name)
                .tag("runtime", runtime)
                .tags(tags)
                .functionCounter()
                .count();
    }

    private long metersOf(String runtime) {
        return registry.getMeters().stream()
                .filter(meter -> runtime.equals(meter.getId().getTag("runtime")))
                .count();
    }

    @Test
    void coroutines_areCountedByState() {
        try (var metrics = new TrueAsyncMetrics()) {
            metrics.bindTo(registry);
            run("states", () -> {
                var gate = new Latch(1);
                var lock = new Object();
                assertThat(gauge("states", "trueasync.coroutines", "state", "running"))
                        .isEqualTo(1);
                spawn(() -> gate.await());
                spawn(() -> {
                    synchronized (lock) {
                        lock.wait();
                    }
                });
                assertThat(gauge("states", "trueasync.coroutines", "state", "not-begun"))
                        .isEqualTo(2);
                assertThat(gauge("states", "trueasync.coroutines.queued")).isEqualTo(2);
                suspend();
                assertThat(gauge("states", "trueasync.coroutines", "state", "not-begun"))
                        .isZero();
                assertThat(gauge("states", "trueasync.coroutines", "state", "suspended"))
                        .isEqualTo(1);
                assertThat(gauge("states", "trueasync.coroutines", "state", "blocked"))
                        .isEqualTo(1);
                assertThat(count("states", "trueasync.coroutines.spawned")).isEqualTo(3);
                assertThat(count("states", "trueasync.coroutines.completed")).isZero();
                gate.countDown();
                synchronized (lock) {
                    lock.notifyAll();
                }
                // a thread of the JDK's wakes the one of the two that waits for the lock
                while (count("states", "trueasync.coroutines.completed") < 2) delay(1);
                assertThat(gauge("states", "trueasync.contexts.idle")).isPositive();
                assertThat(count("states", "trueasync.contexts.made")).isPositive();
            });
        }
    }

    @Test
    void switchesTurnsAndReusedStacks_areCounted() {
        try (var metrics = new TrueAsyncMetrics()) {
            metrics.bindTo(registry);
            run("switches", () -> {
                double direct = count("switches", "trueasync.switches", "by", "direct");
                double scheduler = count("switches", "trueasync.switches", "by", "scheduler");
                double turns = count("switches", "trueasync.loop.turns");
                double reused = count("switches", "trueasync.contexts.reused");
                for (int i = 0; i < 3; i++) spawn(() -> {});
                suspend();
                assertThat(count("switches", "trueasync.contexts.reused") - reused)
                        .isPositive();
                assertThat(count("switches", "trueasync.switches", "by", "direct") - direct)
                        .isPositive();
                delay(1);
                assertThat(count("switches", "trueasync.switches", "by", "scheduler") - scheduler)
                        .isPositive();
                assertThat(count("switches", "trueasync.loop.turns") - turns).isPositive();
            });
        }
    }

    @Test
    void load_isToldInTheRegistrysUnit() {
        try (var metrics = new TrueAsyncMetrics()) {
            metrics.bindTo(registry);
            var runtime = new TestRuntime(builder -> builder.name("load"));
            runtime.start(() -> {
                runtime.reactor().advance(TimeUnit.SECONDS.toNanos(2));
                assertThat(gauge("load", "trueasync.loop.utilisation")).isEqualTo(1);
                var lag = registry.get("trueasync.loop.lag")
                        .tag("runtime", "load")
                        .timeGauge();
                assertThat(lag.value(TimeUnit.SECONDS)).isCloseTo(2, within(0.01));
                delay(2_000);
                assertThat(gauge("load", "trueasync.loop.utilisation")).isCloseTo(0.5, within(0.01));
                var held = registry.get("trueasync.loop.held")
                        .tag("runtime", "load")
                        .functionTimer();
                assertThat(held.count()).isEqualTo(1);
                assertThat(held.totalTime(TimeUnit.SECONDS)).isCloseTo(2, within(0.01));
            });
        }
    }

    @Test
    void timersAndEvents_areThoseOfNow() {
        try (var metrics = new TrueAsyncMetrics()) {
            metrics.bindTo(registry);
            run("timers", () -> {
                var sleeper = spawn(() -> delay(1_000));
                suspend();
                assertThat(gauge("timers", "trueasync.timers")).isEqualTo(1);
                assertThat(gauge("timers", "trueasync.events")).isEqualTo(1);
                assertThat(gauge("timers", "trueasync.handles")).isZero();
                sleeper.cancel();
                delay(0);
                assertThat(gauge("timers", "trueasync.timers")).isZero();
            });
        }
    }

    @Test
    void metersOfARuntime_goAtItsEnd() {
        try (var metrics = new TrueAsyncMetrics(Tags.of("application", "shop"))) {
            metrics.bindTo(registry);
            assertThat(metersOf("short")).isZero();
            run("short", () -> {
                assertThat(metersOf("short")).isGreaterThan(10);
                assertThat(registry.get("trueasync.timers")
                                .tag("runtime", "short")
                                .gauge()
                                .getId()
                                .getTag("application"))
                        .isEqualTo("shop");
            });
            assertThat(metersOf("short")).isZero();
        }
    }

    @Test
    void binderThatIsBoundDuringARun_seesIt_untilItIsClosed() {
        run("late", () -> {
            try (var metrics = new TrueAsyncMetrics()) {
                metrics.bindTo(registry);
                assertThat(metersOf("late")).isGreaterThan(10);
                metrics.close();
                assertThat(metersOf("late")).isZero();
            }
        });
        run("late", () -> assertThat(metersOf("late")).isZero());
    }

    @Test
    void runtimesOfOneName_areTold_apart() {
        try (var metrics = new TrueAsyncMetrics()) {
            metrics.bindTo(registry);
            run(
                    "same",
                    () -> blocking(() -> run("same", () -> {
                        // the other one suspends after it has handed this to a thread
                        while (gauge("same", "trueasync.coroutines", "state", "suspended") != 1) delay(1);
                        assertThat(gauge("same-2", "trueasync.coroutines", "state", "running"))
                                .isEqualTo(1);
                    })));
            run("same", () -> assertThat(gauge("same", "trueasync.coroutines", "state", "running"))
                    .isEqualTo(1));
        }
    }

    @Test
    void cores_haveMetersEach() {
        try (var metrics = new TrueAsyncMetrics()) {
            metrics.bindTo(registry);
            run("home", () -> Cores.builder().count(2).run(() -> {
                if (Cores.current().index() == 1)
                    assertThat(gauge("home-core-1", "trueasync.coroutines", "state", "running"))
                            .isEqualTo(1);
            }));
        }
    }

    @Test
    void heldLoop_isRead_andPrometheusTakesAllMeters() {
        var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (var metrics = new TrueAsyncMetrics()) {
            metrics.bindTo(prometheus);
            run("scraped", () -> {
                var gate = new Latch(1);
                spawn(() -> gate.await());
                delay(1);
                var scrape = new FutureTask<>(prometheus::scrape);
                Thread.ofPlatform().daemon().start(scrape);
                while (!scrape.isDone()) Thread.onSpinWait();
                assertThat(scrape.get())
                        .contains("trueasync_coroutines{runtime=\"scraped\",state=\"running\"} 1.0")
                        .contains("trueasync_coroutines{runtime=\"scraped\",state=\"suspended\"} 1.0")
                        .contains("trueasync_coroutines_spawned_total{runtime=\"scraped\"} 2.0")
                        .contains("trueasync_loop_lag_seconds{runtime=\"scraped\"} ")
                        .contains("trueasync_loop_held_seconds_count{runtime=\"scraped\"} ")
                        .contains("trueasync_loop_held_seconds_sum{runtime=\"scraped\"} ")
                        .contains("trueasync_loop_utilisation{runtime=\"scraped\"} ")
                        .contains("trueasync_switches_total{by=\"direct\",runtime=\"scraped\"} ");
                gate.countDown();
            });
            assertThat(prometheus.scrape()).doesNotContain("scraped");
        }
    }

    @Test
    void reading_costsTheLoopNothing() {
        try (var metrics = new TrueAsyncMetrics()) {
            metrics.bindTo(registry);
            run("quiet", () -> {
                double turns = count("quiet", "trueasync.loop.turns");
                double switches = count("quiet", "trueasync.switches", "by", "scheduler");
                registry.getMeters().forEach(meter -> meter.measure().forEach(value -> value.getValue()));
                assertThat(count("quiet", "trueasync.loop.turns")).isEqualTo(turns);
                assertThat(count("quiet", "trueasync.switches", "by", "scheduler"))
                        .isEqualTo(switches);
            });
        }
    }
}
