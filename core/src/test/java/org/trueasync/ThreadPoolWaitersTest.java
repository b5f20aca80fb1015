package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Threads;

/** Tasks whose submitter or waiters go away. */
class ThreadPoolWaitersTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    @Test
    @Tag("T21")
    @Tag("F36")
    void submitterCancelledWhileParked_itsTaskNeverRuns() {
        Threads.run(() -> {
            var stop = new HeldTask();
            var ran = new AtomicBoolean();
            try (var pool = ThreadPool.builder().workers(1).queueSize(1).build()) {
                Future<String> running = pool.submit(() -> stop.hold("x"));
                stop.begun.await();
                Future<String> queued = pool.submit(() -> "y");
                Coroutine<?> parked = spawn(() -> pool.submit(() -> ran.set(true)));
                suspend();
                parked.cancel();
                assertThatThrownBy(() -> await(parked)).isInstanceOf(AsyncCancellation.class);
                assertThatThrownBy(() -> pool.submit(() -> ran.getAndSet(true), timeout(5)))
                        .isInstanceOf(OperationCanceledException.class);
                stop.go.countDown();
                await(running);
                await(queued);
            }
            assertThat(ran).isFalse();
        });
    }

    @Test
    @Tag("T26")
    void futureThatLostItsWaiters_cancelsAQueuedTask() {
        Threads.run(() -> {
            var stop = new HeldTask();
            var ran = new AtomicBoolean();
            try (var pool = new ThreadPool(1)) {
                Future<String> first = pool.submit(() -> stop.hold("x"));
                stop.begun.await();
                Future<?> second = pool.submit(() -> ran.set(true));
                assertThatThrownBy(() -> await(second, timeout(5))).isInstanceOf(OperationCanceledException.class);
                while (!second.isCompleted()) suspend();
                assertThat(second.isCancelled()).isTrue();
                assertThat(pool.pendingCount()).isZero();
                assertThatThrownBy(() -> await(second)).isInstanceOf(AsyncCancellation.class);
                stop.go.countDown();
                await(first);
            }
            assertThat(ran).isFalse();
        });
    }

    @Test
    @Tag("T26")
    void futureThatLostItsWaiters_cancelsARunningTask() {
        for (boolean coroutineMode : new boolean[] {false, true}) {
            Threads.run(() -> {
                var begun = new CountDownLatch(1);
                try (var pool = ThreadPool.builder()
                        .workers(1)
                        .coroutineMode(coroutineMode)
                        .build()) {
                    Future<String> task = pool.submit(() -> {
                        begun.countDown();
                        return new ThreadChannel<String>().receive();
                    });
                    begun.await();
                    Coroutine<String> one = spawn(() -> await(task));
                    Coroutine<String> two = spawn(() -> await(task));
                    suspend();
                    one.cancel();
                    for (int i = 0; i < 5; i++) suspend();
                    assertThat(task.isCompleted()).isFalse();
                    two.cancel();
                    while (!task.isCompleted()) delay(1);
                    assertThat(task.isCancelled()).isTrue();
                    assertThat(await(pool.submit(() -> "alive"))).isEqualTo("alive");
                    assertThat(pool.completedCount()).isEqualTo(2);
                }
            });
        }
    }

    @Test
    @Tag("T26")
    void waiterThatComesBack_hasLostNothing() {
        Threads.run(() -> {
            var stop = new HeldTask();
            try (var pool = new ThreadPool(1)) {
                Future<String> task = pool.submit(() -> stop.hold("value"));
                stop.begun.await();
                for (int i = 0; i < 10; i++)
                    assertThatThrownBy(() -> await(task, timeout(1))).isInstanceOf(OperationCanceledException.class);
                stop.go.countDown();
                assertThat(await(task)).isEqualTo("value");
            }
        });
    }

    @Test
    @Tag("T26")
    void futureThatNobodyEverAwaited_justRuns() {
        Threads.run(() -> {
            var ran = new CountDownLatch(1);
            try (var pool = new ThreadPool(1)) {
                pool.submit(ran::countDown).ignore();
            }
            assertThat(ran.getCount()).isZero();
        });
    }

    @Test
    @Tag("T26")
    void cancelAfterCompletion_changesNothing() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Future<String> task = pool.submit(() -> "value");
                await(task);
                task.cancel();
                assertThat(await(task)).isEqualTo("value");
            }
        });
    }
}
