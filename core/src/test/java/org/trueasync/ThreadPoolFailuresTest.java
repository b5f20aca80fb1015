package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.Threads;

/** What goes wrong in the workers of a pool: who gets the error, or where it is told. */
class ThreadPoolFailuresTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    // ---- the coroutines of one task

    @Test
    @Tag("T25")
    void childFails_theTasksOwnErrorGoesBeforeItAndItsValueDoesNot() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                for (boolean throwsToo : new boolean[] {false, true}) {
                    Future<String> task = pool.submit(() -> {
                        spawn(() -> {
                            throw new IllegalStateException("child");
                        });
                        try {
                            return new ThreadChannel<String>().receive();
                        } catch (AsyncCancellation e) {
                            assertThat(e).hasMessageContaining("another coroutine of the same task has failed");
                            if (throwsToo) throw new IllegalArgumentException("task");
                            return "value";
                        }
                    });
                    assertThatThrownBy(() -> await(task)).hasMessage(throwsToo ? "task" : "child");
                }
            }
        });
    }

    @Test
    @Tag("T25")
    @Tag("F51")
    void secondChildFails_isTold() {
        TestRuntime runtime = Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Future<?> task = pool.submit(() -> {
                    spawn(() -> {
                        try {
                            new ThreadChannel<String>().receive();
                        } catch (AsyncCancellation e) {
                            throw new IllegalStateException("second", e);
                        }
                    });
                    spawn(() -> {
                        throw new IllegalStateException("first");
                    });
                    new ThreadChannel<String>().receive();
                });
                assertThatThrownBy(() -> await(task)).hasMessage("first");
            }
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("a coroutine of a task has failed, and the task had ended", "second");
    }

    @Test
    @Tag("T25")
    @Tag("F51")
    void childFailsAfterItsTask_isToldAndTheTaskHasItsValue() {
        TestRuntime runtime = Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Future<String> task = pool.submit(() -> {
                    spawn(() -> {
                        try {
                            new ThreadChannel<String>().receive();
                        } catch (AsyncCancellation e) {
                            throw new IllegalStateException("at the end", e);
                        }
                    });
                    suspend();
                    return "value";
                });
                assertThat(await(task)).isEqualTo("value");
            }
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("a coroutine of a task has failed, and the task had ended", "at the end");
    }

    // ---- tasks that nobody waits for

    @Test
    @Tag("T26")
    @Tag("F51")
    void cancelledTaskThatFails_isTold_andOneThatEndsIsNot() {
        TestRuntime runtime = Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                for (boolean fails : new boolean[] {false, true}) {
                    var begun = new CountDownLatch(1);
                    Future<String> task = pool.submit(() -> {
                        begun.countDown();
                        try {
                            return new ThreadChannel<String>().receive();
                        } catch (AsyncCancellation e) {
                            if (fails) throw new IllegalStateException("at the end");
                            throw e;
                        }
                    });
                    begun.await();
                    task.cancel();
                    assertThat(task.isCancelled()).isTrue();
                }
                while (pool.completedCount() < 2) delay(1);
            }
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("a task has failed whose future had been abandoned", "at the end");
    }

    @Test
    @Tag("T26")
    void pendingTask_saysWhereItIs() {
        Threads.run(() -> {
            var go = new CountDownLatch(1);
            try (var pool = new ThreadPool(1)) {
                Future<String> task = pool.submit(() -> {
                    go.await();
                    return "value";
                });
                assertThat(task.awaitingInfo())
                        .singleElement()
                        .asString()
                        .isEqualTo("task in thread pool 'family-pool-1', pending");
                go.countDown();
                assertThat(await(task)).isEqualTo("value");
                assertThat(task.awaitingInfo()).singleElement().asString().startsWith("future created");
            }
        });
    }

    // ---- workers

    @Test
    @Tag("T27")
    void workerThatFailsBeforeItsFirstTask_endsThePoolWithTheCause() {
        var original = new IllegalStateException("beside the bootloader");
        TestRuntime runtime = Threads.run(() -> {
            var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> Async.launch(() -> {
                        throw original;
                    }))
                    .build();
            while (!pool.isClosed()) delay(1);
            assertThatThrownBy(() -> pool.submit(() -> "x"))
                    .isInstanceOf(ThreadPoolException.class)
                    .hasMessageContaining("a worker could not begin")
                    .hasCause(original);
            pool.close();
            assertThat(pool.workerCount()).isZero();
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("a worker has died before its first task", "beside the bootloader");
    }

    @Test
    @Tag("T27")
    void workerThatIsShutDownBeforeItsFirstTask_endsThePool() {
        TestRuntime runtime = Threads.run(() -> {
            var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> spawn(() -> {
                        Async.gracefulShutdown();
                    }))
                    .build();
            while (!pool.isClosed()) delay(1);
            assertThatThrownBy(() -> pool.submit(() -> "x"))
                    .isInstanceOf(ThreadPoolException.class)
                    .hasCauseInstanceOf(AsyncCancellation.class)
                    .hasRootCauseMessage("thread 'family-pool-1-worker-1' was shut down");
            pool.close();
        });
        assertThat(runtime.reports()).singleElement().asString().contains("before its first task");
    }

    @Test
    @Tag("T27")
    @Tag("F51")
    void workerThatFailsAfterTheClose_isTold() {
        TestRuntime runtime = Threads.run(() -> {
            var go = new ThreadChannel<String>(1);
            var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> Async.launch(() -> {
                        go.receive();
                        throw new IllegalStateException("late");
                    }))
                    .build();
            assertThat(await(pool.submit(() -> "value"))).isEqualTo("value");
            Coroutine<?> closing = spawn(() -> pool.close());
            suspend();
            assertThat(closing.awaitingInfo()).containsExactly("end of thread pool 'family-pool-1'");
            go.send("on");
            await(closing);
            assertThat(pool.workerCount()).isZero();
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .startsWith("thread pool 'family-pool-1': thread 'family-pool-1-worker-1' has failed")
                .contains("late");
    }

    @Test
    @Tag("T23")
    void cancelledWhileItsWorkersBoot_theyEnd() {
        for (boolean coroutineMode : new boolean[] {false, true}) {
            TestRuntime runtime = Threads.run(() -> {
                var boots = new CountDownLatch(2);
                var pool = ThreadPool.builder()
                        .workers(2)
                        .coroutineMode(coroutineMode)
                        .bootloader(() -> {
                            boots.countDown();
                            new ThreadChannel<String>().receive();
                        })
                        .build();
                Future<String> queued = pool.submit(() -> "never");
                boots.await();
                pool.cancel();
                assertThatThrownBy(() -> await(queued))
                        .isInstanceOf(AsyncCancellation.class)
                        .hasMessageContaining("was cancelled");
                pool.close();
                assertThat(pool.workerCount()).isZero();
                assertThat(pool.completedCount()).isEqualTo(1);
            });
            assertThat(runtime.reports()).isEmpty();
        }
    }

    @Test
    @Tag("T27")
    void bootFailsAfterTheClose_tasksAreRefusedAndNothingIsTold() {
        TestRuntime runtime = Threads.run(() -> {
            var go = new CountDownLatch(1);
            var boots = new CountDownLatch(1);
            var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> {
                        boots.countDown();
                        go.await();
                        throw new IllegalStateException("too late to matter");
                    })
                    .build();
            boots.await();
            Future<String> queued = pool.submit(() -> "never");
            Coroutine<?> closing = spawn(() -> pool.close());
            suspend();
            go.countDown();
            assertThatThrownBy(() -> await(queued))
                    .isInstanceOf(ThreadPoolException.class)
                    .hasMessageContaining("is closed")
                    .hasNoCause();
            await(closing);
            assertThat(pool.pendingCount()).isZero();
            assertThat(pool.completedCount()).isEqualTo(1);
        });
        assertThat(runtime.reports()).isEmpty();
    }

    // ---- reloading

    @Test
    @Tag("T28")
    void whoWaitsForAReload_saysSo() {
        Threads.run(() -> {
            var boots = new CountDownLatch(2);
            var go = new CountDownLatch(1);
            try (var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> {
                        boots.countDown();
                        if (boots.getCount() == 0) go.await();
                    })
                    .build()) {
                await(pool.submit(() -> "has begun"));
                Coroutine<?> one = spawn(() -> pool.reload());
                boots.await();
                Coroutine<?> two = spawn(() -> pool.reload());
                while (!two.isSuspended()) suspend();
                assertThat(one.awaitingInfo()).containsExactly("start of a worker of thread pool 'family-pool-1'");
                assertThat(two.awaitingInfo()).containsExactly("reload of thread pool 'family-pool-1'");
                go.countDown();
                await(one);
                await(two);
            }
        });
    }

    @Test
    @Tag("T28")
    void closedDuringAReload_everyoneGoesOn() {
        Threads.run(() -> {
            var boots = new CountDownLatch(2);
            var go = new CountDownLatch(1);
            var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> {
                        boots.countDown();
                        if (boots.getCount() == 0) go.await();
                    })
                    .build();
            await(pool.submit(() -> "has begun"));
            Coroutine<?> one = spawn(() -> pool.reload());
            boots.await();
            Coroutine<?> two = spawn(() -> pool.reload());
            while (!two.isSuspended()) suspend();
            Coroutine<?> closing = spawn(() -> pool.close());
            suspend();
            go.countDown();
            await(one);
            await(two);
            await(closing);
            assertThat(pool.workerCount()).isZero();
        });
    }

    // ---- cancellations

    @Test
    @Tag("T26")
    void taskThatCancelsItself_endsSoAndTheWorkerLivesOn() {
        for (boolean coroutineMode : new boolean[] {false, true})
            Threads.run(() -> {
                try (var pool = ThreadPool.builder()
                        .workers(1)
                        .coroutineMode(coroutineMode)
                        .build()) {
                    for (int round = 0; round < 3; round++) {
                        Future<String> task = pool.submit(() -> {
                            suspend();
                            throw new AsyncCancellation("of its own");
                        });
                        assertThatThrownBy(() -> await(task))
                                .isInstanceOf(AsyncCancellation.class)
                                .hasMessage("of its own");
                        assertThat(task.isCancelled()).isTrue();
                    }
                    assertThat(await(pool.submit(() -> "alive"))).isEqualTo("alive");
                    assertThat(pool.completedCount()).isEqualTo(4);
                    assertThat(pool.runningCount()).isZero();
                    assertThat(pool.workerCount()).isEqualTo(1);
                }
            });
    }

    @Test
    @Tag("T21")
    @Tag("F32")
    void givenUpAfterAWorkerHasTheTask_itIsSubmitted() {
        for (boolean byToken : new boolean[] {false, true})
            Threads.run(() -> {
                var begun = new CountDownLatch(1);
                var go = new CountDownLatch(1);
                var last = new CountDownLatch(1);
                var token = new FutureState<String>();
                var log = new ArrayList<String>();
                try (var pool = ThreadPool.builder().workers(1).queueSize(1).build()) {
                    Future<?> running = pool.submit(() -> {
                        begun.countDown();
                        go.await();
                    });
                    begun.await();
                    Future<String> queued = pool.submit(() -> "queued");
                    Coroutine<?> submitter = spawn(() -> {
                        Future<String> task = pool.submit(
                                () -> {
                                    last.countDown();
                                    return "ran";
                                },
                                token.future());
                        log.add("submitted");
                        task.ignore();
                        suspend();
                        log.add("not cancelled");
                    });
                    suspend();
                    assertThat(submitter.isSuspended()).isTrue();
                    go.countDown();
                    // the loop is held: what tells the submitter has not come when it is given up
                    while (last.getCount() > 0) Thread.onSpinWait();
                    if (byToken) token.complete("over");
                    else submitter.cancel();
                    while (!submitter.isCompleted()) delay(1);
                    assertThat(submitter.isCancelled()).isNotEqualTo(byToken);
                    if (byToken) assertThat(log).containsExactly("submitted", "not cancelled");
                    else assertThat(log).containsExactly("submitted");
                    await(running);
                    assertThat(await(queued)).isEqualTo("queued");
                    while (pool.completedCount() < 3) delay(1);
                }
                token.future().ignore();
            });
    }

    // ---- tasks that a worker has been given and has not begun

    /**
     * Runs on a worker and holds its loop, so that what the worker is given meanwhile does not begin; then shuts it
     * down.
     */
    private static final class Holder implements Body {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final CountDownLatch last = new CountDownLatch(1);

        @Override
        public void run() {
            begun.countDown();
            while (go.getCount() > 0) Thread.onSpinWait();
            Async.gracefulShutdown();
            try {
                suspend();
            } catch (AsyncCancellation e) {
                for (int i = 0; i < 3; i++) suspend(); // what else was cancelled leaves
                while (last.getCount() > 0) Thread.onSpinWait();
            }
        }
    }

    @Test
    @Tag("T29")
    void workerEndsBeforeItBegins_theTaskIsTheNextOfAnotherWorker() {
        Threads.run(() -> {
            var holder = new Holder();
            holder.last.countDown();
            var order = new ConcurrentLinkedQueue<String>();
            try (var pool = ThreadPool.builder()
                    .workers(1)
                    .coroutineMode(true)
                    .concurrency(2)
                    .build()) {
                Future<?> held = pool.submit(holder);
                holder.begun.await();
                Future<?> given = pool.submit(() -> order.add("given"));
                Future<?> queued = pool.submit(() -> order.add("queued"));
                assertThat(pool.runningCount()).isEqualTo(2);
                assertThat(pool.pendingCount()).isEqualTo(1);
                holder.go.countDown();
                await(given);
                await(queued);
                assertThat(order).containsExactly("given", "queued");
                await(held);
                assertThat(pool.runningCount()).isZero();
                assertThat(pool.pendingCount()).isZero();
                assertThat(pool.completedCount()).isEqualTo(3);
            }
        });
    }

    @Test
    @Tag("T29")
    void workerEndsBeforeItBegins_anIdleOneHasTheTaskAtOnce() {
        Threads.run(() -> {
            var holder = new Holder();
            var boots = new CountDownLatch(2);
            try (var pool = ThreadPool.builder()
                    .workers(2)
                    .coroutineMode(true)
                    .bootloader(boots::countDown)
                    .build()) {
                boots.await();
                for (int i = 0; i < 2; i++) await(pool.submit(() -> {}));
                Future<?> held = pool.submit(holder);
                holder.begun.await();
                Future<?> given = pool.submit(holder.last::countDown);
                holder.go.countDown();
                await(given);
                await(held);
            }
        });
    }

    @Test
    @Tag("T29")
    @Tag("F32")
    void givenUpBeforeItsWorkerEnds_theTaskIsNotRunByAnother() {
        for (boolean closes : new boolean[] {false, true})
            Threads.run(() -> {
                var holder = new Holder();
                holder.last.countDown();
                var ran = new CountDownLatch(1);
                var pool = ThreadPool.builder().workers(1).coroutineMode(true).build();
                Future<?> held = pool.submit(holder).ignore();
                holder.begun.await();
                Future<?> given = pool.submit(ran::countDown);
                Coroutine<?> closing = spawn(() -> pool.close());
                if (closes) suspend();
                else given.cancel();
                holder.go.countDown();
                assertThatThrownBy(() -> await(given)).isInstanceOf(AsyncCancellation.class);
                await(closing);
                assertThat(ran.getCount()).isEqualTo(1);
                assertThat(held.isCompleted()).isTrue();
                assertThat(pool.runningCount()).isZero();
                assertThat(pool.completedCount()).isEqualTo(2);
            });
    }

    // ---- which worker has a task

    @Test
    @Tag("T28")
    void afterAReload_newWorkersHaveTheTasksAndAnOldOneOnlyItsOwn() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Object old = await(pool.submit(() -> Runtimes.here("test")));
                pool.reload();
                assertThat(await(pool.submit(() -> Runtimes.here("test")))).isNotSameAs(old);
                var begun = new CountDownLatch(2);
                var oldGoes = new CountDownLatch(1);
                var newGoes = new CountDownLatch(1);
                Future<?> first = pool.submit(() -> {
                    begun.countDown();
                    oldGoes.await();
                });
                while (begun.getCount() > 1) delay(1);
                pool.reload();
                Future<?> second = pool.submit(() -> {
                    begun.countDown();
                    newGoes.await();
                });
                begun.await();
                Future<String> third = pool.submit(() -> "third");
                oldGoes.countDown();
                await(first);
                while (pool.workerCount() > 1) delay(1);
                assertThat(pool.pendingCount()).isEqualTo(1);
                newGoes.countDown();
                await(second);
                assertThat(await(third)).isEqualTo("third");
            }
        });
    }

    @Test
    @Tag("T28")
    void newWorkerFailsWhileItsReloadWaits_theReloadEndsAndTheOldOneGoesOn() {
        TestRuntime runtime = Threads.run(() -> {
            var boots = new CountDownLatch(2);
            var go = new CountDownLatch(1);
            try (var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> {
                        boots.countDown();
                        if (boots.getCount() > 0) return;
                        go.await();
                        throw new IllegalStateException("second time");
                    })
                    .build()) {
                Object old = await(pool.submit(() -> Runtimes.here("test")));
                Coroutine<?> reload = spawn(() -> pool.reload());
                boots.await();
                while (!reload.isSuspended()) suspend();
                go.countDown();
                await(reload);
                assertThat(await(pool.submit(() -> Runtimes.here("test")))).isSameAs(old);
            }
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("a new worker could not begin; the old ones go on", "second time");
    }

    @Test
    @Tag("T23")
    void cancelled_isClosed() {
        Threads.run(() -> {
            var pool = new ThreadPool(1);
            pool.cancel();
            assertThatThrownBy(() -> pool.submit(() -> "x"))
                    .isInstanceOf(ThreadPoolException.class)
                    .hasMessage("thread pool 'family-pool-1' is closed");
            pool.close();
        });
    }

    @Test
    @Tag("F76")
    @Tag("F51")
    void leftOpen_isClosedByTheEndOfItsRunAndNothingIsTold() {
        var left = new ArrayList<ThreadPool>();
        TestRuntime runtime = Threads.run(() -> {
            for (int i = 0; i < 2; i++) left.add(new ThreadPool(1));
            assertThat(await(left.get(0).submit(() -> "has worked"))).isEqualTo("has worked");
        });
        assertThat(runtime.reports()).isEmpty();
        Threads.run(() -> {
            for (ThreadPool pool : left)
                assertThatThrownBy(() -> pool.submit(() -> "x"))
                        .isInstanceOf(ThreadPoolException.class)
                        .hasMessageContaining("is closed");
        });
    }
}
