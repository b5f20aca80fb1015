package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.Threads;

class ThreadTaskTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    @Test
    @Tag("T1")
    void task_isTheMainCoroutineOfARuntimeOnAThreadOfItsOwn() {
        Threads.run(() -> {
            long here = Async.currentCoroutine().id();
            AtomicReference<Object> loops = new AtomicReference<>();
            loops.set(Runtimes.here("test"));
            String seen = await(spawnThread(() -> {
                assertThat(Runtimes.here("test")).isNotSameAs(loops.get());
                assertThat(Async.currentCoroutine().id()).isNotEqualTo(here);
                assertThat(Async.coroutines()).hasSize(1);
                Coroutine<String> inner = spawn(() -> "spawned there");
                return await(inner);
            }));
            assertThat(seen).isEqualTo("spawned there");
        });
    }

    @Test
    @Tag("T1")
    void bodyWithoutResult_givesNull() {
        Threads.run(() -> {
            var ran = new CountDownLatch(1);
            ThreadTask<?> task = spawnThread(ran::countDown);
            assertThat((Object) await(task)).isNull();
            assertThat(ran.getCount()).isZero();
        });
    }

    @Test
    @Tag("T2")
    void await_parksOnlyTheCaller() {
        Threads.run(() -> {
            var go = new CountDownLatch(1);
            ThreadTask<Integer> task = spawnThread(() -> {
                go.await();
                return 7;
            });
            Coroutine<Integer> waiter = spawn(() -> await(task));
            suspend();
            assertThat(waiter.isSuspended()).isTrue();
            assertThat(waiter.awaitingInfo()).hasSize(1).allMatch(line -> line.contains("running"));
            go.countDown();
            assertThat(await(waiter)).isEqualTo(7);
        });
    }

    @Test
    @Tag("T2")
    void failedTask_isThrownAsRemoteExceptionWithTheOriginalAsCause() {
        Threads.run(() -> {
            for (Throwable original :
                    List.of(new IllegalStateException("a"), new IOException("b"), new AssertionError("c"))) {
                ThreadTask<Object> task = spawnThread(() -> {
                    if (original instanceof Error error) throw error;
                    throw (Exception) original;
                });
                for (int again = 0; again < 3; again++)
                    assertThatThrownBy(() -> await(task)).isInstanceOfSatisfying(RemoteException.class, e -> {
                        assertThat(e.getCause()).isSameAs(original);
                        assertThat(e.remoteClassName())
                                .isEqualTo(original.getClass().getName());
                        assertThat(e).hasMessageContaining(original.getMessage());
                    });
            }
        });
    }

    @Test
    @Tag("T2")
    void finishedThread_answersAtOnceAndRepeatedly() {
        Threads.run(() -> {
            ThreadTask<String> task = spawnThread(() -> "once");
            await(task);
            RuntimeStats before = Async.runtimeStats();
            for (int i = 0; i < 3; i++) assertThat(await(task)).isEqualTo("once");
            RuntimeStats after = Async.runtimeStats();
            assertThat(after.directSwitches() + after.schedulerSwitches())
                    .isEqualTo(before.directSwitches() + before.schedulerSwitches());
        });
    }

    @Test
    @Tag("T3")
    void states_goFromRunningToCompletedOrFailed() {
        Threads.run(() -> {
            var go = new CountDownLatch(1);
            ThreadTask<String> good = spawnThread(() -> {
                go.await();
                return "value";
            });
            ThreadTask<String> bad = spawnThread(() -> {
                go.await();
                throw new IllegalStateException("no");
            });
            for (ThreadTask<String> task : List.of(good, bad)) {
                assertThat(task.isRunning()).isTrue();
                assertThat(task.isCompleted()).isFalse();
                assertThat(task.isCancelled()).isFalse();
                assertThat(task.result()).isNull();
                assertThat(task.error()).isNull();
            }
            go.countDown();
            await(good);
            assertThatThrownBy(() -> await(bad)).isInstanceOf(RemoteException.class);
            for (ThreadTask<String> task : List.of(good, bad)) {
                assertThat(task.isRunning()).isFalse();
                assertThat(task.isCompleted()).isTrue();
                assertThat(task.isCancelled()).isFalse();
            }
            assertThat(good.result()).isEqualTo("value");
            assertThat(good.error()).isNull();
            assertThat(bad.result()).isNull();
            assertThat(bad.error()).isInstanceOf(RemoteException.class);
        });
    }

    @Test
    @Tag("T3")
    void onFinally_firesInOrderAndAfterCompletionAtOnce() {
        Threads.run(() -> {
            var order = new ArrayList<String>();
            var go = new CountDownLatch(1);
            ThreadTask<String> task = spawnThread(() -> {
                go.await();
                return "v";
            });
            task.onFinally(t -> order.add("first " + t.result()));
            task.onFinally(t -> {
                suspend();
                order.add("second");
            });
            go.countDown();
            await(task);
            while (order.size() < 2) suspend();
            task.onFinally(t -> order.add("late"));
            assertThat(order).containsExactly("first v", "second", "late");
        });
    }

    @Test
    @Tag("T4")
    @Tag("F76")
    void cancel_shutsTheRuntimeDownGracefully() {
        Threads.run(() -> {
            var waits = new CountDownLatch(1);
            var cleaned = new ArrayList<String>();
            ThreadTask<String> task = spawnThread(() -> {
                spawn(() -> {
                    try {
                        new ThreadChannel<String>().receive();
                    } finally {
                        suspend();
                        cleaned.add("child");
                    }
                });
                suspend();
                waits.countDown();
                try {
                    return new ThreadChannel<String>().receive();
                } finally {
                    suspend();
                    cleaned.add("main");
                }
            });
            waits.await();
            var reason = new AsyncCancellation("enough");
            task.cancel(reason);
            assertThatThrownBy(() -> await(task)).isSameAs(reason);
            assertThat(task.isCancelled()).isTrue();
            assertThat(task.isCompleted()).isTrue();
            assertThat(cleaned).containsExactlyInAnyOrder("child", "main");
        });
    }

    @Test
    @Tag("T4")
    void cancelledWhileJdkCodeBlocksIt_ends() {
        Threads.run(() -> {
            var blocks = new CountDownLatch(1);
            ThreadTask<?> task = spawnThread(() -> {
                blocks.countDown();
                new CountDownLatch(1).await();
            });
            blocks.await();
            task.cancel();
            assertThatThrownBy(() -> await(task)).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    @Tag("T4")
    @Tag("F11")
    void cancelledBeforeItBegins_isCancelledOrNeverMoreThanThat() {
        Threads.run(() -> {
            for (int round = 0; round < 200; round++) {
                ThreadTask<String> task = spawnThread(() -> {
                    suspend();
                    return new ThreadChannel<String>().receive();
                });
                task.cancel();
                assertThatThrownBy(() -> await(task)).isInstanceOf(AsyncCancellation.class);
            }
        });
    }

    @Test
    @Tag("T4")
    void cancelAfterCompletion_changesNothing() {
        Threads.run(() -> {
            ThreadTask<String> task = spawnThread(() -> "done");
            await(task);
            task.cancel();
            assertThat(task.isCancelled()).isFalse();
            assertThat(await(task)).isEqualTo("done");
        });
    }

    @Test
    @Tag("T4")
    void taskThatCatchesItsCancellation_completesWithItsValue() {
        Threads.run(() -> {
            var waits = new CountDownLatch(1);
            ThreadTask<String> task = spawnThread(() -> {
                waits.countDown();
                try {
                    return new ThreadChannel<String>().receive();
                } catch (AsyncCancellation e) {
                    return "what I had";
                }
            });
            waits.await();
            task.cancel();
            assertThat(await(task)).isEqualTo("what I had");
            assertThat(task.isCancelled()).isFalse();
        });
    }

    @Test
    @Tag("T5")
    void bootloader_runsFirstOnTheSameThread() {
        Threads.run(() -> {
            var seen = new ArrayList<Object>();
            await(spawnThread(
                    () -> {
                        seen.add(Runtimes.here("test"));
                        return "x";
                    },
                    () -> seen.add(Runtimes.here("test"))));
            assertThat(seen).hasSize(2);
            assertThat(seen.get(0)).isSameAs(seen.get(1));
        });
    }

    @Test
    @Tag("T5")
    void failedBootloader_theTaskNeverStartsAndTheErrorIsRemote() {
        Threads.run(() -> {
            var started = new CountDownLatch(1);
            var original = new IOException("no driver");
            ThreadTask<?> task = spawnThread(Executors.callable(started::countDown), () -> {
                throw original;
            });
            assertThatThrownBy(() -> await(task))
                    .isInstanceOf(RemoteException.class)
                    .hasCause(original);
            assertThat(started.getCount()).isEqualTo(1);
        });
    }

    @Test
    @Tag("T6")
    @Tag("F76")
    @Tag("F80")
    void nobodyAwaitsIt_theRunEndsAndSoDoesTheThread() {
        var ended = new CountDownLatch(1);
        Threads.run(() -> {
            var waits = new CountDownLatch(1);
            spawnThread(() -> {
                try {
                    waits.countDown();
                    new ThreadChannel<String>().receive();
                } finally {
                    ended.countDown();
                }
            });
            waits.await();
        });
        assertThat(ended.getCount()).isZero();
    }

    @Test
    @Tag("T6")
    @Tag("T14")
    void parentEnds_itsChannelsEndAndParkedChildrenWakeAndEnd() {
        var woken = new ArrayList<Throwable>();
        Threads.run(() -> {
            var channel = new ThreadChannel<String>(1);
            var waits = new CountDownLatch(1);
            spawnThread(() -> {
                waits.countDown();
                try {
                    channel.receive();
                } catch (ThreadChannelException | AsyncCancellation e) {
                    woken.add(e);
                }
            });
            waits.await();
        });
        assertThat(woken).hasSize(1);
    }

    @Test
    @Tag("T6")
    @Tag("F77")
    @Tag("F80")
    void failedRun_endsItsThreadsTooAndTheNextRunStartsClean() {
        var ended = new CountDownLatch(1);
        assertThatThrownBy(() -> Threads.run(() -> {
                    var waits = new CountDownLatch(1);
                    spawnThread(() -> {
                        try {
                            waits.countDown();
                            new ThreadChannel<String>().receive();
                        } finally {
                            ended.countDown();
                        }
                    });
                    waits.await();
                    throw new IllegalStateException("main fails");
                }))
                .hasMessage("main fails");
        // in virtual time the shutdown's deadline passes at once, and the run waits for 1 s only
        Threads.assertNoneOfOursIsLeft();
        assertThat(ended.getCount()).isZero();
        Threads.run(() -> assertThat(await(spawnThread(() -> "clean"))).isEqualTo("clean"));
    }

    @Test
    @Tag("T5")
    @Tag("F51")
    void errorThatNobodyReceives_isReportedOnce() {
        for (boolean inBootloader : new boolean[] {false, true}) {
            TestRuntime runtime = Threads.run(() -> {
                Body fails = () -> {
                    throw new IllegalStateException("to nobody");
                };
                ThreadTask<?> task = inBootloader ? spawnThread(() -> 1, fails) : spawnThread(fails);
                while (!task.isCompleted()) Async.delay(1);
            });
            assertThat(runtime.reports()).hasSize(1).allMatch(line -> line.contains("to nobody"));
        }
    }

    @Test
    @Tag("F50")
    void errorThatSomebodyReceives_isNotReported() {
        TestRuntime runtime = Threads.run(() -> {
            Body fails = () -> {
                throw new IllegalStateException("to somebody");
            };
            ThreadTask<?> awaited = spawnThread(fails);
            assertThatThrownBy(() -> await(awaited)).isInstanceOf(RemoteException.class);
            ThreadTask<?> asked = spawnThread(fails);
            while (!asked.isCompleted()) Async.delay(1);
            assertThat(asked.error()).isInstanceOf(RemoteException.class);
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("T6")
    void childThatDoesNotEnd_isNamedAndLeft() {
        var go = new CountDownLatch(1);
        var reports = new ArrayList<String>();
        try {
            Async.runtime()
                    .reactor(org.trueasync.internal.testkit.VirtualReactor::new)
                    .diagnostics(reports::add)
                    .shutdownTimeout(Duration.ofMillis(50))
                    .run(() -> {
                        var computes = new CountDownLatch(1);
                        spawnThread(() -> {
                            computes.countDown();
                            while (go.getCount() > 0) Thread.onSpinWait();
                        });
                        computes.await();
                    });
            assertThat(reports).anyMatch(line -> line.contains("was told to end"));
        } finally {
            go.countDown();
        }
    }

    @Test
    @Tag("T1")
    void threadsOfThreads_endWithTheirs() {
        var ended = new CountDownLatch(2);
        Threads.run(() -> {
            var waits = new CountDownLatch(1);
            spawnThread(() -> {
                spawnThread(() -> {
                    waits.countDown();
                    try {
                        new ThreadChannel<String>().receive();
                    } finally {
                        ended.countDown();
                    }
                });
                try {
                    new ThreadChannel<String>().receive();
                } finally {
                    ended.countDown();
                }
            });
            waits.await();
        });
        Threads.assertNoneOfOursIsLeft(); // as above, for the inner run
        assertThat(ended.getCount()).isZero();
    }

    @Test
    @Tag("T2")
    void deadlockOfTheChild_isItsError() {
        Threads.run(() -> {
            ThreadTask<?> task = spawnThread(() -> await(new FutureState<String>().future()));
            assertThatThrownBy(() -> await(task))
                    .isInstanceOf(RemoteException.class)
                    .hasCauseInstanceOf(DeadlockError.class);
        });
    }

    @Test
    void outsideARuntime_isRefused() {
        assertThatThrownBy(() -> spawnThread(() -> "x"))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Async.spawnThread");
    }

    @Test
    void asToken_endsAWait() {
        Threads.run(() -> {
            ThreadTask<String> token = spawnThread(() -> "over");
            assertThatThrownBy(() -> new ThreadChannel<String>().receive(token))
                    .isInstanceOf(OperationCanceledException.class);
        });
    }

    @Test
    void toCompletableFuture_endsAsTheThreadDoes() {
        Threads.run(() -> {
            CompletableFuture<String> future = spawnThread(() -> "x").toCompletableFuture();
            assertThat(await(future)).isEqualTo("x");
        });
    }

    @Test
    @Tag("K1")
    void usedOnAnotherThread_saysSo() {
        Threads.run(() -> {
            var channel = new ThreadChannel<String>();
            Coroutine<String> ours = spawn(() -> channel.receive());
            ThreadTask<String> task = spawnThread(() -> await(ours));
            assertThatThrownBy(() -> await(task))
                    .isInstanceOf(RemoteException.class)
                    .hasCauseInstanceOf(AsyncException.class);
            ThreadTask<?> other = spawnThread(() -> task.cancel());
            assertThatThrownBy(() -> await(other)).hasCauseInstanceOf(AsyncException.class);
            channel.send("ours");
            assertThat(await(ours)).isEqualTo("ours");
        });
    }

    @Test
    @Tag("T2")
    @Tag("F80")
    void manyThreads_allEnd() {
        Threads.run(() -> {
            for (int round = 0; round < 20; round++) {
                var tasks = new ArrayList<ThreadTask<Integer>>();
                for (int i = 0; i < 10; i++) {
                    int n = i;
                    tasks.add(spawnThread(() -> n));
                }
                for (int i = 0; i < 10; i++) assertThat(await(tasks.get(i))).isEqualTo(i);
            }
        });
    }

    @Test
    @Tag("T3")
    void text_tellsTheThreadAndHowFarItIs() {
        Threads.run(() -> {
            var go = new CountDownLatch(1);
            ThreadTask<?> task = spawnThread(() -> go.await());
            assertThat(task.toString()).isEqualTo("thread 'family-thread-1', running");
            go.countDown();
            await(task);
            assertThat(task.toString()).isEqualTo("thread 'family-thread-1', completed");
            ThreadTask<?> cancelled = spawnThread(() -> new ThreadChannel<String>().receive());
            cancelled.cancel();
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            assertThat(cancelled.toString()).isEqualTo("thread 'family-thread-2', cancelled");
        });
    }

    @Test
    @Tag("K1")
    void everyCallOfTheHandleOnAnotherThread_saysSo() {
        Threads.run(() -> {
            var go = new CountDownLatch(1);
            ThreadTask<String> task = spawnThread(() -> {
                go.await();
                return "value";
            });
            for (Body call : List.<Body>of(
                    task::result,
                    task::error,
                    task::cancel,
                    () -> task.onFinally(t -> {}),
                    () -> task.toCompletableFuture(),
                    () -> await(task))) {
                ThreadTask<?> other = spawnThread(call);
                assertThatThrownBy(() -> await(other))
                        .isInstanceOf(RemoteException.class)
                        .hasCauseInstanceOf(AsyncException.class)
                        .rootCause()
                        .hasMessageContaining("called on thread");
            }
            go.countDown();
            assertThat(await(task)).isEqualTo("value");
        });
    }

    @Test
    @Tag("T1")
    void thread_isADaemonWithTheClassLoaderAndTheInheritableLocalsOfItsParent() {
        var inherited = new InheritableThreadLocal<String>();
        var loader = new ClassLoader(getClass().getClassLoader()) {};
        Threads.run(() -> {
            Thread.currentThread().setContextClassLoader(loader);
            inherited.set("of the parent");
            ThreadTask<List<Object>> task = spawnThread(
                    () -> List.of(Thread.currentThread().getContextClassLoader(), String.valueOf(inherited.get())));
            assertThat(await(task)).containsExactly(loader, "of the parent");
            var go = new CountDownLatch(1);
            ThreadTask<?> running = spawnThread(() -> go.await());
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("family-thread-2"))
                    .singleElement()
                    .matches(Thread::isDaemon);
            go.countDown();
            await(running);
            try (var pool = new ThreadPool(1)) {
                assertThat(await(pool.submit(() -> String.valueOf(inherited.get()))))
                        .isEqualTo("null");
                assertThat(await(pool.submit(() -> Thread.currentThread().getContextClassLoader())))
                        .isSameAs(loader);
            }
        });
    }

    @Test
    @Tag("T6")
    @Tag("F51")
    void leftThreadThatFailsAfterTheRun_isTold() throws Exception {
        var go = new CountDownLatch(1);
        var reports = new LinkedBlockingQueue<String>();
        var first = new AtomicReference<String>();
        try {
            Async.runtime()
                    .reactor(org.trueasync.internal.testkit.VirtualReactor::new)
                    .diagnostics(reports::add)
                    .shutdownTimeout(Duration.ofMillis(50))
                    .run(() -> {
                        var computes = new CountDownLatch(1);
                        spawnThread(() -> {
                            computes.countDown();
                            while (go.getCount() > 0) Thread.onSpinWait();
                            throw new IllegalStateException("too late");
                        });
                        computes.await();
                    });
            first.set(reports.poll(10, TimeUnit.SECONDS));
        } finally {
            go.countDown();
        }
        assertThat(first.get()).contains("was told to end with its run, and did not within 50 ms");
        assertThat(reports.poll(10, TimeUnit.SECONDS))
                .contains("A thread has failed, and the run that started it had ended", "too late");
    }

    @Test
    @Tag("F50")
    void errorThatACompletableFutureHas_isNotReported() {
        TestRuntime runtime = Threads.run(() -> {
            ThreadTask<?> task = spawnThread(() -> {
                throw new IllegalStateException("to a stage");
            });
            CompletableFuture<?> shown = task.toCompletableFuture();
            assertThatThrownBy(() -> await(shown)).isInstanceOf(RemoteException.class);
            ThreadTask<?> late = spawnThread(() -> {
                throw new IllegalStateException("to a late one");
            });
            while (!late.isCompleted()) Async.delay(1);
            assertThatThrownBy(() -> await(late)).isInstanceOf(RemoteException.class);
        });
        assertThat(runtime.reports()).isEmpty();
    }
}
