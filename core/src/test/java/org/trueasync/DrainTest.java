package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.SchedulerProvider;

/** The part of a shutdown that comes before the cancellation, on virtual time. */
@Tag("D24")
class DrainTest {
    private final List<String> log = new ArrayList<>();

    private long millis(TestRuntime runtime) {
        return runtime.reactor().nanoTime() / 1_000_000;
    }

    private void waitToBeCancelled(String who) {
        try {
            delay(3_600_000);
        } finally {
            log.add(who + " cancelled");
        }
    }

    @Test
    void taskThatHasBegun_isFinishedBeforeTheCancellation() {
        TestRuntime ended = TestRuntime.run(() -> {
            Coroutine<?> plain = spawn(() -> waitToBeCancelled("plain"));
            executor().execute(() -> {
                delay(100);
                log.add("task done");
            });
            suspend();
            gracefulShutdown();
            delay(50);
            assertThat(plain.isCompleted()).isFalse();
            log.add("main goes on");
            waitToBeCancelled("main");
        });
        assertThat(log).startsWith("main goes on", "task done").contains("plain cancelled", "main cancelled");
        assertThat(millis(ended)).isLessThan(200);
        assertThat(ended.reports()).isEmpty();
    }

    @Test
    void nothingUnderWay_isCancelledInTheSameTurn() {
        TestRuntime ended = TestRuntime.run(() -> {
            spawn(() -> waitToBeCancelled("plain"));
            executor().execute(() -> log.add("task done"));
            delay(1);
            gracefulShutdown();
            assertThatThrownBy(Async::suspend).isInstanceOf(AsyncCancellation.class);
            throw new AsyncCancellation();
        });
        assertThat(log).containsExactly("task done", "plain cancelled");
        assertThat(millis(ended)).isLessThan(5);
    }

    @Test
    void taskThatHasNotBegun_isWorkToo() {
        TestRuntime.run(() -> {
            executor().execute(() -> {
                delay(10);
                log.add("task done");
            });
            gracefulShutdown();
            suspend();
        });
        assertThat(log).containsExactly("task done");
    }

