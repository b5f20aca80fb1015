package org.trueasync.internal.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

class WorkTest {
    private final List<Object> undone = new ArrayList<>();
    private final Workers workers = new Workers("test", 2);

    private static Loop here() {
        return Runtimes.here("test");
    }

    private static String blocked(CountDownLatch until, String value) throws InterruptedException {
        until.await();
        return value;
    }

    /** Runs the helper's side when the test says so. */
    private static final class ByHand implements Executor {
        final List<Runnable> tasks = new ArrayList<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }
    }

    @Test
    void value_reachesTheCoroutineWhileOthersRun() {
        TestRuntime.run(() -> {
            var open = new CountDownLatch(1);
            Coroutine<String> waiter =
                    Async.spawn(() -> Work.await(here(), workers, "test", () -> blocked(open, "x"), undone::add, null));
            Async.suspend();
            assertThat(waiter.isSuspended()).isTrue();
            assertThat(waiter.awaitingInfo()).containsExactly("test");
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            open.countDown();
            assertThat(Async.await(waiter)).isEqualTo("x");
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
        assertThat(undone).isEmpty();
    }

    @Test
    void errors_reachTheCoroutineAsTheyAre() {
        TestRuntime.run(() -> {
            var error = new IOException("no");
            assertThatThrownBy(() -> Work.await(
                            here(),
                            workers,
                            "test",
                            () -> {
                                throw error;
                            },
                            undone::add,
                            null))
                    .isSameAs(error);
        });
        assertThat(undone).isEmpty();
    }

    @Test
    @Tag("F35")
    @Tag("E40")
    void cancelledWhileTheCallBlocks_leavesAtOnceAndTheLateResultIsUndone() {
        TestRuntime.run(() -> {
            var open = new CountDownLatch(1);
            var begun = new CountDownLatch(1);
            Coroutine<String> waiter = Async.spawn(() -> Work.await(
                    here(),
                    workers,
                    "test",
                    () -> {
                        begun.countDown();
                        return blocked(open, "late");
                    },
                    undone::add,
                    null));
            Async.suspend();
            begun.await();
            waiter.cancel();
            assertThatThrownBy(() -> Async.await(waiter)).isInstanceOf(AsyncCancellation.class);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(undone).isEmpty();
            open.countDown();
            while (undone.isEmpty()) Async.delay(1);
            assertThat(undone).containsExactly("late");
        });
    }

    @Test
    @Tag("F32")
    void cancelledAfterTheResultCame_itIsUndoneOnce() {
        TestRuntime.run(() -> {
            var byHand = new ByHand();
            Coroutine<String> waiter =
                    Async.spawn(() -> Work.await(here(), byHand, "test", () -> "late", undone::add, null));
            Async.suspend();
            byHand.tasks.removeFirst().run();
            Async.currentCoroutine().asHighPriority();
            while (!waiter.isQueued()) Async.suspend();
            waiter.cancel();
            assertThatThrownBy(() -> Async.await(waiter)).isInstanceOf(AsyncCancellation.class);
            assertThat(undone).containsExactly("late");
        });
    }

    @Test
    void cancelledBeforeItBegan_theCallIsNotMade() {
        TestRuntime.run(() -> {
            var byHand = new ByHand();
            var calls = new AtomicInteger();
            Coroutine<Integer> waiter =
                    Async.spawn(() -> Work.await(here(), byHand, "test", calls::incrementAndGet, undone::add, null));
            Async.suspend();
            waiter.cancel();
            assertThatThrownBy(() -> Async.await(waiter)).isInstanceOf(AsyncCancellation.class);
            byHand.tasks.removeFirst().run();
            Async.delay(1);
            assertThat(calls).hasValue(0);
        });
        assertThat(undone).isEmpty();
    }

    @Test
    @Tag("F37")
    void tokenThatHasFired_theCallIsNotMadeAndTheTokenThatLosesIsLeft() {
        TestRuntime.run(() -> {
            var byHand = new ByHand();
            Coroutine<?> over = Async.spawn(() -> {});
            Async.await(over);
            assertThatThrownBy(() -> Work.await(here(), byHand, "test", () -> "x", undone::add, over))
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(byHand.tasks).isEmpty();

            var token = Async.timeout(3_600_000);
            Coroutine<String> waiter =
                    Async.spawn(() -> Work.await(here(), byHand, "test", () -> "x", undone::add, token));
            Async.suspend();
            byHand.tasks.removeFirst().run();
            assertThat(Async.await(waiter)).isEqualTo("x");
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    void failed_theWaiterLeavesWithThatError() {
        TestRuntime.run(() -> {
            var byHand = new ByHand();
            var work = new Work<String>(here(), byHand, "test", () -> "late", undone::add);
            Coroutine<String> waiter = Async.spawn(() -> work.await(null));
            Async.suspend();
            work.fail(new IllegalStateException("closed"));
            assertThatThrownBy(() -> Async.await(waiter)).hasMessage("closed");
            byHand.tasks.removeFirst().run();
            Async.delay(1);
        });
        assertThat(undone).isEmpty();
    }

    @Test
    void failedBeforeItBegan_isUnclaimedOnce() {
        TestRuntime.run(() -> {
            var unclaimed = new ArrayList<Object>();
            var work = new Work<String>(here(), new ByHand(), "test", () -> "never", undone::add) {
                @Override
                protected void unclaimed(String result) {
                    unclaimed.add(String.valueOf(result));
                }
            };
            work.fail(new IllegalStateException("closed"));
            assertThat(unclaimed).containsExactly("null");
            work.abandon();
            assertThat(unclaimed).hasSize(1);
        });
    }

    @Test
    void asEvent_severalWaitersGetTheOneOutcome() {
        TestRuntime.run(() -> {
            var calls = new AtomicInteger();
            var work = new Work<Integer>(here(), workers, "test", calls::incrementAndGet, null);
            var values = new ArrayList<Object>();
            List<Coroutine<?>> waiters = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                waiters.add(Async.spawn(() -> {
                    var waker = org.trueasync.spi.Waker.current();
                    waker.resumeWhen(work, org.trueasync.spi.ResumeCallback.RESOLVE);
                    values.add(waker.await());
                }));
            }
            for (Coroutine<?> waiter : waiters) Async.await(waiter);
            assertThat(values).containsExactly(1, 1, 1);
            assertThat(calls).hasValue(1);
        });
    }

    @Test
    @Tag("F11")
    void runEndedBeforeTheCall_theLateResultIsUndone() throws Exception {
        var open = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        TestRuntime.run(() -> {
            Callable<String> call = () -> {
                begun.countDown();
                return blocked(open, "late");
            };
            Coroutine<String> waiter =
                    Async.spawn(() -> Work.await(here(), workers, "test", call, late -> gone.countDown(), null));
            begun.await();
            waiter.cancel();
        });
        open.countDown();
        gone.await();
    }

    @Test
    @Tag("F32")
    @Tag("deep")
    void randomCancellations_eachResultIsTakenOrUndoneOnce() {
        TestRuntime.run(() -> {
            var random = ThreadLocalRandom.current();
            var made = new AtomicInteger();
            int[] taken = {0};
            var back = new AtomicInteger();
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                int nanos = random.nextInt(20_000);
                all.add(Async.spawn(() -> {
                    Work.await(
                            here(),
                            workers,
                            "test",
                            () -> {
                                LockSupport.parkNanos(nanos);
                                return made.incrementAndGet();
                            },
                            late -> back.incrementAndGet(),
                            null);
                    taken[0]++;
                }));
                if (random.nextInt(3) == 0) Async.suspend();
                if (random.nextInt(2) == 0) all.get(random.nextInt(all.size())).cancel();
            }
            for (Coroutine<?> one : all) {
                try {
                    Async.await(one);
                } catch (AsyncCancellation e) {
                    // half of them
                }
            }
            while (taken[0] + back.get() < made.get()) Async.delay(1);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            // a call whose caller left long ago may end just now
            assertThat(taken[0] + back.get()).isLessThanOrEqualTo(made.get());
        });
    }
}
