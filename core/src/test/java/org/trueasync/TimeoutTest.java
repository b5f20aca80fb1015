package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;

class TimeoutTest {
    private static final long MILLIS = 1_000_000;

    private static Coroutine<Integer> ends(long millis) {
        return spawn(() -> {
            delay(millis);
            return 1;
        });
    }

    @Test
    @Tag("A10")
    void notPositive_isRefused() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> timeout(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0");
            assertThatThrownBy(() -> timeout(-5))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-5");
            assertThatThrownBy(() -> timeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> timeout(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    @Tag("A10")
    void byItself_doesNothing() {
        TestRuntime ended = TestRuntime.run(() -> {
            Timeout t = timeout(50);
            assertThat(runtimeStats().timers()).isZero();
            assertThat(runtimeStats().activeEvents()).isZero();
            delay(100);
            assertThat(t.isCompleted()).isFalse();
            assertThat(t.length()).isEqualTo(Duration.ofMillis(50));
        });
        assertThat(ended.reactor().nanoTime()).isEqualTo(100 * MILLIS);
    }

    @Test
    @Tag("A10")
    @Tag("K37")
    void countsFromTheMomentOfTheWait() {
        TestRuntime.run(runtime -> {
            Timeout t = timeout(50);
            delay(1_000);
            assertThatThrownBy(() -> await(ends(100_000), t)).isInstanceOf(OperationCanceledException.class);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(1_050 * MILLIS);
            assertThat(t.isCompleted()).isTrue();
            assertThat(t.isCancelled()).isFalse();
        });
    }

    @Test
    @Tag("A10")
    void awaitedDirectly_throwsWithItsLength() {
        TestRuntime.run(runtime -> {
            Timeout t = timeout(50);
            assertThatThrownBy(() -> await(t))
                    .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> assertThat(e.after())
                            .isEqualTo(Duration.ofMillis(50)));
            assertThat(runtime.reactor().nanoTime()).isEqualTo(50 * MILLIS);
            // and again, at once
            assertThatThrownBy(() -> await(t)).isInstanceOf(AsyncTimeoutException.class);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(50 * MILLIS);
        });
    }

    @Test
    @Tag("A11")
    void loser_keepsNeitherTimerNorRunAlive() {
        TestRuntime ended = TestRuntime.run(() -> {
            Timeout t = timeout(60_000);
            assertThat(await(ends(5), t)).isEqualTo(1);
            assertThat(runtimeStats().timers()).isZero();
            assertThat(runtimeStats().activeEvents()).isZero();
            assertThat(((Event) t).hasCallbacks()).isFalse();
            assertThat(t.isCompleted()).isFalse();
        });
        assertThat(ended.reactor().nanoTime()).isEqualTo(5 * MILLIS);
    }

    @Test
    @Tag("A11")
    void loserUsedAgain_countsAnew() {
        TestRuntime.run(runtime -> {
            Timeout t = timeout(50);
            await(ends(40), t);
            await(ends(40), t);
            assertThatThrownBy(() -> await(ends(60_000), t)).isInstanceOf(OperationCanceledException.class);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(130 * MILLIS);
        });
    }

    @Test
    @Tag("A11")
    void cancel_isIdempotentAndCompletes() {
        TestRuntime.run(() -> {
            Timeout t = timeout(50);
            t.cancel();
            t.cancel();
            assertThat(t.isCompleted()).isTrue();
            assertThat(t.isCancelled()).isTrue();
            assertThatThrownBy(() -> await(t)).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    @Tag("A11")
    void cancelWhileItCounts_releasesTheTimerAndEndsTheWait() {
        TestRuntime ended = TestRuntime.run(() -> {
            Timeout t = timeout(60_000);
            Coroutine<?> c = spawn(() -> assertThatThrownBy(() -> await(t)).isInstanceOf(AsyncCancellation.class));
            suspend();
            assertThat(runtimeStats().timers()).isEqualTo(1);
            t.cancel();
            assertThat(runtimeStats().timers()).isZero();
            assertThat(runtimeStats().activeEvents()).isZero();
            await(c);
        });
        assertThat(ended.reactor().nanoTime()).isZero();
    }

    @Test
    @Tag("A11")
    void cancelAfterItFired_changesNothing() {
        TestRuntime.run(() -> {
            Timeout t = timeout(5);
            assertThatThrownBy(() -> await(t)).isInstanceOf(AsyncTimeoutException.class);
            t.cancel();
            assertThat(t.isCancelled()).isFalse();
            assertThatThrownBy(() -> await(t)).isInstanceOf(AsyncTimeoutException.class);
        });
    }

    @Test
    @Tag("A10")
    void sharedByTwoWaits_firesForBoth() {
        TestRuntime.run(runtime -> {
            var log = new ArrayList<Long>();
            Timeout t = timeout(50);
            for (int i = 0; i < 2; i++) {
                spawn(() -> {
                    assertThatThrownBy(() -> await(ends(1_000), t)).isInstanceOf(OperationCanceledException.class);
                    log.add(runtime.reactor().nanoTime() / MILLIS);
                });
            }
            delay(200);
            assertThat(log).containsExactly(50L, 50L);
        });
    }

    @Test
    @Tag("A11")
    void sharedByTwoWaitsAndOneEnds_goesOnForTheOther() {
        TestRuntime.run(runtime -> {
            Timeout t = timeout(50);
            Coroutine<?> quick = spawn(() -> await(ends(10), t));
            Coroutine<?> slow = spawn(() -> await(ends(1_000), t));
            await(quick);
            assertThatThrownBy(() -> await(slow)).isInstanceOf(OperationCanceledException.class);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(50 * MILLIS);
        });
    }

    @Test
    void toCompletableFuture_startsToCountAndFails() {
        TestRuntime.run(runtime -> {
            CompletableFuture<Void> future = timeout(50).toCompletableFuture();
            delay(100);
            assertThat(future).isCompletedExceptionally();
            assertThatThrownBy(future::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
        });
    }

    @Test
    @Tag("F71")
    void hugeDurations_neitherOverflowNorFire() {
        TestRuntime.run(runtime -> {
            for (Duration huge : new Duration[] {
                Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(365_000), Duration.ofNanos(Long.MAX_VALUE)
            }) {
                assertThat(await(ends(5), timeout(huge))).isEqualTo(1);
                Coroutine<?> sleeper = spawn(() -> delay(huge));
                delay(5);
                assertThat(sleeper.isCompleted()).isFalse();
                sleeper.cancel();
            }
            Coroutine<?> sleeper = spawn(() -> delay(Long.MAX_VALUE));
            delay(5);
            assertThat(sleeper.isCompleted()).isFalse();
            sleeper.cancel();
            assertThat(runtime.reactor().nanoTime()).isLessThan(1_000 * MILLIS);
        });
    }

    // ---- delay

    @Test
    @Tag("E17")
    @Tag("F70")
    void delay_countsFromTheCallAlsoAfterALongComputation() {
        TestRuntime.run(runtime -> {
            delay(1);
            runtime.reactor().advance(500 * MILLIS);
            long called = runtime.reactor().nanoTime();
            delay(10);
            assertThat(runtime.reactor().nanoTime() - called).isEqualTo(10 * MILLIS);
        });
    }

    @Test
    @Tag("E18")
    void delayOfZero_yieldsWithoutATimer() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            spawn(() -> {
                log.add("peer");
                assertThat(runtimeStats().timers()).isZero();
            });
            delay(0);
            log.add("main");
            delay(Duration.ZERO);
            assertThat(log).containsExactly("peer", "main");
        });
    }

    @Test
    @Tag("E18")
    void negativeDelay_isRefused() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> delay(-250))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-250");
            assertThatThrownBy(() -> delay(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    @Tag("E19")
    void delays_endInDeadlineOrderAndEqualOnesInArmingOrder() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            for (int millis : new int[] {30, 10, 20, 10, 30}) {
                int number = log.size();
                spawn(() -> {
                    delay(millis);
                    log.add(millis + "");
                });
                assertThat(number).isZero();
            }
        });
        assertThat(log).containsExactly("10", "10", "20", "30", "30");
    }

    @Test
    @Tag("F38")
    @Tag("F79")
    void futureOfATimeoutThatItsHolderCancels_stopsTheTimer() {
        TestRuntime.run(() -> {
            CompletableFuture<Void> held = Async.timeout(60_000).toCompletableFuture();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            held.cancel(true);
            Async.suspend();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }
}
