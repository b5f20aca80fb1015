package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.trueasync.Cores;
import org.trueasync.Latch;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.testkit.TestRuntime;

/** Who monitors all runtimes of the process. */
class RuntimeMonitorTest {
    private final Map<String, RuntimeMonitor> running = new ConcurrentHashMap<>();
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Other tests have runtimes too, beside this one. */
    private Cleanup.Registration watch() {
        return RuntimeMonitor.watchAll(runtime -> {
            String name = runtime.name();
            if (!name.startsWith("monitored")) return () -> {};
            running.put(name, runtime);
            log.add(name + " began");
            return () -> log.add(name + " ended");
        });
    }

    private static TestRuntime runtime(String name) {
        return new TestRuntime(builder -> builder.name(name));
    }

    @Test
    void observer_isToldOfRunsThatBegin_andOfTheirEnds() {
        try (var watch = watch()) {
            runtime("monitored").start(() -> assertThat(log).containsExactly("monitored began"));
            assertThat(log).containsExactly("monitored began", "monitored ended");
        }
        assertThat(log).hasSize(2);
    }

    @Test
    void observerThatComesAndGoesDuringARun_isToldOfIt_once() {
        runtime("monitored").start(() -> {
            try (var watch = watch()) {
                assertThat(log).containsExactly("monitored began");
                watch.close();
            }
            assertThat(log).containsExactly("monitored began", "monitored ended");
        });
        assertThat(log).hasSize(2);
    }

    @Test
    void stats_areReadWithoutTheLoop() throws Exception {
        try (var watch = watch()) {
            runtime("monitored").start(() -> {
                var gate = new Latch(1);
                spawn(() -> gate.await());
                delay(1);
                List<RuntimeStats> read = new ArrayList<>();
                Thread reader = Thread.ofPlatform()
                        .start(() -> read.add(running.get("monitored").stats()));
                while (reader.isAlive()) Thread.onSpinWait(); // holds the loop
                RuntimeStats stats = read.getFirst();
                assertThat(stats.coroutines()).isEqualTo(2);
                assertThat(stats.running()).isEqualTo(1);
                assertThat(stats.suspended()).isEqualTo(1);
                assertThat(stats.spawned()).isEqualTo(2);
                gate.countDown();
            });
        }
    }

    @Test
    void coresAreTold_andThreadsAreNot() {
        try (var watch = watch()) {
            runtime("monitored").start(() -> {
                await(spawnThread(() -> 1));
                Cores.builder().count(2).run(() -> delay(1));
            });
        }
        assertThat(log)
                .contains("monitored-core-1 began", "monitored-core-1 ended")
                .noneMatch(line -> line.contains("thread"));
    }

    @Test
    void observerThatThrows_isReported_andTheRunGoesOn() {
        List<String> reports = new CopyOnWriteArrayList<>();
        try (var watch = RuntimeMonitor.watchAll(runtime -> {
            if (runtime.name().equals("monitored-badly")) throw new IllegalStateException("no meters");
            return () -> {};
        })) {
            new TestRuntime(builder -> builder.name("monitored-badly").diagnostics(reports::add)).start(() -> delay(1));
        }
        assertThat(reports)
                .containsExactly(
                        "A monitor of runtime 'monitored-badly' failed: java.lang.IllegalStateException: no meters");
    }
}
