package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.queue.MicrotaskQueue;
import org.trueasync.internal.testkit.TestRuntime;

class MicrotaskTest {
    /** Writes down its turns and its release. */
    private static final class Logged extends Microtask {
        private final String name;
        private final List<String> log;

        Logged(String name, List<String> log) {
            this.name = name;
            this.log = log;
        }

        @Override
        protected void run() {
            log.add(name);
        }

        @Override
        protected void release() {
            log.add(name + " released");
        }
    }

    @Test
    @Tag("K31")
    void queue_isFirstInFirstOutBeforeTheSwitch() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> log.add("coroutine"));
            for (int i = 0; i < 5; i++) {
                int number = i;
                Microtask.of(() -> log.add("microtask " + number)).enqueue();
            }
            log.add("main");
            suspend();
            log.add("main again");
        });
        assertThat(log)
                .containsExactly(
                        "main",
                        "microtask 0",
                        "microtask 1",
                        "microtask 2",
                        "microtask 3",
                        "microtask 4",
                        "coroutine",
                        "main again");
    }

    @Test
    @Tag("K31")
    void enqueuedByAMicrotask_runsInTheSameDrain() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> log.add("coroutine"));
            Microtask.of(() -> {
                        log.add("one");
                        Microtask.of(() -> {
                                    log.add("three");
                                    Microtask.of(() -> log.add("four")).enqueue();
                                })
                                .enqueue();
                    })
                    .enqueue();
            Microtask.of(() -> log.add("two")).enqueue();
        });
        assertThat(log).containsExactly("one", "two", "three", "four", "coroutine");
    }

    @Test
    @Tag("K31")
    void drain_runsInTheCurrentCoroutinesContextWithoutASwitch() {
        TestRuntime.run(() -> {
            var seen = new ArrayList<Object>();
            Microtask.of(() -> {
                        seen.add(Thread.currentThread());
                        seen.add(Async.currentCoroutine());
                    })
                    .enqueue();
            var stats = TestRuntime.counting(Async::suspend);
            assertThat(seen).containsExactly(Thread.currentThread(), Async.currentCoroutine());
            assertThat(stats.switches()).isZero();
        });
    }

    @Test
    @Tag("K23")
    @Tag("K31")
    void enqueuedByWhatArrives_isRunBeforeTheNextCoroutine() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> log.add("next"));
            Runtimes.here("post")
                    .post(() -> Microtask.of(() -> log.add("microtask")).enqueue());
            suspend();
        });
        assertThat(log).containsExactly("microtask", "next");
    }

    @Test
    @Tag("K23")
    @Tag("K31")
    void enqueuedByAPollRightAfterADrain_isRunBeforeTheNextCoroutine() {
        var log = new ArrayList<String>();
        TestRuntime.run(runtime -> {
            // Long slices make the scheduler look at the clock in every tick.
            for (int i = 0; i < 100; i++) {
                runtime.reactor().advance(1_000_000);
                suspend();
            }
            Loop loop = Runtimes.here("work");
            enqueueAfter(3, () -> {
                runtime.reactor().advance(10_000_000);
                keepFrameBusy(loop, 5);
            });
            enqueueAfter(8, () -> log.add("microtask"));
            delay(3);
            log.add("main");
        });
        assertThat(log).containsExactly("microtask", "main");
    }

    /** So many passes of the loop in which nothing is picked. */
    private static void keepFrameBusy(Loop loop, int passes) {
        if (passes > 0) loop.post(() -> loop.inService(() -> keepFrameBusy(loop, passes - 1)));
    }

    private static void enqueueAfter(int millis, Runnable action) {
        var timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(millis));
        timer.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, Object result, Throwable error) {
                Microtask.of(action).enqueue();
            }
        });
        timer.start();
    }

    @Test
    @Tag("K23")
    void eachBringsAnotherByWhatArrives_theOthersHaveTheirTurn() {
        var rounds = new AtomicInteger();
        TestRuntime.run(() -> {
            Loop loop = Runtimes.here("post");
            enqueueAfter(3, () -> bringsAnother(loop, rounds));
            delay(3);
            assertThat(rounds.get()).isBetween(2, 100);
        });
        assertThat(rounds).hasValue(1_000);
    }

    /** The last one ends it, so that a loop that starves the others fails its test and does not hang. */
    private static void bringsAnother(Loop loop, AtomicInteger rounds) {
        if (rounds.incrementAndGet() == 1_000) return;
        loop.post(() -> Microtask.of(() -> bringsAnother(loop, rounds)).enqueue());
    }

    @Test
    @Tag("K31")
    void enqueuedWhileNobodyRuns_isRunBeforeTheNextCoroutine() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            enqueueAfter(3, () -> log.add("microtask"));
            delay(3);
            log.add("main");
        });
        assertThat(log).containsExactly("microtask", "main");
    }

    @Test
    @Tag("K32")
    void turn_happensOnceAndReleasesRightAfter() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var first = new Logged("first", log);
            var second = new Logged("second", log);
            first.enqueue();
            second.enqueue();
            assertThat(first.references()).isEqualTo(1);
            suspend();
            assertThat(first.references()).isZero();
            suspend();
            suspend();
        });
        assertThat(log).containsExactly("first", "first released", "second", "second released");
    }

    @Test
    @Tag("K32")
    void heldByOthers_isReleasedWhenTheLastLetsGo() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var microtask = new Logged("it", log);
            microtask.retain();
            microtask.enqueue();
            suspend();
            assertThat(log).containsExactly("it");
            microtask.drop();
            assertThat(log).containsExactly("it", "it released");
            assertThatThrownBy(microtask::drop).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    @Tag("K32")
    void enqueuedTwice_runsOnceAndMayBeEnqueuedAgainLater() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var microtask = new Logged("it", log);
            microtask.retain();
            microtask.enqueue();
            microtask.enqueue();
            suspend();
            assertThat(log).containsExactly("it");
            microtask.enqueue();
            suspend();
            assertThat(log).containsExactly("it", "it");
            microtask.drop();
        });
        assertThat(log).containsExactly("it", "it", "it released");
    }

    @Test
    @Tag("K33")
    void cancelledBeforeItsTurn_isSkippedAndReleased() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var microtask = new Logged("it", log);
            microtask.enqueue();
            microtask.cancel();
            Microtask.of(() -> log.add("next")).enqueue();
            suspend();
        });
        assertThat(log).containsExactly("it released", "next");
    }

    @Test
    @Tag("K33")
    void cancelledByAnEarlierMicrotask_isSkipped() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var later = new Logged("later", log);
            Microtask.of(later::cancel).enqueue();
            later.enqueue();
            suspend();
        });
        assertThat(log).containsExactly("later released");
    }

    @Test
    @Tag("K34")
    void throwingMicrotask_stopsTheDrainAndTheRestStaysQueued() {
        var log = new ArrayList<String>();
        var queue = new MicrotaskQueue();
        var error = new IllegalStateException("expected");
        var failing = new Microtask() {
            @Override
            protected void run() {
                throw error;
            }

            @Override
            protected void release() {
                log.add("failing released");
            }
        };
        queue.add(new Logged("first", log));
        queue.add(failing);
        queue.add(new Logged("last", log));
        assertThatThrownBy(() -> queue.drain(100)).isSameAs(error);
        assertThat(log).containsExactly("first", "first released", "failing released");
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.isDraining()).isFalse();
    }

    @Test
    @Tag("K34")
    @Tag("K47")
    void throwingMicrotask_isAnUnhandledErrorAndTheRestIsReleased() {
        var log = new ArrayList<String>();
        var error = new IllegalStateException("expected");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Microtask.of(() -> {
                        throw error;
                    })
                    .enqueue();
            new Logged("rest", log).enqueue();
            delay(1_000);
            log.add("main went on");
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).contains("rest released").doesNotContain("main went on");
    }

    @Test
    @Tag("K35")
    void microtaskThatTriesToSuspend_isRefused() {
        var thrown = new ArrayList<Throwable>();
        TestRuntime.run(() -> {
            spawn(() -> {});
            List<org.trueasync.Body> attempts =
                    List.of(Async::suspend, () -> delay(1), () -> Async.await(spawn(() -> 1)));
            for (var attempt : attempts) {
                Microtask.of(() -> {
                            try {
                                attempt.run();
                            } catch (Throwable e) {
                                thrown.add(e);
                            }
                        })
                        .enqueue();
            }
            suspend();
            suspend();
        });
        assertThat(thrown).hasSize(3).allSatisfy(e -> assertThat(e)
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("microtask"));
    }

    @Test
    @Tag("K35")
    void microtaskThatTriesToSuspend_doesNotDisturbTheWaitOfItsCoroutine() {
        TestRuntime.run(runtime -> {
            Microtask.of(() -> {
                        try {
                            delay(1);
                        } catch (AsyncException refused) {
                            // what the test above is about
                        }
                    })
                    .enqueue();
            long start = runtime.reactor().nanoTime();
            delay(50);
            assertThat(runtime.reactor().nanoTime() - start).isEqualTo(50_000_000);
        });
    }

    @Test
    @Tag("K34")
    @Tag("F25")
    void drainWithALimit_leavesTheRestForTheNextOne() throws Throwable {
        var log = new ArrayList<String>();
        var queue = new MicrotaskQueue();
        for (int i = 0; i < 5; i++) queue.add(new Logged("m" + i, log));
        queue.drain(2);
        assertThat(queue.size()).isEqualTo(3);
        queue.discard(failed -> log.add("failed"));
        assertThat(queue.isEmpty()).isTrue();
        assertThat(log)
                .containsExactly("m0", "m0 released", "m1", "m1 released", "m2 released", "m3 released", "m4 released");
    }

    @Test
    @Tag("K31")
    void microtask_mayWakeTheCoroutineInWhoseTickItRuns() {
        TestRuntime.run(() -> {
            var result = new AtomicReference<Object>();
            Waker waker = Waker.current();
            waker.resumeWhen(new org.trueasync.internal.testkit.ManualEvent("never"), ResumeCallback.RESOLVE);
            Microtask.of(() -> waker.wake("woken")).enqueue();
            var stats = TestRuntime.counting(() -> result.set(waker.await()));
            assertThat(result.get()).isEqualTo("woken");
            assertThat(stats.switches()).isZero();
        });
    }

    @Test
    @Tag("K4")
    void microtaskWhileNobodyRuns_canNotCancelTheSchedulersOwnCoroutine() {
        var ran = new ArrayList<String>();
        TestRuntime.run(() -> {
            var timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(1));
            timer.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, Object result, Throwable error) {
                    Microtask.of(() -> {
                                Coroutine<?> own = Async.currentCoroutine();
                                own.cancel();
                                ran.add(own.isCancellationRequested() + " "
                                        + Async.coroutines().contains(own));
                            })
                            .enqueue();
                }
            });
            timer.start();
            delay(5);
            Microtask.of(() -> ran.add("others still run")).enqueue();
            delay(5);
        });
        assertThat(ran).containsExactly("false false", "others still run");
    }
}
