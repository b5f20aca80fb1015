package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Waker;

class ShutdownTest {
    private static void waitForEver() {
        Waker waker = Waker.current();
        waker.resumeWhen(new ManualEvent("never"), ResumeCallback.RESOLVE);
        waker.await();
    }

    @Test
    @Tag("K62")
    void everyCoroutine_isCancelledAndRunsItsFinally() {
        var log = new ArrayList<String>();
        var reason = new AsyncCancellation("time to go");
        TestRuntime ended = TestRuntime.run(() -> {
            for (int i = 0; i < 3; i++) {
                int number = i;
                spawn(() -> {
                    try {
                        delay(1_000_000);
                    } catch (AsyncCancellation e) {
                        assertThat(e).isSameAs(reason);
                        throw e;
                    } finally {
                        delay(number);
                        log.add("finally " + number);
                    }
                });
            }
            suspend();
            gracefulShutdown(reason);
        });
        assertThat(log).containsExactlyInAnyOrder("finally 0", "finally 1", "finally 2");
        assertThat(ended.reactor().isClosed()).isTrue();
        assertThat(ended.reactor().nanoTime()).isLessThan(1_000_000_000);
    }

    @Test
    @Tag("K62")
    void secondShutdown_changesNothing() {
        TestRuntime.run(() -> {
            var reason = new AsyncCancellation("first");
            Coroutine<?> c = spawn(() -> {
                assertThatThrownBy(() -> delay(1_000)).isSameAs(reason);
                delay(5);
            });
            suspend();
            gracefulShutdown(reason);
            gracefulShutdown(new AsyncCancellation("second"));
            assertThatThrownBy(Async::suspend).isSameAs(reason);
            gracefulShutdown(new AsyncCancellation("third"));
            delay(10);
            assertThat(c.isCompleted()).isTrue();
            assertThat(c.isCancelled()).isFalse();
        });
    }

    @Test
    @Tag("K62")
    void shutdown_isNoError() {
        assertThat(new TestRuntime().<String>call(() -> {
                    gracefulShutdown();
                    return "value";
                }))
                .isNull();
    }

    @Test
    @Tag("K62")
    void microtasksLeft_areReleased() {
        var log = new ArrayList<String>();
        class Logged extends Microtask {
            @Override
            protected void run() {
                log.add("run");
            }

            @Override
            protected void release() {
                log.add("released");
            }
        }
        var runtime = new TestRuntime(b -> b.shutdownTimeout(Duration.ofSeconds(1)));
        runtime.start(() -> {
            var lock = new ReentrantLock();
            spawn(() -> {
                lock.lock();
                delay(3_600_000);
            });
            suspend();
            // Held up in the middle of a drain, so that what is behind it can't run before the deadline.
            Microtask.of(() -> {
                        try {
                            lock.lockInterruptibly();
                        } catch (InterruptedException e) {
                            log.add("interrupted");
                        }
                    })
                    .enqueue();
            new Logged().enqueue();
            gracefulShutdown();
            Async.protect(() -> delay(3_600_000));
        });
        assertThat(log).contains("released").doesNotContain("run");
    }

    @Test
    @Tag("K62")
    void steps_areTakenInTheirOrder() {
        var log = new ArrayList<String>();
        var runtime = new TestRuntime(b -> b.reactor(() -> new VirtualReactor() {
            @Override
            public void close() {
                log.add("reactor stopped");
                super.close();
            }
        }));
        runtime.start(() -> {
            Cleanup.atEnd(() -> log.add("clean-up action"));
            Coroutine<?>[] both = new Coroutine<?>[2];
            for (int i = 0; i < 2; i++) {
                int n = i;
                both[i] = spawn(() -> {
                    try {
                        delay(3_600_000);
                    } catch (AsyncCancellation e) {
                        log.add("cancelled " + n);
                        throw e;
                    } finally {
                        delay(5);
                        log.add("finally " + n);
                    }
                });
            }
            suspend();
            gracefulShutdown();
            log.add("requested: " + both[0].isCancellationRequested() + " " + both[1].isCancellationRequested());
        });
        assertThat(log)
                .containsExactly(
                        "requested: true true",
                        "cancelled 0",
                        "cancelled 1",
                        "finally 0",
                        "finally 1",
                        "clean-up action",
                        "reactor stopped");
    }

    @Test
    @Tag("K62")
    void eventStillArmed_isNotWaitedForOnceEverybodyHasEnded() {
        var runtime = new TestRuntime();
        runtime.start(() -> {
            SchedulerProvider.get().timers().periodic(Duration.ofHours(1)).start();
            Async.executor(); // could bring work, but the run ends
            delay(1);
            gracefulShutdown();
        });
        assertThat(runtime.reactor().nanoTime()).isLessThan(1_000_000_000L);
    }

