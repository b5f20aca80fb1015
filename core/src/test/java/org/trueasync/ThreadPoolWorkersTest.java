package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.Threads;

/** What becomes of tasks and of the pool when a worker fails. */
class ThreadPoolWorkersTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    @Test
    @Tag("T29")
    void workerThatDies_failsItsTaskAndAnotherOneGoesOn() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                var original = new IllegalStateException("outside of the task");
                var workers = new AtomicReference<Executor>();
                var waits = new CountDownLatch(1);
                Future<?> task = pool.submit(() -> {
                    workers.set(Async.executor());
                    waits.countDown();
                    new ThreadChannel<String>().receive();
                });
                Future<String> next = pool.submit(() -> "next");
                waits.await();
                workers.get().execute(() -> {
                    throw original;
                });
                assertThatThrownBy(() -> await(task))
                        .isInstanceOf(ThreadPoolException.class)
                        .hasCause(original);
                assertThat(await(next)).isEqualTo("next");
                assertThat(pool.runningCount()).isZero();
                assertThat(pool.completedCount()).isEqualTo(2);
            }
        });
    }

    @Test
    @Tag("T29")
    void taskThatShutsItsWorkerDown_failsAndAnotherOneGoesOn() {
        for (boolean coroutineMode : new boolean[] {false, true}) {
            Threads.run(() -> {
                try (var pool = ThreadPool.builder()
                        .workers(1)
                        .coroutineMode(coroutineMode)
                        .build()) {
                    var reason = new AsyncCancellation("by the task itself");
                    Future<?> task = pool.submit(() -> {
                        Async.gracefulShutdown(reason);
                        suspend();
                    });
                    assertThatThrownBy(() -> await(task))
                            .isInstanceOf(ThreadPoolException.class)
                            .hasCause(reason);
                    assertThat(await(pool.submit(() -> "next"))).isEqualTo("next");
                }
            });
        }
    }

    @Test
    @Tag("T29")
    void deadlockInAPlainWorker_failsItsTaskAndAnotherOneGoesOn() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Future<?> task = pool.submit(() -> await(new FutureState<String>().future()));
                assertThatThrownBy(() -> await(task))
                        .isInstanceOf(ThreadPoolException.class)
                        .hasCauseInstanceOf(DeadlockError.class);
                assertThat(await(pool.submit(() -> "next"))).isEqualTo("next");
            }
        });
    }

    @Test
    @Tag("T27")
    @Tag("F51")
    void bootloaderFails_thePoolEndsAndEveryoneGetsTheCause() {
        var original = new IOException("no driver");
        var go = new CountDownLatch(1);
        TestRuntime runtime = Threads.run(() -> {
            var pool = ThreadPool.builder()
                    .workers(1)
                    .queueSize(1)
                    .bootloader(() -> {
                        go.await();
                        throw original;
                    })
                    .build();
            Future<String> queued = pool.submit(() -> "never");
            Coroutine<?> parked = spawn(() -> pool.submit(() -> "never"));
            suspend();
            go.countDown();
            // Both at once: while one is waited for, virtual time passes, and an error that nobody awaits is told.
            Outcomes<Integer, Object> outcomes = Async.awaitAll(List.<Completable<?>>of(queued, parked));
            assertThat(outcomes.errors()).hasSize(2);
            for (Throwable error : outcomes.errors().values())
                assertThat(error).isInstanceOf(ThreadPoolException.class).hasCause(original);
            assertThatThrownBy(() -> pool.submit(() -> "x"))
                    .isInstanceOf(ThreadPoolException.class)
                    .hasCause(original);
            pool.close();
            assertThat(pool.workerCount()).isZero();
        });
        assertThat(runtime.reports()).hasSize(1).allMatch(line -> line.contains("no driver"));
    }

    @Test
    @Tag("T25")
    void childThatFails_endsItsTaskAndTheWorkerLivesOn() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Future<?> task = pool.submit(() -> {
                    spawn(() -> {
                        throw new IllegalStateException("child");
                    });
                    new ThreadChannel<String>().receive();
                });
                assertThatThrownBy(() -> await(task)).hasMessage("child");
                assertThat(await(pool.submit(() -> "alive"))).isEqualTo("alive");
            }
        });
    }
}
