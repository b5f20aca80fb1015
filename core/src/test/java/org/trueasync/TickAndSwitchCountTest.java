package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.TcpHandle;
import org.trueasync.spi.Waker;

class TickAndSwitchCountTest {
    private static final long MICROS = 1_000;
    private static final int STRIDE = 33;
    private static final long MILLIS = 1_000_000;

    @Test
    @Tag("K23")
    void tick_microtasksThenQueueThenSwitch() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                SwitchHandlers.add(
                        (c, entering, finishing) -> log.add(entering ? "enter a" : finishing ? "finish a" : "leave a"));
                log.add("a1");
                Microtask.of(() -> log.add("microtask of a")).enqueue();
                suspend();
                log.add("a2");
            });
            spawn(() -> {
                log.add("b1");
                Microtask.of(() -> log.add("microtask of b")).enqueue();
            });
            log.add("main");
            Microtask.of(() -> log.add("microtask of main")).enqueue();
        });
        assertThat(log)
                .containsExactly(
                        "main",
                        "microtask of main",
                        "a1",
                        "leave a",
                        "microtask of a",
                        "b1",
                        "microtask of b",
                        "enter a",
                        "a2",
                        "finish a");
    }

    @Test
    @Tag("K23")
    void tick_pollsTheReactorAfterMicrotasksAndBeforeItPicks() {
        var log = new ArrayList<String>();
        TestRuntime.run(runtime -> {
            // Long slices make the scheduler look at the clock at every switch.
            for (int i = 0; i < 100; i++) {
                runtime.reactor().advance(MILLIS);
                suspend();
            }
            var timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(10));
            Coroutine<?> waiter = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(timer, ResumeCallback.RESOLVE);
                runtime.reactor().advance(MILLIS);
                waker.await();
                log.add("timer's waiter");
            });
            runtime.reactor().advance(MILLIS);
            suspend();
            spawn(() -> log.add("peer, waiter queued: " + waiter.isQueued()));
            Microtask.of(() -> log.add("microtask, waiter queued: " + waiter.isQueued()))
                    .enqueue();
            runtime.reactor().advance(50 * MILLIS);
            suspend();
        });
        assertThat(log)
                .containsExactly("microtask, waiter queued: false", "peer, waiter queued: true", "timer's waiter");
    }

    @Test
    @Tag("K24")
    void pingPong_costsOneDirectSwitchASuspension() {
        TestRuntime.run(() -> {
            Coroutine<?> other = spawn(() -> {
                for (int i = 0; i < 101; i++) suspend();
            });
            suspend();
            RuntimeStats stats = TestRuntime.counting(() -> {
                for (int i = 0; i < 100; i++) suspend();
            });
            assertThat(stats.directSwitches()).isEqualTo(200);
            assertThat(stats.schedulerSwitches()).isZero();
            assertThat(stats.contextsCreated()).isZero();
            assertThat(stats.contextReuses()).isZero();
            assertThat(stats.reactorTurns()).isZero();
            other.cancel();
        });
    }

    @Test
    @Tag("K24")
    void wakeOfAWaitingPeer_costsOneSwitchThereAndOneBack() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            spawn(() -> {
                for (int i = 0; i < 11; i++) {
                    Waker waker = Waker.current();
                    waker.resumeWhen(event, ResumeCallback.RESOLVE);
                    waker.await();
                }
            });
            suspend();
            RuntimeStats stats = TestRuntime.counting(() -> {
                for (int i = 0; i < 10; i++) {
                    event.fire(null);
                    suspend();
                }
            });
            assertThat(stats.directSwitches()).isEqualTo(20);
            assertThat(stats.schedulerSwitches()).isZero();
            event.fire(null);
        });
    }

    @Test
    @Tag("K25")
    void delayWithNobodyReady_givesTheSchedulerControlOnce() {
        TestRuntime.run(() -> {
            RuntimeStats stats = TestRuntime.counting(() -> {
                for (int i = 0; i < 10; i++) delay(1);
            });
            assertThat(stats.schedulerSwitches()).isEqualTo(10);
            assertThat(stats.directSwitches()).isZero();
        });
    }

    @Test
    @Tag("K25")
    void endWithNobodyReady_givesTheSchedulerControlOnce() {
        TestRuntime.run(() -> {
            RuntimeStats stats = TestRuntime.counting(() -> {
                spawn(() -> {});
                delay(1);
            });
            assertThat(stats.directSwitches()).isEqualTo(1);
            assertThat(stats.schedulerSwitches()).isEqualTo(1);
        });
    }

    @Test
    @Tag("K25")
    void deadlock_givesTheSchedulerControl() {
        var counted = new ArrayList<Long>();
        TestRuntime.failureOf(() -> {
            RuntimeStats before = runtimeStats();
            try {
                Waker waker = Waker.current();
                waker.resumeWhen(new ManualEvent("never"), ResumeCallback.RESOLVE);
                waker.await();
            } finally {
                counted.add(runtimeStats().schedulerSwitches() - before.schedulerSwitches());
            }
        });
        assertThat(counted).singleElement().satisfies(n -> assertThat(n).isPositive());
    }

    @Test
    @Tag("K26")
    void finishedThenUnstarted_runsOnTheSameContextWithoutASwitch() {
        TestRuntime.run(() -> {
            RuntimeStats stats = TestRuntime.counting(() -> {
                Coroutine<?> last = null;
                for (int i = 0; i < 10; i++) last = spawn(() -> {});
                await(java.util.Objects.requireNonNull(last));
            });
            assertThat(stats.spawned()).isEqualTo(10);
            assertThat(stats.contextsCreated()).isEqualTo(1);
            assertThat(stats.contextReuses()).isEqualTo(9);
            // main to the first, the last to main
            assertThat(stats.directSwitches()).isEqualTo(2);
            assertThat(stats.schedulerSwitches()).isZero();
        });
    }

    @Test
    @Tag("K26")
    void chainOfSpawns_runsOnOneContext() {
        var threads = new java.util.HashSet<Thread>();
        TestRuntime.run(() -> chain(100, threads));
        assertThat(threads).hasSize(1);
    }

    private static void chain(int links, java.util.Set<Thread> threads) {
        threads.add(Thread.currentThread());
        if (links > 0) spawn(() -> chain(links - 1, threads));
    }

    @Test
    @Tag("K26")
    void cancelledBeforeItBegan_costsNoContext() {
        TestRuntime.run(() -> {
            RuntimeStats stats = TestRuntime.counting(() -> {
                for (int i = 0; i < 20; i++) spawn(() -> {}).cancel();
                suspend();
            });
            assertThat(stats.contextsCreated()).isZero();
            assertThat(stats.switches()).isZero();
            assertThat(stats.coroutines()).isEqualTo(1);
        });
    }

    @Test
    @Tag("K27")
    void finishedContexts_areReused() {
        TestRuntime.run(() -> {
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 3; i++) spawn(() -> delay(1));
                delay(5);
            }
            RuntimeStats stats = runtimeStats();
            assertThat(stats.contextsCreated()).isEqualTo(4); // main's and three
            assertThat(stats.idleContexts()).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @CsvSource({"4, 4096, 4", "0, 0, 0", "7, 7, 7"})
    @Tag("K27")
    void contextsThatEndWhileNothingIsQueued_areKeptUpToTheMinimum(int min, int max, int kept) {
        new TestRuntime(b -> b.idleContexts(min, max)).start(() -> {
            for (int i = 1; i <= 50; i++) {
                int millis = i;
                spawn(() -> delay(millis));
            }
            delay(60);
            assertThat(runtimeStats().idleContexts()).isEqualTo(kept);
            assertThat(await(spawn(() -> 1))).isEqualTo(1);
        });
    }

    @Test
    @Tag("K27")
    void poolGrowsWhileTheQueueIsLonger_andSurplusIsDiscarded() {
        TestRuntime.run(() -> {
            for (int i = 0; i < 50; i++) spawn(() -> delay(1));
            delay(2);
            // 50 end one after another while the queue is long: the pool may hold more than the minimum then
            var most = new int[1];
            for (int i = 0; i < 50; i++)
                spawn(() -> {
                    delay(1);
                    most[0] = Math.max(most[0], runtimeStats().idleContexts());
                });
            delay(10);
            assertThat(most[0]).isGreaterThan(4);
            for (int i = 0; i < 20; i++) delay(1_000);
            assertThat(runtimeStats().idleContexts()).isEqualTo(4);
        });
    }

    @Test
    @Tag("K27")
    @Tag("U2")
    void reusedContext_looksNew() {
        var local = new ThreadLocal<String>();
        var inheritable = new InheritableThreadLocal<String>();
        var loader = new ClassLoader() {};
        TestRuntime.run(() -> {
            var threads = new ArrayList<Thread>();
            spawn(() -> {
                threads.add(Thread.currentThread());
                local.set("left behind");
                inheritable.set("left behind");
                Thread.currentThread().interrupt();
                Thread.currentThread().setName("left behind");
                Thread.currentThread().setContextClassLoader(loader);
            });
            spawn(() -> {
                threads.add(Thread.currentThread());
                assertThat(local.get()).isNull();
                assertThat(inheritable.get()).isNull();
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                assertThat(Thread.currentThread().getName()).isEmpty();
                assertThat(Thread.currentThread().getContextClassLoader()).isNotSameAs(loader);
            });
            suspend();
            assertThat(threads).hasSize(2);
            assertThat(threads.get(0)).isSameAs(threads.get(1));
        });
    }

    @Test
    @Tag("U2")
    void threadLocal_staysWithItsCoroutineAcrossSwitches() {
        var local = new ThreadLocal<Integer>();
        TestRuntime.run(() -> {
            for (int i = 0; i < 20; i++) {
                int number = i;
                spawn(() -> {
                    local.set(number);
                    for (int k = 0; k < 5; k++) {
                        suspend();
                        assertThat(local.get()).isEqualTo(number);
                    }
                });
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"1", "20", "100", "900"})
    @Tag("K28")
    void busyCoroutines_letTheReactorHaveItsTurnWithinAMillisecond(int sliceMicros) {
        long[] fired = new long[1];
        TestRuntime.run(runtime -> {
            VirtualReactor reactor = runtime.reactor();
            boolean[] stop = new boolean[1];
            for (int i = 0; i < 2; i++) {
                spawn(() -> {
                    while (!stop[0]) {
                        reactor.advance(sliceMicros * MICROS);
                        suspend();
                    }
                });
            }
            delay(5);
            fired[0] = reactor.nanoTime();
            stop[0] = true;
        });
        // a turn each millisecond, then the rest of the queue; quick slices are looked at every 32nd time
        long slack = Math.max(32 * Math.min(sliceMicros, 20), 3 * sliceMicros) * MICROS;
        assertThat(fired[0]).isBetween(5 * MILLIS, 6 * MILLIS + slack);
    }

    @Test
    @Tag("K28")
    void onlyCoroutineThatSuspendsInALoop_doesNotStarveATimer() {
        TestRuntime.run(runtime -> {
            boolean[] stop = new boolean[1];
            spawn(() -> {
                delay(5);
                stop[0] = true;
            });
            suspend();
            int rounds = 0;
            while (!stop[0] && rounds < 100_000) {
                runtime.reactor().advance(10 * MICROS);
                suspend();
                rounds++;
            }
            assertThat(stop[0]).isTrue();
            assertThat(rounds).isLessThan(700);
        });
    }

    /** The reactor's turn may come late once, by the slices of one stride of the clock: decision 0010. */
    @ParameterizedTest
    @CsvSource({"2", "10", "50"})
    @Tag("K28")
    void coroutinesThatTurnFromQuickToSlow_areNoticedWithinAStride(int sliceMillis) {
        TestRuntime.run(runtime -> {
            VirtualReactor reactor = runtime.reactor();
            Coroutine<?> peer = spawn(() -> {
                while (true) suspend();
            });
            for (int i = 0; i < 1_000; i++) suspend();
            long[] fired = new long[1];
            spawn(() -> {
                delay(1);
                fired[0] = reactor.nanoTime();
            });
            suspend();
            long start = reactor.nanoTime();
            while (fired[0] == 0 && reactor.nanoTime() - start < 10_000 * MILLIS) {
                reactor.advance(sliceMillis * MILLIS);
                suspend();
            }
            assertThat(fired[0]).isPositive();
            assertThat(fired[0] - start).isLessThanOrEqualTo(STRIDE * sliceMillis * MILLIS);
            peer.cancel();
        });
    }

    @Test
    @Tag("K28")
    void timersThatAreAlwaysDue_doNotStarveReadyCoroutines() {
        TestRuntime.run(runtime -> {
            var timer = SchedulerProvider.get().timers().periodic(Duration.ofNanos(1));
            timer.start();
            var turns = new int[1];
            spawn(() -> {
                for (int i = 0; i < 100; i++) {
                    turns[0]++;
                    runtime.reactor().advance(2 * MILLIS);
                    suspend();
                }
            });
            for (int i = 0; i < 100; i++) suspend();
            assertThat(turns[0]).isGreaterThanOrEqualTo(99);
            timer.stop();
        });
    }

    @Test
    @Tag("F25")
    void microtasksThatAlwaysBringAnother_doNotStarveTheReactor() {
        TestRuntime.run(runtime -> {
            boolean[] stop = new boolean[1];
            class Again extends Microtask {
                @Override
                protected void run() {
                    runtime.reactor().advance(MICROS);
                    if (!stop[0]) new Again().enqueue();
                }
            }
            new Again().enqueue();
            delay(5);
            stop[0] = true;
            assertThat(runtime.reactor().nanoTime()).isLessThan(100 * MILLIS);
        });
    }

    @Test
    @Tag("F25")
    void microtasksThatArrivalsBringAgainAndAgain_starveNobody() {
        var log = new ArrayList<String>();
        TestRuntime.run(runtime -> {
            Loop loop = Runtimes.here("work");
            boolean[] stop = new boolean[1];
            class Again extends Microtask {
                @Override
                protected void run() {
                    runtime.reactor().advance(MICROS);
                    if (!stop[0]) loop.post(() -> new Again().enqueue());
                }
            }
            Coroutine<?> peer = spawn(() -> {
                delay(2);
                log.add("peer");
            });
            new Again().enqueue();
            delay(5);
            log.add("main");
            stop[0] = true;
            assertThat(runtime.reactor().nanoTime()).isLessThan(100 * MILLIS);
            assertThat(peer.isCompleted()).isTrue();
        });
        assertThat(log).containsExactly("peer", "main");
    }

    @Test
    @Tag("K28")
    void quickSwitches_doNotReadTheClockEachTime() {
        var reactor = new CountingReactor();
        var runtime = new TestRuntime(b -> b.reactor(() -> reactor));
        runtime.start(() -> {
            Coroutine<?> peer = spawn(() -> {
                while (true) suspend();
            });
            for (int i = 0; i < 1_000; i++) suspend();
            int before = reactor.clockReadings;
            for (int i = 0; i < 1_000; i++) suspend();
            assertThat(reactor.clockReadings - before).isLessThanOrEqualTo(2_000 / 16);
            peer.cancel();
        });
    }

    @Test
    @Tag("K29")
    void whileSomethingIsReady_theReactorNeverWaits() {
        TestRuntime ended = TestRuntime.run(runtime -> {
            spawn(() -> {
                for (int i = 0; i < 100; i++) {
                    runtime.reactor().advance(MILLIS);
                    suspend();
                }
            });
            for (int i = 0; i < 100; i++) suspend();
            assertThat(runtime.reactor().turns()).isPositive();
            assertThat(runtime.reactor().waitingTurns()).isZero();
        });
        assertThat(ended.reactor().turns()).isPositive();
    }

    @Test
    @Tag("K29")
    void idleRuntime_takesOneTurnForOneWait() {
        TestRuntime ended = TestRuntime.run(() -> delay(60_000));
        assertThat(ended.reactor().waitingTurns()).isEqualTo(1);
        assertThat(ended.reactor().turns()).isLessThanOrEqualTo(3);
    }

    @Test
    @Tag("K13")
    @Tag("K24")
    void crowdReleasedByOneEvent_eachRunsOnceInOrder() {
        var log = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            var event = new ManualEvent("gate");
            for (int i = 0; i < 1_000; i++) {
                int number = i;
                spawn(() -> {
                    Waker waker = Waker.current();
                    waker.resumeWhen(event, ResumeCallback.RESOLVE);
                    waker.await();
                    log.add(number);
                });
            }
            suspend();
            RuntimeStats stats = TestRuntime.counting(() -> {
                event.fire(null);
                suspend();
            });
            assertThat(stats.directSwitches()).isEqualTo(1_001);
            assertThat(event.hasCallbacks()).isFalse();
            assertThat(currentCoroutine().isRunning()).isTrue();
        });
        assertThat(log).hasSize(1_000).isSorted();
    }

    /** Virtual time that counts how often it is asked for. */
    private static final class CountingReactor implements Reactor {
        private final VirtualReactor reactor = new VirtualReactor();
        int clockReadings;

        @Override
        public String description() {
            return reactor.description();
        }

        @Override
        public boolean isTimeVirtual() {
            return true;
        }

        @Override
        public long nanoTime() {
            clockReadings++;
            return reactor.nanoTime();
        }

        @Override
        public void execute(boolean noWait) {
            reactor.execute(noWait);
        }

        @Override
        public void alarm(long deadline) {
            reactor.alarm(deadline);
        }

        @Override
        public void trigger() {
            reactor.trigger();
        }

        @Override
        public PollHandle poll(int descriptor, PollHandle.Listener listener) {
            return reactor.poll(descriptor, listener);
        }

        @Override
        public ListenHandle listen(
                InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener) {
            return reactor.listen(local, options, listener);
        }

        @Override
        public TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener) {
            return reactor.connect(remote, listener);
        }

        @Override
        public int openHandles() {
            return reactor.openHandles();
        }

        @Override
        public void close() {
            reactor.close();
        }
    }
}
