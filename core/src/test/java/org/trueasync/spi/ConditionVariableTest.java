package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.Mutex;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * What an author of extensions can build on the public interfaces alone: a condition variable, with the promises of the
 * library's own primitives.
 */
class ConditionVariableTest {
    private Mutex mutex;
    private ConditionVariable changed;
    private final List<Object> seen = new ArrayList<>();

    /** A mutex belongs to the runtime in which it was made. */
    private void run(Body test) {
        TestRuntime.run(() -> {
            mutex = new Mutex();
            changed = new ConditionVariable(mutex);
            test.run();
        });
    }

    private Coroutine<?> waiter(Object name) {
        return spawn(() -> mutex.withLock(() -> {
            changed.await();
            assertThat(mutex.isLocked()).isTrue();
            seen.add(name);
        }));
    }

    private void signal() {
        mutex.withLock(() -> changed.signal());
    }

    @Test
    void signals_goToTheOneThatHasWaitedLongest() {
        run(() -> {
            for (int i = 0; i < 4; i++) waiter(i);
            delay(1);
            assertThat(mutex.isLocked()).isFalse();
            signal();
            delay(1);
            assertThat(seen).containsExactly(0);
            mutex.withLock(() -> changed.signalAll());
            delay(1);
            assertThat(seen).containsExactly(0, 1, 2, 3);
            signal(); // nobody waits: it is for nobody
            waiter("late");
            delay(1);
            assertThat(seen).hasSize(4);
            signal();
        });
        assertThat(seen).containsExactly(0, 1, 2, 3, "late");
    }

    @Test
    void wokenWaiter_comesBackWithTheMutexHeld() {
        run(() -> {
            Coroutine<?> waiter = waiter("waiter");
            delay(1);
            mutex.lock();
            changed.signal();
            delay(1);
            assertThat(waiter.isCompleted()).isFalse();
            seen.add("unlock");
            mutex.unlock();
            await(waiter);
        });
        assertThat(seen).containsExactly("unlock", "waiter");
    }

    @Test
    void cancelledWaiter_leavesTheQueueAndTheMutexFree() {
        run(() -> {
            Coroutine<?> leaves = waiter("leaves");
            Coroutine<?> stays = waiter("stays");
            delay(1);
            leaves.cancel();
            assertThatThrownBy(() -> await(leaves)).isInstanceOf(AsyncCancellation.class);
            assertThat(mutex.isLocked()).isFalse();
            assertThat(changed.waiting()).isEqualTo(1);
            signal();
            await(stays);
        });
        assertThat(seen).containsExactly("stays");
    }

    @Test
    void signalThatMeetsACancelledWaiter_goesToTheNext() {
        run(() -> {
            Coroutine<?> leaves = waiter("leaves");
            Coroutine<?> next = waiter("next");
            delay(1);
            leaves.cancel(); // queued, and has not run yet
            changed.signal();
            await(next);
            assertThat(leaves.isCancelled()).isTrue();
            assertThat(changed.waiting()).isZero();
        });
        assertThat(seen).containsExactly("next");
    }

    @Test
    void signalledWaiterThatIsCancelledBeforeItRuns_handsTheSignalOn() {
        run(() -> {
            Coroutine<?> waiter = waiter("first");
            Coroutine<?> next = waiter("next");
            delay(1);
            changed.signal();
            waiter.cancel();
            awaitAll(List.of(waiter, next));
            assertThat(waiter.isCancelled()).isTrue();
            assertThat(changed.waiting()).isZero();
        });
        assertThat(seen).containsExactly("next");
    }

    @Test
    void nobodySignals_isADeadlockThatNamesTheCondition() {
        assertThat(TestRuntime.failureOf(() -> {
                    mutex = new Mutex();
                    changed = new ConditionVariable(mutex);
                    mutex.withLock(() -> changed.await());
                }))
                .isInstanceOf(DeadlockError.class)
                .hasMessageContaining("condition");
    }

    /** A bounded buffer with two conditions: each item once, in order of each producer, whoever is cancelled when. */
    @Test
    void boundedBuffer_losesNothingWhoeverIsCancelled() {
        var random = new Random(42);
        for (int round = 0; round < 50; round++) {
            var buffer = new ArrayDeque<Integer>();
            var taken = new ArrayList<Integer>();
            int items = 200;
            TestRuntime.run(() -> {
                var lock = new Mutex();
                var notFull = new ConditionVariable(lock);
                var notEmpty = new ConditionVariable(lock);
                spawn(() -> {
                    for (int i = 0; i < items; i++) {
                        int item = i;
                        lock.withLock(() -> {
                            while (buffer.size() == 3) notFull.await();
                            buffer.add(item);
                            notEmpty.signal();
                        });
                        if (random.nextInt(4) == 0) suspend();
                    }
                });
                var consumers = new ArrayList<Coroutine<?>>();
                while (taken.size() < items) {
                    consumers.add(spawn(() -> {
                        while (taken.size() < items) {
                            lock.withLock(() -> {
                                while (buffer.isEmpty() && taken.size() < items) notEmpty.await();
                                if (buffer.isEmpty()) return;
                                taken.add(buffer.poll());
                                notFull.signal();
                                if (taken.size() == items) notEmpty.signalAll();
                            });
                        }
                    }));
                    for (int i = random.nextInt(5); i > 0; i--) suspend();
                    if (random.nextBoolean())
                        consumers.get(random.nextInt(consumers.size())).cancel();
                }
                for (Coroutine<?> consumer : consumers) consumer.cancel();
                awaitAll(consumers);
            });
            var expected = new ArrayList<Integer>();
            for (int i = 0; i < items; i++) expected.add(i);
            assertThat(taken).as("round " + round).isEqualTo(expected);
        }
    }
}