    @Test
    @Tag("K62")
    void timerWhoseCallbackThrows_doesNotHoldTheShutdownUp() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            TimerEvent timer = SchedulerProvider.get()
                    .timers()
                    .oneShot(Duration.ofMillis(5))
                    .keepOpen();
            timer.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                    throw new IllegalStateException("callback");
                }
            });
            timer.start();
        });
        assertThat(thrown).hasMessage("callback");
        assertThat(runtime.reactor().nanoTime()).isLessThan(1_000_000_000L);
    }

    @Test
    @Tag("K63")
    void acceptedTaskOfTheExecutor_runsAllTheSame() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Async.executor().execute(() -> log.add("task"));
            Async.threadFactory().newThread(() -> log.add("thread")).start();
            gracefulShutdown();
        });
        assertThat(log).containsExactly("task", "thread");
    }

    @Test
    @Tag("K63")
    void notYetStarted_neverRunsItsBody() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> log.add("body"));
            c.onFinally(ended -> log.add("finally, cancelled " + ended.isCancelled()));
            gracefulShutdown();
        });
        assertThat(log).containsExactly("finally, cancelled true");
    }

    @Test
    @Tag("K63")
    @Tag("C12")
    void protection_isLifted() {
        var log = new ArrayList<String>();
        TestRuntime ended = TestRuntime.run(() -> {
            spawn(() -> Async.protect(() -> {
                try {
                    delay(1_000_000);
                    log.add("not reached");
                } finally {
                    log.add("interrupted");
                }
            }));
            suspend();
            gracefulShutdown();
        });
        assertThat(log).containsExactly("interrupted");
        assertThat(ended.reactor().nanoTime()).isLessThan(1_000_000_000);
    }

    @Test
    @Tag("K62")
    @Tag("D13")
    void taskThatBeginsInAShutdown_findsThatItsWaitsThrow() {
        var log = new ArrayList<String>();
        var reason = new AsyncCancellation("time to go");
        var ended = new TestRuntime(b -> b.drainTimeout(Duration.ZERO));
        ended.start(() -> {
            for (Body wait : new Body[] {
                () -> delay(3_600_000),
                () -> Thread.sleep(3_600_000),
                () -> new java.util.concurrent.CountDownLatch(1).await()
            })
                Async.executor().execute(() -> {
                    try {
                        wait.run();
                    } catch (AsyncCancellation | InterruptedException e) {
                        log.add(e == reason ? "thrown" : e.getClass().getSimpleName());
                    } catch (Throwable e) {
                        throw new AssertionError(e);
                    }
                    delay(1);
                    log.add("cleaned up");
                });
            Async.threadFactory()
                    .newThread(() -> {
                        assertThatThrownBy(() -> delay(3_600_000)).isSameAs(reason);
                        log.add("thread");
                    })
                    .start();
            gracefulShutdown(reason);
        });
        assertThat(log)
                .containsExactlyInAnyOrder(
                        "thrown",
                        "InterruptedException",
                        "InterruptedException",
                        "thread",
                        "cleaned up",
                        "cleaned up",
                        "cleaned up");
        assertThat(ended.reactor().nanoTime()).isLessThan(1_000_000_000);
    }

    @Test
    @Tag("K62")
    @Tag("D13")
    void finallyCallbackThatBeginsInAShutdown_findsThatItsWaitsThrow() {
        var log = new ArrayList<String>();
        var reason = new AsyncCancellation("time to go");
        TestRuntime ended = TestRuntime.run(() -> {
            var scope = new Scope();
            scope.onFinally(s -> {
                log.add("scope");
                delay(3_600_000);
                log.add("not reached");
            });
            Coroutine<?> c = scope.spawn(() -> delay(3_600_000));
            c.onFinally(x -> {
                try {
                    delay(3_600_000);
                } catch (AsyncCancellation e) {
                    assertThat(e).isSameAs(reason);
                    delay(1);
                    log.add("coroutine");
                }
            });
            suspend();
            gracefulShutdown(reason);
        });
        assertThat(log).containsExactlyInAnyOrder("scope", "coroutine");
        assertThat(ended.reactor().nanoTime()).isLessThan(1_000_000_000);
    }

    @Test
    @Tag("K62")
    void executorAfterTheDeadline_refusesAndWhatHasNotBegunIsNotTheRunsAffair() {
        var refused = new ArrayList<Boolean>();
        var ran = new java.util.concurrent.CompletableFuture<Thread>();
        new TestRuntime(b -> b.shutdownTimeout(Duration.ofMillis(20))).start(() -> {
            var executor = Async.executor();
            gracefulShutdown();
            try {
                Async.protect(() -> delay(3_600_000));
            } catch (AsyncCancellation e) {
                // the first wait throws, the second one lasts to the deadline
            }
            Async.protect(() -> {
                try {
                    delay(3_600_000);
                } catch (AsyncCancellation e) {
                    // the deadline
                }
            });
            try {
                executor.execute(() -> ran.complete(Thread.currentThread()));
                refused.add(false);
            } catch (java.util.concurrent.RejectedExecutionException e) {
                assertThat(e).hasMessageContaining("runs no more tasks");
                refused.add(true);
            }
        });
        assertThat(refused).containsExactly(true);
        assertThat(ran).isNotDone();
    }

    @Test
    @Tag("K63")
    void errorsDuringShutdown_chainNewestOutermost() {
        var first = new IllegalStateException("first");
        var second = new IllegalArgumentException("second");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> c = spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    Async.executor().execute(() -> {
                        throw second;
                    });
                }
            });
            suspend();
            assertThat(c.isSuspended()).isTrue();
            throw first;
        });
        assertThat(thrown).isSameAs(second).hasCause(first);
    }

    @Test
    @Tag("K64")
    void secondUnhandledErrorDuringShutdown_endsTheWaitsOfTheRest() {
        var log = new ArrayList<String>();
        TestRuntime runtime = new TestRuntime();
        runtime.failure(() -> {
            spawn(() -> {
                try {
                    delay(1_000_000);
                } finally {
                    try {
                        delay(20_000);
                        log.add("not reached");
                    } finally {
                        log.add("cut short");
                    }
                }
            });
            spawn(() -> {
                try {
                    delay(1_000_000);
                } finally {
                    Async.executor().execute(() -> {
                        throw new IllegalStateException("second");
                    });
                }
            });
            suspend();
            throw new IllegalStateException("first");
        });
        assertThat(log).containsExactly("cut short");
        assertThat(runtime.reactor().nanoTime()).isLessThan(1_000_000_000);
    }

    @Test
    @Tag("K65")
    void gracefulShutdown_returnsToItsCallerWhoIsCancelledAtTheNextSuspension() {
        var log = new ArrayList<String>();
        var reason = new AsyncCancellation("time to go");
        TestRuntime.run(() -> {
            gracefulShutdown(reason);
            log.add("returned");
            assertThat(currentCoroutine().isCancellationRequested()).isTrue();
            assertThatThrownBy(Async::suspend).isSameAs(reason);
            log.add("cancelled");
        });
        assertThat(log).containsExactly("returned", "cancelled");
    }

    @Test
    @Tag("K62")
    void blockedInJdkCode_isInterrupted() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                try {
                    new CompletableFuture<Void>().get();
                } catch (InterruptedException e) {
                    log.add("interrupted");
                }
            });
            suspend();
            gracefulShutdown();
        });
        assertThat(log).containsExactly("interrupted");
    }

    @Test
    @Tag("K62")
    @Tag("F27")
    void handlersThatSpawnDuringShutdown_doNotKeepItFromEnding() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                try {
                    delay(1_000_000);
                } finally {
                    spawn(() -> {
                        delay(5);
                        log.add("late child");
                    });
                }
            });
            suspend();
            gracefulShutdown();
        });
        assertThat(log).containsExactly("late child");
    }

    @Test
    @Tag("K62")
    void deadlineOver_theRestIsCutShort() {
        var log = new ArrayList<String>();
        TestRuntime runtime = new TestRuntime(b -> b.shutdownTimeout(Duration.ofSeconds(2)));
        runtime.start(() -> {
            spawn(() -> {
                try {
                    delay(1_000_000);
                } finally {
                    try {
                        delay(60_000);
                    } finally {
                        log.add("cut short at " + runtime.reactor().nanoTime() / 1_000_000_000);
                    }
                }
            });
            suspend();
            gracefulShutdown();
        });
        assertThat(log).containsExactly("cut short at 2");
        assertThat(runtime.runtime().survivors()).isEmpty();
    }

    @Test
    @Tag("K62")
    void coroutineThatCatchesEverythingAndWaits_isLeftBehindAndNamed() {
        TestRuntime runtime = new TestRuntime(b -> b.shutdownTimeout(Duration.ofSeconds(2)));
        runtime.start(() -> {
            spawn(() -> {
                while (true) {
                    try {
                        delay(10);
                    } catch (AsyncCancellation e) {
                        // stubborn
                    }
                }
            });
            suspend();
            gracefulShutdown();
        });
        assertThat(runtime.runtime().survivors()).singleElement().asString().contains("ShutdownTest.java");
        assertThat(runtime.reports())
                .containsExactly(
                        "1 coroutine was abandoned, as it did not end when told to (the shutdown timeout is 2.0 s):\n  "
                                + runtime.runtime().survivors().getFirst());
    }

    @Test
    @Tag("K62")
    void mainThatSwallowsItsShutdown_isReportedOnceWithItsPlace() {
        TestRuntime runtime = new TestRuntime(b -> b.shutdownTimeout(Duration.ofSeconds(2)));
        runtime.start(() -> {
            spawn(() -> gracefulShutdown());
            while (true) {
                try {
                    delay(10);
                } catch (AsyncCancellation e) {
                    // goes on
                }
            }
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .matches("(?s)1 coroutine was abandoned,.*\\n {2}coroutine #\\d+ .*, suspended ShutdownTest.java:\\d+");
    }

    /** The report may not hold up the end of the run. */
    @Test
    @Tag("deep")
    @Tag("K62")
    void abandonedCoroutineThatHoldsTheLockOfTheSink_doesNotHoldUpTheReport() {
        var lock = new Object();
        var reports = new ArrayList<String>();
        TestRuntime runtime =
                new TestRuntime(b -> b.shutdownTimeout(Duration.ofSeconds(2)).diagnostics(text -> {
                    synchronized (lock) {
                        reports.add(text);
                    }
                }));
        runtime.start(() -> {
            spawn(() -> {
                synchronized (lock) {
                    while (true) {
                        try {
                            delay(10);
                        } catch (AsyncCancellation e) {
                            // goes on with the lock
                        }
                    }
                }
            });
            suspend();
            gracefulShutdown();
        });
        assertThat(runtime.runtime().survivors()).hasSize(1);
        assertThat(reports).isEmpty();
    }

    @Test
    @Tag("K62")
    void coroutineThatCatchesEverythingAndSuspends_isLeftBehindAndNamed() {
        TestRuntime runtime = new TestRuntime(b -> b.shutdownTimeout(Duration.ofMillis(1)));
        runtime.start(() -> {
            spawn(() -> {
                while (true) {
                    runtime.reactor().advance(10_000);
                    try {
                        suspend();
                    } catch (AsyncCancellation e) {
                        // stubborn
                    }
                }
            });
            suspend();
            gracefulShutdown();
        });
        assertThat(runtime.runtime().survivors()).hasSize(1);
    }

    @Test
    @Tag("K62")
    void coroutineThatCatchesEverythingAndAwaitsNothing_isLeftBehindAndNamed() {
        TestRuntime runtime = new TestRuntime();
        assertThat(runtime.failure(() -> {
                    while (true) {
                        try {
                            waitForEver();
                        } catch (AsyncCancellation e) {
                            // stubborn
                        }
                    }
                }))
                .isInstanceOf(DeadlockError.class);
        assertThat(runtime.runtime().survivors()).hasSize(1);
    }

    @Test
    @Tag("K62")
    void shutdownFromAnotherThread_cancelsEverything() throws InterruptedException {
        var begun = new CompletableFuture<Void>();
        var log = new ArrayList<String>();
        AsyncRuntime runtime = Async.runtime().reactor(VirtualReactor::new).build();
        var loop = new Thread(() -> runtime.run(() -> {
            var gate = new CompletableFuture<Void>();
            spawn(() -> await(gate));
            begun.complete(null);
            try {
                await(gate);
            } catch (AsyncCancellation e) {
                log.add(e.getMessage());
            }
        }));
        loop.start();
        begun.join();
        runtime.shutdown(new AsyncCancellation("from outside"));
        assertThat(runtime.awaitEnd(Duration.ofSeconds(10))).isTrue();
        loop.join();
        assertThat(log).containsExactly("from outside");
        runtime.shutdown(new AsyncCancellation("after the end"));
    }

    @Test
    @Tag("K62")
    void shutdownBeforeTheRun_takesEffectWhenItBegins() {
        var log = new ArrayList<String>();
        TestRuntime runtime = new TestRuntime();
        runtime.runtime().shutdown(new AsyncCancellation("early"));
        runtime.start(() -> log.add("main"));
        assertThat(log).isEmpty();
    }

    @Test
    @Tag("K66")
    void runThatFailed_leavesNothingBehind() {
        var before = Thread.getAllStackTraces().keySet();
        for (Body body : List.<Body>of(
                () -> {
                    throw new IllegalStateException("expected");
                },
                ShutdownTest::waitForEver,
                () -> spawn(() -> {
                    throw new IllegalStateException("expected");
                }))) {
            assertThat(TestRuntime.failureOf(body)).isNotNull();
            assertThat(Async.runtimeStats()).isEqualTo(RuntimeStats.NONE);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(
                        thread -> !before.contains(thread) && thread.getName().equals("test-loop"));
        TestRuntime.run(() -> assertThat(await(spawn(() -> 1))).isEqualTo(1));
    }
}
