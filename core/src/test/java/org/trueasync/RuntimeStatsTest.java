package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

@Tag("U13")
class RuntimeStatsTest {
    private static void assertStates(int notBegun, int running, int suspended, int completed) {
        RuntimeStats stats = runtimeStats();
        assertThat(stats.notBegun()).as("not begun").isEqualTo(notBegun);
        assertThat(stats.running()).as("running").isEqualTo(running);
        assertThat(stats.suspended()).as("suspended").isEqualTo(suspended);
        assertThat(stats.completed()).as("completed").isEqualTo(completed);
        assertThat(stats.coroutines()).isEqualTo(notBegun + running + suspended);
    }

    @Test
    void coroutines_areCountedByState() {
        TestRuntime.run(() -> {
            assertStates(0, 1, 0, 0);
            spawn(() -> {});
            spawn(() -> delay(10));
            assertStates(2, 1, 0, 0);
            suspend();
            assertStates(0, 1, 1, 1);
            delay(20);
            assertStates(0, 1, 0, 2);
        });
    }

    @Test
    void coroutineThatIsCancelledBeforeItBegins_isCountedAsCompleted() {
        TestRuntime.run(() -> {
            Coroutine<?> unstarted = spawn(() -> {});
            unstarted.cancel();
            assertStates(1, 1, 0, 0);
            suspend();
            assertStates(0, 1, 0, 1);
        });
    }

    @Test
    void reading_changesNothing() {
        TestRuntime.run(() -> {
            spawn(() -> delay(10));
            assertThat(runtimeStats()).isEqualTo(runtimeStats());
        });
    }
}
