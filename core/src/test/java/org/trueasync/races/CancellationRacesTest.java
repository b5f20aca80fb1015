package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.RuntimeStats;
import org.trueasync.Timeout;
import org.trueasync.spi.Event;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.VirtualTime;

@Tag("sized")
class CancellationRacesTest {
    private static void requireNothingArmed() {
        RuntimeStats stats = Async.runtimeStats();
        assertThat(stats.activeEvents()).isZero();
        assertThat(stats.timers()).isZero();
    }

    private static void pauseAtRandom(RandomGenerator random) {
        switch (random.nextInt(4)) {
            case 0 -> {}
            case 1 -> Async.suspend();
            case 2 -> Async.delay(random.nextInt(2));
            default -> Async.await(Outside.completes(null));
        }
    }

    @Test
    @Tag("F30")
    void cancelledAroundItsStart_runsNothingOrIsCancelledInside() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            var reason = new AsyncCancellation("given");
            boolean[] began = {false};
            int[] told = {0};
            var late = new AtomicReference<Coroutine<String>>();
            if (random.nextBoolean()) Async.spawn(() -> late.get().cancel(reason));
            Coroutine<String> target = Async.spawn(() -> {
                began[0] = true;
                Async.await(new CompletableFuture<>());
                return "value";
            });
            late.set(target);
            target.onFinally(c -> told[0]++);
            Coroutine<?> awaiter = Async.spawn(() -> {
                try {
                    Async.await(target);
                    throw new AssertionError("ended with a value");
                } catch (AsyncCancellation e) {
                    assertThat(e).isSameAs(reason);
                    told[0]++;
                }
            });
            pauseAtRandom(random);
            boolean before = target.isStarted();
            boolean early = target.isCancellationRequested();
            target.cancel(reason);
            Async.await(awaiter);
            Async.suspend();
            Async.delay(1);
            assertThat(target.isCancelled()).isTrue();
            assertThat(told[0]).isEqualTo(2);
            if (!early) assertThat(began[0]).isEqualTo(before);
            assertThat(began[0]).isEqualTo(target.isStarted());
            requireNothingArmed();
        });
    }

    @Test
    @Tag("F31")
    void awaitersAreCancelled_theAwaitedGoesOnAndTheOthersGetItsValue() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            Coroutine<String> target = Async.spawn(() -> {
                pauseAtRandom(random);
                return Async.await(Outside.completes("value"));
            });
            var awaiters = new ArrayList<Coroutine<String>>();
            for (int i = 0; i < 4; i++) awaiters.add(Async.spawn(() -> Async.await(target)));
            var cancelled = awaiters.get(random.nextInt(4));
            Async.await(Outside.happens(() -> cancelled.cancel()));
            assertThat(Async.await(target)).isEqualTo("value");
            for (Coroutine<String> awaiter : awaiters) {
                try {
                    assertThat(Async.await(awaiter)).isEqualTo("value");
                } catch (AsyncCancellation e) {
                    assertThat(awaiter).isSameAs(cancelled);
                }
            }
            assertThat(((Event) target).hasCallbacks()).isFalse();
            requireNothingArmed();
        });
    }

    @Test
    @Tag("F32")
    void cancellationAndResultTogether_oneIsDeliveredAndNothingLeaksIntoTheNextWait() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            int[] cancellations = {0};
            int[] values = {0};
            Coroutine<?> waiter = Async.spawn(() -> {
                for (int i = 0; i < 4; i++) {
                    Completable<Integer> next = Outside.completes(i);
                    try {
                        assertThat(Async.await(next)).isEqualTo(i);
                        values[0]++;
                    } catch (AsyncCancellation e) {
                        assertThat(e).hasMessage("now");
                        cancellations[0]++;
                        assertThat(((Event) next).hasCallbacks()).isFalse();
                    }
                }
            });
            pauseAtRandom(random);
            Coroutine<?> canceller = Outside.happens(() -> waiter.cancel(new AsyncCancellation("now")));
            Async.await(canceller);
            try {
                Async.await(waiter);
            } catch (AsyncCancellation e) {
                // asked before it began, or after its last wait
                assertThat(cancellations[0]).isZero();
                assertThat(values[0]).isIn(0, 4);
                return;
            }
            assertThat(cancellations[0]).isLessThanOrEqualTo(1);
            assertThat(values[0] + cancellations[0]).isEqualTo(4);
            requireNothingArmed();
        });
    }

    @Test
    @Tag("F33")
    void cancelledAroundAProtectedSection_thrownOnceAndNeverInside() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            int[] inside = {0};
            int[] outside = {0};
            boolean[] sectionDone = {false};
            boolean[] ended = {false};
            boolean[] began = {false};
            Coroutine<?> worker = Async.spawn(() -> {
                began[0] = true;
                for (int i = 0; i < 3; i++) {
                    try {
                        pauseAtRandom(random);
                        Async.protect(() -> {
                            sectionDone[0] = false;
                            try {
                                Async.await(Outside.completes("step"));
                                pauseAtRandom(random);
                            } catch (AsyncCancellation e) {
                                inside[0]++;
                                throw e;
                            }
                            sectionDone[0] = true;
                        });
                        assertThat(sectionDone[0]).isTrue();
                    } catch (AsyncCancellation e) {
                        outside[0]++;
                    }
                }
                try {
                    Async.suspend(); // a wait after the last section
                } catch (AsyncCancellation e) {
                    outside[0]++;
                }
                ended[0] = true;
            });
            boolean[] inTime = {false};
            Coroutine<?> canceller = Outside.happens(() -> {
                inTime[0] = !ended[0];
                worker.cancel();
            });
            Async.await(canceller);
            try {
                Async.await(worker);
            } catch (AsyncCancellation e) {
                assertThat(began[0]).as("cancelled although it had caught it").isFalse();
            }
            assertThat(inside[0]).isZero();
            assertThat(outside[0]).isEqualTo(began[0] && inTime[0] ? 1 : 0);
            requireNothingArmed();
        });
    }

    @Test
    @Tag("F37")
    void waitWithAToken_theLoserIsLeftAtOnce() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            Completable<String> result = Outside.completes("value");
            Completable<Object> token =
                    random.nextBoolean() ? Outside.completes(null) : Outside.fails(new IllegalStateException("token"));
            pauseAtRandom(random);
            boolean settled = result.isCompleted();
            try {
                assertThat(Async.await(result, token)).isEqualTo("value");
                assertThat(result.isCompleted()).isTrue();
            } catch (OperationCanceledException e) {
                assertThat(settled).as("had ended before").isFalse();
                assertThat(token.isCompleted()).isTrue();
            }
            assertThat(((Event) result).hasCallbacks()).isFalse();
            assertThat(((Event) token).hasCallbacks()).isFalse();
            requireNothingArmed();
        });
    }

    @Test
    @Tag("F37")
    void failedCoroutineAsToken_isNeverAnUnobservedFailure() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            Coroutine<?> token = Async.spawn(() -> {
                pauseAtRandom(random);
                throw new IllegalStateException("token");
            });
            Completable<String> result = Outside.completes("value");
            pauseAtRandom(random);
            try {
                assertThat(Async.await(result, token)).isEqualTo("value");
            } catch (OperationCanceledException e) {
                assertThat(e).hasRootCauseMessage("token");
            }
        });
    }

    @Test
    @Tag("F38")
    void timeoutsOfWaitsThatEnded_areGoneAndDoNotKeepTheRun() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            var waiters = new ArrayList<Coroutine<?>>();
            int[] timeouts = {0};
            for (int i = 0; i < 3; i++) {
                waiters.add(Async.spawn(() -> {
                    Timeout timeout = Async.timeout(1_000_000);
                    try {
                        Async.await(Outside.completes("value"), timeout);
                    } catch (OperationCanceledException e) {
                        timeouts[0]++;
                    }
                    assertThat(((Event) timeout).isActive()).isFalse();
                    assertThat(((Event) timeout).hasCallbacks()).isFalse();
                }));
            }
            if (random.nextBoolean()) waiters.get(random.nextInt(3)).cancel();
            for (Coroutine<?> waiter : List.copyOf(waiters)) {
                try {
                    Async.await(waiter);
                } catch (AsyncCancellation e) {
                    assertThat(waiter.isCancelled()).isTrue();
                }
            }
            requireNothingArmed();
            // a value may come just before the time-out, which began a little after the run
            if (timeouts[0] == 0) assertThat(VirtualTime.elapsed()).isLessThan(Duration.ofSeconds(1_001));
        });
    }
}
