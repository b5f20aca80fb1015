package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Events;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.TriggerEvent;
import org.trueasync.spi.Waker;

class DeadlockTest {
    private static Object waitFor(Event event) {
        Waker waker = Waker.current();
        waker.resumeWhen(event, ResumeCallback.RESOLVE);
        return waker.await();
    }

    private static void waitForEver() {
        waitFor(new ManualEvent("never"));
    }

    @Test
    @Tag("K56")
    void nothingCanWakeAnyone_isADeadlock() {
        Throwable thrown = TestRuntime.failureOf(DeadlockTest::waitForEver);
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasMessageContaining("1 coroutine");
    }

    @Test
    @Tag("K56")
    void mainEndedAndAnotherWaitsForEver_isADeadlock() {
        Throwable thrown = TestRuntime.failureOf(() -> spawn(DeadlockTest::waitForEver));
        assertThat(thrown).isInstanceOf(DeadlockError.class);
    }

    @Test
    @Tag("K56")
    void hiddenTimer_doesNotResolveADeadlock() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            TimerEvent timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(5));
            timer.setHidden(true);
            waitFor(timer);
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
    }

    @Test
    @Tag("K56")
    void visibleTimer_isNoDeadlock() {
        TestRuntime.run(() -> waitFor(SchedulerProvider.get().timers().oneShot(Duration.ofMillis(5))));
    }

    @Test
    @Tag("K56")
    void armedEventOfSomebodyElse_isNoDeadlockUntilItIsStopped() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            TimerEvent timer = SchedulerProvider.get().timers().periodic(Duration.ofMillis(5));
            int[] ticks = new int[1];
            timer.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, Object result, Throwable error) {
                    if (++ticks[0] == 10) timer.stop();
                }
            });
            timer.start();
            try {
                waitForEver();
            } finally {
                assertThat(ticks[0]).isEqualTo(10);
            }
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasNoCause();
    }

    @Test
    @Tag("K56")
    void inFlightOperation_isNoDeadlock() {
        TestRuntime.run(() -> {
            TriggerEvent inFlight = Events.trigger();
            var event = new ManualEvent("request");
            Waker waker = Waker.current();
            inFlight.start();
            CompletableFuture<Void> elsewhere = new CompletableFuture<>();
            elsewhere.thenRun(() -> {});
            var executor = Async.executor();
            new Thread(() -> executor.execute(() -> {
                        inFlight.stop();
                        event.fire("done");
                    }))
                    .start();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            assertThat(waker.await()).isEqualTo("done");
        });
    }

    @Test
    @Tag("K56")
    void microtaskThatStillHasToRun_isNoDeadlock() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            Microtask.of(() -> event.fire("by a microtask")).enqueue();
            assertThat(waitFor(event)).isEqualTo("by a microtask");
        });
    }

    @Test
    @Tag("K57")
    @Tag("F23")
    void lastPollBringsSomething_isNoDeadlock() {
        // a hidden timer is due already: it can't rule a deadlock out, but the last look at the reactor fires it
        TestRuntime.run(runtime -> {
            TimerEvent timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(5));
            timer.setHidden(true);
            var event = new ManualEvent("door");
            timer.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event fired, Object result, Throwable error) {
                    event.fire("just in time");
                }
            });
            timer.start();
            runtime.reactor().advance(10_000_000);
            assertThat(waitFor(event)).isEqualTo("just in time");
        });
    }

    @Test
    @Tag("K58")
    void everyLiveCoroutine_getsACancellationThatSaysDeadlock() {
        var seen = new ArrayList<Throwable>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            for (int i = 0; i < 3; i++) {
                spawn(() -> {
                    try {
                        waitForEver();
                    } catch (AsyncCancellation e) {
                        seen.add(e);
                        throw e;
                    }
                });
            }
            spawn(() -> Async.protect(() -> {
                try {
                    waitForEver();
                } catch (AsyncCancellation e) {
                    seen.add(e);
                    throw e;
                }
            }));
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasMessageContaining("4 coroutines");
        assertThat(seen).hasSize(4).allSatisfy(e -> assertThat(e).hasMessageContaining("deadlock"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void cancellationOfADeadlock_saysHowManyWait(int count) {
        var told = new ArrayList<String>();
        TestRuntime.failureOf(() -> {
            Body waits = () -> {
                try {
                    waitForEver();
                } catch (AsyncCancellation e) {
                    told.add(e.getMessage());
                }
            };
            for (int i = 1; i < count; i++) spawn(waits);
            waits.run();
        });
        String who = count == 1 ? "1 coroutine waits" : "3 coroutines wait";
        assertThat(told).hasSize(count).containsOnly("deadlock: " + who + ", and nothing can change that");
    }

    @Test
    @Tag("K59")
    void cancellationCaught_runsOnAndRunStillThrows() {
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            try {
                waitForEver();
            } catch (AsyncCancellation e) {
                log.add("caught");
            }
            delay(10);
            log.add("went on");
            await(spawn(() -> log.add("spawned")));
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
        assertThat(log).containsExactly("caught", "went on", "spawned");
    }

    @Test
    @Tag("K59")
    @Tag("F24")
    void waitingForEverAgain_endsNevertheless() {
        var log = new ArrayList<String>();
        TestRuntime runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            try {
                waitForEver();
            } catch (AsyncCancellation e) {
                log.add("caught");
            }
            try {
                waitForEver();
            } finally {
                log.add("finally");
            }
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
        assertThat(log).containsExactly("caught", "finally");
        assertThat(runtime.reports()).as("one report").hasSize(1);
    }

    @Test
    @Tag("K59")
    void earlierExitException_becomesTheCause() {
        var error = new IllegalStateException("earlier");
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    waitForEver();
                }
            });
            suspend();
            throw error;
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasCause(error);
    }

    @Test
    @Tag("K60")
    void cycleOfAwaits_isADeadlock() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var handles = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) {
                int next = (i + 1) % 3;
                handles.add(spawn(() -> await(handles.get(next))));
            }
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasMessageContaining("3 coroutines");
    }

    @Test
    @Tag("K61")
    void report_tellsWhoWaitsForWhatAndWhere() {
        var runtime = new TestRuntime();
        var reportedBefore = new ArrayList<Integer>();
        var ids = new ArrayList<Long>();
        Throwable thrown = runtime.failure(() -> {
            Coroutine<?> c = spawn(() -> waitFor(new ManualEvent("the gate")));
            ids.add(c.id());
            ids.add(currentCoroutine().id());
            try {
                await(c);
            } catch (AsyncCancellation e) {
                reportedBefore.add(runtime.reports().size());
                throw e;
            }
        });
        assertThat(reportedBefore)
                .as("reported before anybody sees the deadlock")
                .containsExactly(1);
        String report = runtime.reports().getFirst();
        assertThat(thrown).hasMessage(report);
        assertThat(report)
                .contains("2 coroutines wait")
                .contains("0 active events")
                .contains("manual event 'the gate'")
                .contains("#" + ids.get(0))
                .contains("#" + ids.get(1))
                .contains("coroutine #" + ids.get(0));
        assertThat(report.lines().skip(1)).hasSize(2).allSatisfy(line -> assertThat(line)
                .matches("  #\\d+ spawned .*, suspended DeadlockTest\\.java:\\d+, awaits .+"));
    }

    @Test
    @Tag("K61")
    void reportsSwitchedOff_onlyTheErrorTells() {
        var runtime = new TestRuntime(b -> b.deadlockReports(false));
        Throwable thrown = runtime.failure(() -> waitFor(new ManualEvent("the gate")));
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasMessageContaining("the gate");
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("K61")
    void byDefault_reportsGoToTheSystemLogger() {
        Logger logger = Logger.getLogger("org.trueasync");
        var records = new ArrayList<LogRecord>();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                records.add(entry);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        try {
            assertThatThrownBy(
                            () -> Async.runtime().reactor(VirtualReactor::new).run(() -> {
                                waitFor(new ManualEvent("the gate"));
                            }))
                    .isInstanceOf(DeadlockError.class);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
        assertThat(records).singleElement().satisfies(r -> {
            assertThat(r.getLevel()).isEqualTo(Level.WARNING);
            assertThat(r.getMessage()).contains("Deadlock: 1 coroutine").contains("the gate");
        });
    }

    @Test
    @Tag("K61")
    void coroutineThatAwaitsNothing_isReportedAsAwaitingNothing() {
        // a waker that waits on an event that has gone from it: the callback swallowed the one firing
        var runtime = new TestRuntime();
        runtime.failure(() -> {
            Waker waker = Waker.current();
            var event = new ManualEvent("door");
            waker.resumeWhen(event, (w, e, result, error) -> {});
            spawn(() -> event.fire(null));
            waker.await();
        });
        assertThat(runtime.reports()).singleElement().asString().contains("manual event 'door'");
    }

    @Test
    @Tag("K56")
    void guestThatCouldWakeSomeone_isNoDeadlock() {
        TestRuntime.run(() -> {
            var latch = new CountDownLatch(1);
            Thread.ofVirtual().start(() -> {
                try {
                    Thread.sleep(3);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                latch.countDown();
            });
            Coroutine<?> c = spawn(() -> latch.await());
            await(c);
        });
    }

    @Test
    @Tag("K56")
    void coroutineBlockedInJdkCode_isNoDeadlock() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> {
                Thread.sleep(3);
                return 1;
            });
            assertThat(await(c)).isEqualTo(1);
        });
    }

    @Test
    @Tag("K56")
    void reachableExecutor_isNoDeadlock() {
        TestRuntime.run(() -> {
            var executor = Async.executor();
            var event = new ManualEvent("door");
            Coroutine<?> c = spawn(() -> waitFor(event));
            new Thread(() -> {
                        pause();
                        executor.execute(() -> event.fire(null));
                    })
                    .start();
            await(c);
        });
    }

    @Test
    @Tag("K56")
    void executorThatNobodyHoldsAnyLonger_isADeadlockAgain() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            WeakReference<Executor> executor = forgottenExecutor();
            while (executor.get() != null) Garbage.collect();
            waitForEver();
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
    }

    private static WeakReference<Executor> forgottenExecutor() {
        return new WeakReference<>(Async.executor());
    }

    /** Lets some real time pass on a thread that is no test thread. */
    private static void pause() {
        java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
    }

    @Test
    @Tag("K56")
    @Tag("F21")
    void completedStageLeftBehind_isADeadlockAgain() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            assertThatThrownBy(() -> await(new CompletableFuture<Integer>(), Async.timeout(5)))
                    .isInstanceOf(OperationCanceledException.class);
            waitForEver();
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
    }

    @Test
    @Tag("K58")
    void deadlockedCoroutines_runTheirFinallyBlocks() {
        var log = new ArrayList<String>();
        TestRuntime.failureOf(() -> {
            for (int i = 0; i < 3; i++) {
                int number = i;
                spawn(() -> {
                    try {
                        waitForEver();
                    } finally {
                        delay(10 - number);
                        log.add("finally " + number);
                    }
                });
            }
        });
        assertThat(log).containsExactly("finally 2", "finally 1", "finally 0");
    }
}