    @Test
    void tasksOfALibrarysHiddenExecutor_holdNothingUp() {
        TestRuntime ended = TestRuntime.run(() -> {
            SchedulerProvider.get().hiddenExecutor().execute(() -> waitToBeCancelled("service"));
            delay(1);
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactlyInAnyOrder("service cancelled", "main cancelled");
        assertThat(millis(ended)).isLessThan(5);
    }

    /** While many coroutines are ready, tasks of other threads wait beside the run queue. */
    @Test
    void taskThatWaitsForItsCoroutine_isWorkToo() {
        boolean[] over = {false};
        TestRuntime.run(runtime -> {
            for (int i = 0; i < 300; i++)
                spawn(() -> {
                    while (!over[0]) suspend();
                });
            suspend();
            Thread other = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10; i++)
                    runtime.runtime().submit(() -> log.add(runtime.runtime().isDraining() ? "in the drain" : "before"));
            });
            while (other.isAlive()) Thread.onSpinWait();
            gracefulShutdown();
            try {
                delay(3_600_000);
            } finally {
                over[0] = true;
            }
        });
        assertThat(log).hasSize(10).containsOnly("in the drain");
    }

    @Test
    void taskOfADrain_beginsAndIsFinished() {
        TestRuntime.run(() -> {
            Executor executor = executor();
            executor.execute(() -> {
                delay(10);
                executor.execute(() -> {
                    delay(10);
                    await(spawn(() -> {
                        delay(10);
                        log.add("spawned in the drain");
                    }));
                });
            });
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("spawned in the drain", "main cancelled");
    }

    @Test
    void drainThatTakesTooLong_isCutOffAndItsWorkNamed() {
        var runtime = new TestRuntime(b -> b.drainTimeout(Duration.ofSeconds(7)));
        runtime.start(() -> {
            for (int i = 0; i < 30; i++) executor().execute(() -> waitToBeCancelled("task"));
            Cleanup.onDrain(() -> waitToBeCancelled("hook"));
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).hasSize(32).contains("hook cancelled", "main cancelled");
        assertThat(millis(runtime)).isBetween(7_000L, 7_010L);
        assertThat(runtime.reports()).singleElement().satisfies(report -> assertThat(report)
                .startsWith("The drain ends, and all coroutines are cancelled, although work was still under way after"
                        + " 7.0 s (drainTimeout):\n  coroutine ")
                .contains("DrainTest.java", "\n  ... and 11 more"));
    }

    @Test
    void timeoutOfZero_isNoDrain() {
        var runtime = new TestRuntime(b -> b.drainTimeout(Duration.ZERO));
        runtime.start(() -> {
            Cleanup.onDrain(() -> log.add("hook"));
            executor().execute(() -> waitToBeCancelled("task"));
            suspend();
            gracefulShutdown();
        });
        assertThat(log).containsExactly("task cancelled");
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void bothTimeouts_passOneAfterTheOther() {
        var runtime =
                new TestRuntime(b -> b.drainTimeout(Duration.ofSeconds(1)).shutdownTimeout(Duration.ofSeconds(2)));
        runtime.start(() -> {
            executor().execute(() -> {
                while (true) {
                    try {
                        delay(3_600_000);
                    } catch (AsyncCancellation e) {
                        log.add("cancelled");
                        if (log.size() == 2) throw e;
                    }
                }
            });
            gracefulShutdown();
        });
        assertThat(log).containsExactly("cancelled", "cancelled");
        assertThat(millis(runtime)).isBetween(3_000L, 3_010L);
    }

    @Test
    void hooks_runBesideEachOtherAndHoldTheDrain() {
        TestRuntime ended = TestRuntime.run(() -> {
            Cleanup.atEnd(() -> log.add("clean-up"));
            for (int i = 1; i <= 2; i++) {
                int n = i;
                Cleanup.onDrain(() -> {
                    log.add("hook " + n);
                    delay(100);
                    log.add("hook " + n + " done");
                });
            }
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("hook 1", "hook 2", "hook 1 done", "hook 2 done", "main cancelled", "clean-up");
        assertThat(millis(ended)).isLessThan(150);
    }

    @Test
    void hookThatWaitsForRequests_seesThemAnswered() {
        TestRuntime.run(() -> {
            var requests = new CompletableFuture<String>();
            spawn(() -> {
                delay(500);
                requests.complete("answered");
            });
            Cleanup.onDrain(() -> log.add(await(requests)));
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("answered", "main cancelled");
    }

    @Test
    void hookThatFails_isReportedOnceAndStopsNothing() {
        TestRuntime ended = TestRuntime.run(() -> {
            Cleanup.onDrain(() -> {
                throw new IllegalStateException("for once");
            });
            Cleanup.onDrain(() -> Async.withTimeout(Duration.ofMillis(1), () -> delay(10)));
            Cleanup.onDrain(() -> {
                delay(20);
                log.add("other hook");
            });
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("other hook", "main cancelled");
        assertThat(ended.reports()).hasSize(2).allSatisfy(report -> assertThat(report)
                .startsWith("A drain hook has failed; the drain goes on: ")
                .contains("DrainTest.java"));
    }

    @Test
    void hookThatWasRemoved_isNotCalled() {
        TestRuntime ended = TestRuntime.run(() -> {
            Cleanup.Registration registration = Cleanup.onDrain(() -> log.add("hook"));
            registration.close();
            registration.close();
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("main cancelled");
        assertThat(millis(ended)).isZero();
    }

    @Test
    void hookRegisteredInTheDrain_beginsAtOnce() {
        TestRuntime.run(() -> {
            executor().execute(() -> {
                delay(10);
                Cleanup.onDrain(() -> {
                    delay(10);
                    log.add("late hook");
                });
            });
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("late hook", "main cancelled");
    }

    @Test
    void runThatEndsByItself_callsNoHook() {
        TestRuntime.run(() -> {
            Cleanup.onDrain(() -> log.add("hook"));
            delay(1);
        });
        assertThat(log).isEmpty();
    }

    @Test
    void unhandledError_skipsTheDrain() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            Cleanup.onDrain(() -> log.add("hook"));
            executor().execute(() -> waitToBeCancelled("task"));
            delay(1);
            throw new IllegalStateException("for once");
        });
        assertThat(thrown).hasMessage("for once");
        assertThat(log).containsExactly("task cancelled");
    }

    @Test
    void unhandledErrorInTheDrain_cancelsWithoutTheFinalPhase() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            executor().execute(() -> {
                try {
                    delay(3_600_000);
                } finally {
                    delay(5);
                    log.add("task cleaned up");
                }
            });
            suspend();
            gracefulShutdown();
            delay(10);
            throw new IllegalStateException("for once");
        });
        assertThat(thrown).hasMessage("for once");
        assertThat(log).containsExactly("task cleaned up");
        assertThat(millis(runtime)).isLessThan(100);
    }

    @Test
    void secondShutdown_changesNothing() {
        var first = new AsyncCancellation("first");
        TestRuntime.run(() -> {
            executor().execute(() -> {
                gracefulShutdown(first);
                gracefulShutdown(new AsyncCancellation("second"));
                delay(10);
                log.add("task done");
            });
            assertThatThrownBy(() -> delay(1_000)).isSameAs(first);
            throw first;
        });
        assertThat(log).containsExactly("task done");
    }

    @Test
    void hookThatAsksForAShutdown_isFinished() {
        TestRuntime.run(() -> {
            Cleanup.onDrain(() -> {
                gracefulShutdown();
                delay(10);
                log.add("hook done");
            });
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("hook done", "main cancelled");
    }

    @Test
    void shutdownNow_endsTheDrain() {
        var reason = new AsyncCancellation("now");
        TestRuntime ended = TestRuntime.run(runtime -> {
            executor().execute(() -> {
                assertThatThrownBy(() -> delay(3_600_000)).isSameAs(reason);
                log.add("task cancelled");
            });
            suspend();
            assertThat(runtime.runtime().isDraining()).isFalse();
            gracefulShutdown();
            assertThat(runtime.runtime().isDraining()).isTrue();
            runtime.runtime().shutdownNow(reason);
            assertThatThrownBy(() -> delay(3_600_000)).isSameAs(reason);
            assertThat(runtime.runtime().isDraining()).isFalse();
            throw reason;
        });
        assertThat(log).containsExactly("task cancelled");
        assertThat(millis(ended)).isLessThan(100);
        assertThat(ended.reports()).isEmpty();
    }

    @Test
    void shutdownNowWithoutADrain_cancels() {
        TestRuntime.run(runtime -> {
            Cleanup.onDrain(() -> log.add("hook"));
            runtime.runtime().shutdownNow(new AsyncCancellation("now"));
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("main cancelled");
    }

    @Test
    void workThatNobodyCanWake_endsTheDrainWithoutADeadlock() {
        TestRuntime ended = TestRuntime.run(() -> {
            Cleanup.onDrain(() -> {
                try {
                    await(new FutureState<String>().future());
                } finally {
                    log.add("hook cancelled");
                }
            });
            gracefulShutdown();
        });
        assertThat(log).containsExactly("hook cancelled");
        assertThat(millis(ended)).isLessThan(1_000);
        assertThat(ended.reports()).singleElement().satisfies(report -> assertThat(report)
                .startsWith("The drain ends, and all coroutines are cancelled, although work waits for what can't come"
                        + " any more:\n  coroutine #")
                .contains("'drain hook'"));
    }

    @Test
    void threadOfTheFactory_doesNotHoldTheDrain() {
        TestRuntime ended = TestRuntime.run(() -> {
            Async.threadFactory().newThread(() -> waitToBeCancelled("worker")).start();
            suspend();
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactlyInAnyOrder("worker cancelled", "main cancelled");
        assertThat(millis(ended)).isZero();
    }

    @Test
    void workOnAnotherThreadThatTakesTooLong_isNamed() {
        var begun = new CountDownLatch(1);
        var runtime = new TestRuntime(b -> b.drainTimeout(Duration.ofSeconds(7)));
        runtime.start(() -> {
            spawnThread(() -> {
                executor().execute(() -> {
                    begun.countDown();
                    await(new CompletableFuture<Void>());
                });
                await(new CompletableFuture<Void>());
            });
            Async.blocking(() -> begun.await());
            gracefulShutdown();
            waitToBeCancelled("main");
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("still under way after 7.0 s", "\n  on other threads of this run: 1");
    }

    /** Before the drain, as the one whose exit has begun it, and in the middle of it. */
    @Test
    void taskInsideSystemExit_holdsNothingUp() {
        var logger = Logger.getLogger("java.lang.Runtime");
        Handler neverReturns = new NeverReturns();
        logger.setUseParentHandlers(false);
        logger.addHandler(neverReturns);
        logger.setLevel(Level.FINE);
        try {
            TestRuntime ended = TestRuntime.run(() -> {
                executor().execute(() -> System.exit(1));
                executor().execute(() -> {
                    delay(100);
                    log.add("other task");
                    System.exit(2);
                });
                delay(1);
                gracefulShutdown();
                waitToBeCancelled("main");
            });
            assertThat(log).containsExactly("other task", "main cancelled");
            assertThat(millis(ended)).isBetween(100L, 150L);
            assertThat(ended.reports()).isEmpty();
        } finally {
            logger.setLevel(null);
            logger.removeHandler(neverReturns);
            logger.setUseParentHandlers(true);
        }
    }

    /** Holds a thread up inside {@code System.exit}, which tells this logger first. */
    private static final class NeverReturns extends Handler {
        @Override
        public void publish(LogRecord message) {
            while (true) LockSupport.park();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void cancelledFutureOfSubmit_endsItsWork() {
        TestRuntime ended = TestRuntime.run(runtime -> {
            CompletableFuture<?> task = runtime.runtime().submit(() -> waitToBeCancelled("task"));
            delay(1);
            gracefulShutdown();
            delay(10);
            task.cancel(false);
            waitToBeCancelled("main");
        });
        assertThat(log).containsExactly("task cancelled", "main cancelled");
        assertThat(millis(ended)).isLessThan(100);
    }

    @Test
    void shutdownBeforeTheRun_findsItsTasksAndHooks() {
        var runtime = new TestRuntime();
        runtime.runtime().onDrain(() -> log.add("hook"));
        runtime.runtime().onDrain(() -> log.add("removed")).close();
        CompletableFuture<String> early = runtime.runtime().submit(() -> {
            delay(10);
            return "done";
        });
        runtime.runtime().shutdown(new AsyncCancellation("early"));
        runtime.start(() -> waitToBeCancelled("main"));
        assertThat(early).isCompletedWithValue("done");
        assertThat(log).containsExactly("hook", "main cancelled");
    }

    @Test
    void shutdownNowBeforeTheRun_doesNotDrain() {
        var runtime = new TestRuntime();
        runtime.runtime().onDrain(() -> log.add("hook"));
        runtime.runtime().shutdown(new AsyncCancellation("early"));
        runtime.runtime().shutdownNow(new AsyncCancellation("early"));
        runtime.start(() -> log.add("main"));
        assertThat(log).doesNotContain("hook");
    }

    @Test
    void hookOfAnotherThread_isCalled() throws Exception {
        var runtime = Async.runtime().reactor(VirtualReactor::new).build();
        var began = new CountDownLatch(1);
        var called = new CompletableFuture<Thread>();
        Thread loop = Thread.ofPlatform()
                .start(() -> runtime.run(() -> {
                    began.countDown();
                    await(new CompletableFuture<Void>());
                }));
        assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
        runtime.onDrain(() -> {
            assertThat(runtime.isDraining()).isTrue();
            delay(1);
            called.complete(Thread.currentThread());
        });
        runtime.onDrain(() -> called.completeExceptionally(new AssertionError("removed")))
                .close();
        runtime.shutdown(new AsyncCancellation("enough"));
        assertThat(called.get(60, TimeUnit.SECONDS).isVirtual()).isTrue();
        assertThat(runtime.awaitEnd(Duration.ofSeconds(60))).isTrue();
        runtime.onDrain(() -> log.add("too late")).close();
        loop.join();
    }

    @Test
    void tasks_costNoMoreSwitches() {
        TestRuntime.run(() -> {
            Executor executor = executor();
            RuntimeStats counted = TestRuntime.counting(() -> {
                for (int i = 0; i < 100; i++) executor.execute(() -> {});
                suspend();
            });
            assertThat(counted.contextReuses()).isEqualTo(99);
            assertThat(counted.directSwitches() + counted.schedulerSwitches()).isLessThanOrEqualTo(3);
            assertThat(currentCoroutine().isCancellationRequested()).isFalse();
        });
    }
}
