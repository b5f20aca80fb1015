package org.trueasync;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;

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
    void utilisation_isTheTimeThatTheLoopDidNotWait() {
        TestRuntime.run(runtime -> {
            runtime.reactor().advance(SECONDS.toNanos(2));
            assertLoad(1, 2_000);
            delay(2_000);
            assertLoad(0.5, 1_000);
            delay(20_000);
            assertLoad(0, 0);
            assertThat(runtimeStats().heldMillis()).isEqualTo(2_000);
            assertThat(runtimeStats().holds()).isEqualTo(1);
        });
    }

    @Test
    void lag_isHowLongTheOthersTakeTogether() {
        TestRuntime.run(runtime -> {
            for (int i = 0; i < 4; i++) spawn(() -> computes(runtime));
            computes(runtime);
            RuntimeStats stats = runtimeStats();
            assertThat(stats.utilisation()).isEqualTo(1);
            // a round ends with a poll, which there is after every second turn
            assertThat(stats.lagMillis()).isBetween(500.0, 700.0);
        });
    }

    /** It is no wait, although the reactor's turn has called it. */
    @Test
    void codeThatATimerRuns_countsAsBusy() {
        TestRuntime.run(runtime -> {
            TimerEvent timer = SchedulerProvider.get().timers().oneShot(Duration.ofSeconds(2));
            timer.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                    runtime.reactor().advance(SECONDS.toNanos(2));
                }
            });
            timer.start();
            delay(2_000);
            assertLoad(0.5, 1_000);
        });
    }

    private static void computes(TestRuntime runtime) {
        for (int i = 0; i < 50; i++) {
            runtime.reactor().advance(MILLISECONDS.toNanos(100));
            suspend();
        }
    }

    private static void assertLoad(double utilisation, double lagMillis) {
        RuntimeStats stats = runtimeStats();
        assertThat(stats.utilisation()).isCloseTo(utilisation, within(0.001));
        assertThat(stats.lagMillis()).isCloseTo(lagMillis, within(1.0));
    }

    @Test
    void reading_changesNothing() {
        TestRuntime.run(() -> {
            spawn(() -> delay(10));
            assertThat(runtimeStats()).isEqualTo(runtimeStats());
        });
    }
}
