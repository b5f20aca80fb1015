package org.trueasync.internal.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkersTest {
    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(15, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void moreTasksThanThreads_allRunAndNoMoreThreadsThanAllowed() {
        var workers = new Workers("test", 4);
        var names = ConcurrentHashMap.newKeySet();
        var open = new CountDownLatch(1);
        var done = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            workers.execute(() -> {
                names.add(Thread.currentThread().getName());
                await(open);
                done.countDown();
            });
        }
        assertThat(workers.size()).isEqualTo(4);
        open.countDown();
        await(done);
        assertThat(names).hasSizeBetween(1, 4);
        assertThat(workers.size()).isLessThanOrEqualTo(4);
    }

    @Test
    void threads_areDaemonsAndForgetInterrupts() {
        var workers = new Workers("test", 1);
        var daemon = new AtomicBoolean();
        var interrupted = new AtomicBoolean(true);
        var done = new CountDownLatch(2);
        workers.execute(() -> {
            daemon.set(Thread.currentThread().isDaemon());
            Thread.currentThread().interrupt();
            done.countDown();
        });
        workers.execute(() -> {
            interrupted.set(Thread.currentThread().isInterrupted());
            done.countDown();
        });
        await(done);
        assertThat(daemon).isTrue();
        assertThat(interrupted).isFalse();
    }

    @Test
    void oneAfterAnother_areDoneByTheThreadsThatAreThere() {
        for (Workers workers : List.of(new Workers("test", 4), Workers.FILES)) {
            var names = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < 100; i++) {
                var done = new CountDownLatch(1);
                workers.execute(() -> {
                    names.add(Thread.currentThread().getName());
                    done.countDown();
                });
                await(done);
            }
            assertThat(names.size()).isLessThanOrEqualTo(16);
        }
    }

    @Test
    void nothingToDo_threadsEndAndNewOnesBegin() {
        var workers = new Workers("test", 2, 1_000_000, 2, System::nanoTime);
        for (int round = 0; round < 20; round++) {
            var done = new CountDownLatch(2);
            workers.execute(done::countDown);
            workers.execute(done::countDown);
            await(done);
            while (workers.size() > 0) LockSupport.parkNanos(100_000);
        }
    }

    /**
     * Tasks that need each other to run at the same time: one thread that rests while a task is in line makes them wait
     * for ever.
     */
    @Test
    @Tag("deep")
    void tasksThatNeedAllThreads_getThemHoweverTheyCome() throws Exception {
        int threads = 4;
        for (long keepNanos : new long[] {TimeUnit.SECONDS.toNanos(10), 20_000}) {
            var workers = new Workers("test", threads, keepNanos, 2, System::nanoTime);
            for (int round = 0; round < 3_000; round++) {
                var barrier = new CyclicBarrier(threads);
                var done = new CountDownLatch(threads);
                // small tasks before, so that busy threads take what others have been called for
                int before = ThreadLocalRandom.current().nextInt(6);
                for (int i = 0; i < before; i++) workers.execute(() -> {});
                for (int i = 0; i < threads; i++) {
                    workers.execute(() -> {
                        try {
                            barrier.await(60, TimeUnit.SECONDS);
                            done.countDown();
                        } catch (Exception e) {
                            // reported by the latch
                        }
                    });
                }
                assertThat(done.await(50, TimeUnit.SECONDS))
                        .as("round " + round + ", " + workers.size() + " threads")
                        .isTrue();
            }
        }
    }

    /** Nobody comes after it, so a task that is not seen then stays in line. */
    @Test
    @Tag("deep")
    void taskComesAsTheOnlyThreadComesToRest_runs() {
        for (int processors = 1; processors <= 2; processors++) {
            var workers = new Workers("test", 1, TimeUnit.SECONDS.toNanos(100), processors, System::nanoTime);
            var ran = new AtomicInteger();
            for (int i = 1; i <= 100_000; i++) {
                workers.execute(ran::incrementAndGet);
                long begin = System.nanoTime();
                for (int looks = 0; ran.get() < i; looks++) {
                    if (looks > 1_000) Thread.yield();
                    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(15));
                }
                int spins = ThreadLocalRandom.current().nextInt(40);
                for (int k = 0; k < spins; k++) Thread.onSpinWait();
            }
        }
    }

    @Test
    @Tag("deep")
    void severalProducersAndThreadsThatEndAllTheTime_noTaskIsLost() throws Exception {
        var workers = new Workers("test", 3, 5_000, 2, System::nanoTime);
        var ran = new AtomicInteger();
        var inLine = new Semaphore(50);
        List<Thread> producers = new ArrayList<>();
        int each = 20_000;
        for (int p = 0; p < 3; p++) {
            producers.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    inLine.acquireUninterruptibly();
                    workers.execute(() -> {
                        ran.incrementAndGet();
                        inLine.release();
                    });
                    if (i % 100 == 0) LockSupport.parkNanos(10_000);
                }
            }));
        }
        for (Thread producer : producers) producer.join();
        assertThat(inLine.tryAcquire(50, 60, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(3 * each);
    }
}
