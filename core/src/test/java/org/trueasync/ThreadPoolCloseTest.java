package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Threads;

/** How a pool ends: closed, cancelled, or with its run. */
class ThreadPoolCloseTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    @Test
    @Tag("T21")
    @Tag("T23")
    void submittersParkedWhenItCloses_areRefusedAndAcceptedTasksEnd() {
        Threads.run(() -> {
            var stop = new HeldTask();
            var pool = ThreadPool.builder().workers(1).queueSize(1).build();
            Future<String> running = pool.submit(() -> stop.hold("running"));
            stop.begun.await();
            Future<String> queued = pool.submit(() -> "queued");
            Coroutine<?> here = spawn(() -> pool.submit(() -> "parked"));
            suspend();
            Coroutine<?> closing = spawn(() -> pool.close());
            suspend();
            assertThatThrownBy(() -> await(here)).isInstanceOf(ThreadPoolException.class);
            assertThat(closing.isSuspended()).isTrue();
            stop.go.countDown();
            await(closing);
            assertThat(pool.workerCount()).isZero();
            assertThat(await(running)).isEqualTo("running");
            assertThat(await(queued)).isEqualTo("queued");
        });
    }

    @Test
    @Tag("T23")
    void close_isIdempotentAndEveryoneWaits() {
        Threads.run(() -> {
            var stop = new HeldTask();
            var pool = new ThreadPool(2);
            Future<String> task = pool.submit(() -> stop.hold("done"));
            stop.begun.await();
            Coroutine<?> one = spawn(() -> pool.close());
            Coroutine<?> two = spawn(() -> pool.close());
            ThreadTask<?> three = spawnThread(() -> pool.close());
            suspend();
            assertThat(one.isSuspended()).isTrue();
            assertThat(two.isSuspended()).isTrue();
            stop.go.countDown();
            await(one);
            await(two);
            await(three);
            pool.close();
            assertThat(await(task)).isEqualTo("done");
        });
    }

    @Test
    @Tag("T23")
    @Tag("T24")
    void cancelInPlainMode_rejectsTheBacklogAndLetsRunningTasksEnd() {
        Threads.run(() -> {
            var stop = new HeldTask();
            var pool = new ThreadPool(1);
            Future<String> running = pool.submit(() -> stop.hold("ended"));
            stop.begun.await();
            Future<String> queued = pool.submit(() -> "never");
            pool.cancel();
            pool.cancel();
            assertThatThrownBy(() -> await(queued)).isInstanceOf(AsyncCancellation.class);
            assertThat(queued.isCancelled()).isTrue();
            stop.go.countDown();
            assertThat(await(running)).isEqualTo("ended");
            pool.close();
            assertThat(pool.workerCount()).isZero();
            assertThat(pool.completedCount()).isEqualTo(2);
            assertThat(pool.runningCount()).isZero();
            assertThat(pool.pendingCount()).isZero();
        });
    }

    @Test
    @Tag("T23")
    @Tag("F75")
    void cancelInCoroutineMode_cancelsRunningTasksToo() {
        Threads.run(() -> {
            var begun = new CountDownLatch(3);
            var cleaned = new AtomicInteger();
            var pool = ThreadPool.builder().workers(1).coroutineMode(true).build();
            var futures = new ArrayList<Future<?>>();
            for (int i = 0; i < 3; i++) {
                futures.add(pool.submit(() -> {
                    begun.countDown();
                    try {
                        new ThreadChannel<String>().receive();
                    } finally {
                        suspend();
                        cleaned.incrementAndGet();
                    }
                }));
            }
            begun.await();
            pool.cancel();
            for (Future<?> future : futures)
                assertThatThrownBy(() -> await(future)).isInstanceOf(AsyncCancellation.class);
            pool.close();
            assertThat(cleaned).hasValue(3);
            assertThat(pool.completedCount()).isEqualTo(3);
        });
    }

    @Test
    @Tag("T23")
    void cancelInCoroutineMode_meetsATaskThatItsWorkerHasNotBegun() {
        Threads.run(() -> {
            var computes = new CountDownLatch(1);
            var go = new CountDownLatch(1);
            var pool = ThreadPool.builder().workers(1).coroutineMode(true).build();
            pool.submit(() -> {
                        computes.countDown();
                        while (go.getCount() > 0) Thread.onSpinWait();
                    })
                    .ignore();
            computes.await();
            Future<String> given = pool.submit(() -> new ThreadChannel<String>().receive());
            assertThat(pool.runningCount()).isEqualTo(2);
            pool.cancel();
            go.countDown();
            assertThatThrownBy(() -> await(given)).isInstanceOf(AsyncCancellation.class);
            pool.close();
        });
    }

    @Test
    @Tag("T23")
    void closeByATaskOfThePool_doesNotWaitForItself() {
        Threads.run(() -> {
            var pool = new ThreadPool(1);
            Future<String> task = pool.submit(() -> {
                pool.close();
                return "went on";
            });
            assertThat(await(task)).isEqualTo("went on");
            pool.close();
        });
    }

    @Test
    @Tag("T23")
    void closeOnAPlainThread_waitsThere() {
        Threads.run(() -> {
            var stop = new HeldTask();
            var pool = new ThreadPool(1);
            Future<String> task = pool.submit(() -> stop.hold("done"));
            stop.begun.await();
            Thread plain = Thread.ofPlatform().start(pool::close);
            Threads.awaitParked(plain);
            assertThat(pool.isClosed()).isTrue();
            stop.go.countDown();
            assertThat(await(task)).isEqualTo("done");
            plain.join();
            assertThat(pool.workerCount()).isZero();
        });
    }

    @Test
    @Tag("T28")
    void reloadOfAClosedPool_isRefused() {
        Threads.run(() -> {
            var pool = new ThreadPool(1);
            pool.close();
            assertThatThrownBy(pool::reload).isInstanceOf(ThreadPoolException.class);
        });
    }

    @Test
    @Tag("F76")
    @Tag("F80")
    void poolLeftOpen_endsWithTheRun() {
        var ended = new CountDownLatch(1);
        Threads.run(() -> {
            var begun = new CountDownLatch(1);
            var pool = new ThreadPool(2);
            pool.submit(() -> {
                        begun.countDown();
                        try {
                            new ThreadChannel<String>().receive();
                        } finally {
                            ended.countDown();
                        }
                    })
                    .ignore();
            begun.await();
        });
        assertThat(ended.getCount()).isZero();
    }
}
