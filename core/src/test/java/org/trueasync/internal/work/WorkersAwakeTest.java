package org.trueasync.internal.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The thread that looks for calls before it sleeps. Its clock stands still, so that it looks until it is called or the
 * test moves the clock.
 */
class WorkersAwakeTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(100);

    private final AtomicLong clock = new AtomicLong();

    private Workers workers(int maxThreads, int processors) {
        return new Workers("test", maxThreads, LONG, processors, clock::get);
    }

    private static void until(BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(60));
            LockSupport.parkNanos(100_000);
        }
    }

    /** Moves the clock again and again: a thread is known to look before it has noted when it began. */
    private void untilTheLookIsOver(BooleanSupplier condition) {
        until(() -> {
            clock.addAndGet(20_001);
            return condition.getAsBoolean();
        });
    }

    private static boolean sleeps(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    /** The thread that runs a task. */
    private static Thread call(Workers workers) throws Exception {
        var threads = new SynchronousQueue<Thread>();
        workers.execute(() -> put(threads, Thread.currentThread()));
        Thread thread = threads.poll(60, TimeUnit.SECONDS);
        assertThat(thread).isNotNull();
        return thread;
    }

    private static <T> void put(SynchronousQueue<T> queue, T value) {
        try {
            queue.put(value);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The only thread, which looks for calls. */
    private static Thread awake(Workers workers) throws Exception {
        Thread thread = call(workers);
        until(() -> sleeps(thread)); // nobody has called it yet
        call(workers);
        until(workers::isAwake);
        return thread;
    }

    @Test
    void newThread_sleepsAtOnce_calledThread_looksFirst() throws Exception {
        Workers workers = workers(1, 2);
        Thread thread = call(workers);
        until(() -> sleeps(thread));
        assertThat(workers.isAwake()).isFalse();
        assertThat(call(workers)).isSameAs(thread);
        until(workers::isAwake);
        assertThat(thread.getState()).isEqualTo(Thread.State.RUNNABLE);
    }

    @Test
    void oneProcessor_sleepsAtOnce() throws Exception {
        Workers workers = workers(1, 1);
        Thread thread = call(workers);
        for (int i = 0; i < 3; i++) {
            until(() -> sleeps(thread));
            assertThat(workers.isAwake()).isFalse();
            call(workers);
        }
    }

    @Test
    void nothingComes_sleepsInTheEnd_andIsCalledThere() throws Exception {
        Workers workers = workers(1, 2);
        Thread thread = awake(workers);
        untilTheLookIsOver(() -> sleeps(thread));
        assertThat(workers.isAwake()).isFalse();
        assertThat(call(workers)).isSameAs(thread);
    }

    @Test
    void manyCalls_eachIsTheOnlyThreads_thatNeverSleeps() throws Exception {
        Workers workers = workers(4, 2);
        Thread thread = awake(workers);
        for (int i = 0; i < 1_000; i++) {
            assertThat(call(workers)).isSameAs(thread);
            until(workers::isAwake);
        }
        assertThat(workers.size()).isEqualTo(1);
    }

    @Test
    void twoWithoutTask_oneLooksTheOtherSleeps_bothAreCalled() throws Exception {
        Workers workers = workers(2, 2);
        for (int round = 0; round < 100; round++) {
            var barrier = new CyclicBarrier(2);
            List<Thread> threads = new ArrayList<>();
            var done = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                workers.execute(() -> {
                    synchronized (threads) {
                        threads.add(Thread.currentThread());
                    }
                    try {
                        barrier.await(60, TimeUnit.SECONDS);
                        done.countDown();
                    } catch (Exception e) {
                        // reported by the latch
                    }
                });
            }
            assertThat(done.await(60, TimeUnit.SECONDS)).as("round " + round).isTrue();
            if (round == 0) {
                // Nobody has called them yet.
                until(() -> threads.stream().allMatch(WorkersAwakeTest::sleeps));
            } else {
                until(() -> workers.isAwake() && threads.stream().anyMatch(WorkersAwakeTest::sleeps));
                assertThat(threads.stream().filter(WorkersAwakeTest::sleeps)).hasSize(1);
            }
        }
        assertThat(workers.size()).isEqualTo(2);
    }

    @Test
    void aTaskThatBlocks_doesNotHoldTheNext_alsoIfItWasTheAwakeThreads() throws Exception {
        Workers workers = workers(2, 2);
        Thread thread = awake(workers);
        var open = new CountDownLatch(1);
        var begun = new SynchronousQueue<Thread>();
        workers.execute(() -> {
            put(begun, Thread.currentThread());
            try {
                assertThat(open.await(15, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(begun.poll(15, TimeUnit.SECONDS)).isSameAs(thread);
        for (int i = 0; i < 10; i++) {
            Thread other = call(workers);
            assertThat(other).isNotSameAs(thread);
            // A task that comes before it looks or sleeps is found only after the look, which needs the clock to go on.
            until(() -> workers.isAwake() || sleeps(other));
        }
        open.countDown();
    }

    @Test
    void tasksInLine_areBegunInTheirOrder() throws Exception {
        Workers workers = workers(1, 2);
        awake(workers);
        List<Integer> order = new ArrayList<>();
        var open = new CountDownLatch(1);
        var done = new CountDownLatch(100);
        workers.execute(() -> {
            try {
                assertThat(open.await(15, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        for (int i = 0; i < 100; i++) {
            int number = i;
            workers.execute(() -> {
                order.add(number);
                done.countDown();
            });
        }
        open.countDown();
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(order).hasSize(100).isSorted();
    }

    @Test
    void threadThatLooks_endsAsAnyOther() throws Exception {
        var workers = new Workers("test", 1, TimeUnit.MILLISECONDS.toNanos(50), 2, clock::get);
        for (int round = 0; round < 3; round++) {
            Thread first = call(workers);
            until(() -> sleeps(first) || workers.size() == 0);
            call(workers);
            until(() -> workers.isAwake() || workers.size() == 0);
            untilTheLookIsOver(() -> workers.size() == 0);
            assertThat(workers.isAwake()).isFalse();
        }
    }

    /**
     * Tasks that need each other come just as a thread stops looking, or is about to begin: one that nobody was called
     * for makes the others wait for ever.
     */
    @Test
    @Tag("deep")
    void callsAtTheEndOfTheLook_noneIsLost() throws Exception {
        int threads = 3;
        var workers = new Workers("test", threads, LONG, 2, System::nanoTime);
        for (int round = 0; round < 3_000; round++) {
            var here = new AtomicInteger();
            var done = new CountDownLatch(threads);
            for (int i = 0; i < threads; i++) {
                workers.execute(() -> {
                    here.incrementAndGet();
                    long begin = System.nanoTime();
                    while (here.get() < threads && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(50))
                        Thread.yield();
                    if (here.get() == threads) done.countDown();
                });
            }
            assertThat(done.await(60, TimeUnit.SECONDS)).as("round " + round).isTrue();
            long pause = ThreadLocalRandom.current().nextLong(40_000);
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < pause) Thread.onSpinWait();
        }
    }
}
