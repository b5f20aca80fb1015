package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;

/** The loop itself times the JDK's waits that have a limit. */
class TimedParkTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final long HOUR_IN_MILLIS = TimeUnit.HOURS.toMillis(1);

    /**
     * Jumps from deadline to deadline, and says that its time is real. A wait that looks at no clock itself ends when
     * this one has come to its end.
     */
    private static final class Jumping extends VirtualReactor {
        @Override
        public boolean isTimeVirtual() {
            return false;
        }
    }

    private static long hours(Jumping reactor) {
        return reactor.now() / HOUR;
    }

    private interface Main {
        void run(Jumping reactor) throws Throwable;
    }

    private static void run(Main main) {
        var reactor = new Jumping();
        new TestRuntime(builder -> builder.reactor(() -> reactor)).start(() -> main.run(reactor));
    }

    @Test
    void parksAndDelays_endInTheOrderOfTheirDeadlines() {
        var log = new ArrayList<String>();
        run(reactor -> {
            spawn(() -> {
                LockSupport.parkNanos(2 * HOUR);
                log.add("park, at " + hours(reactor));
            });
            spawn(() -> {
                delay(2 * HOUR_IN_MILLIS);
                log.add("delay, at " + hours(reactor));
            });
            spawn(() -> {
                LockSupport.parkNanos(HOUR);
                log.add("short park, at " + hours(reactor));
            });
            spawn(() -> {
                LockSupport.parkNanos(2 * HOUR);
                log.add("last park, at " + hours(reactor));
            });
        });
        assertThat(log).containsExactly("short park, at 1", "park, at 2", "delay, at 2", "last park, at 2");
    }

    @Test
    void waitForAMonitor_endsAtItsLimit() {
        run(reactor -> {
            var monitor = new Object();
            synchronized (monitor) {
                monitor.wait(3 * HOUR_IN_MILLIS);
            }
            assertThat(hours(reactor)).isEqualTo(3);
        });
    }

    @Test
    void wokenEarlier_theTimerIsTakenBack() {
        run(reactor -> {
            Coroutine<?> parked = spawn(() -> {
                Thread self = Thread.currentThread();
                spawn(() -> LockSupport.unpark(self));
                LockSupport.parkNanos(HOUR);
            });
            await(parked);
            assertThat(runtimeStats().timers()).isZero();
            assertThat(reactor.now()).isZero();
        });
    }

    @Test
    void notifiedEarlier_theTimerIsTakenBack() {
        run(reactor -> {
            var monitor = new Object();
            Coroutine<?> waiting = spawn(() -> {
                synchronized (monitor) {
                    monitor.wait(HOUR_IN_MILLIS);
                }
            });
            suspend();
            assertThat(runtimeStats().timers()).isOne();
            synchronized (monitor) {
                monitor.notify();
            }
            await(waiting); // a thread of the JVM's unblocks it; until then time may jump
            assertThat(runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("K51")
    void cancelledSleep_endsAndTheTimerIsTakenBack() {
        run(reactor -> {
            Coroutine<?> sleeper = spawn(() -> Thread.sleep(Duration.ofDays(1)));
            suspend();
            assertThat(runtimeStats().timers()).isOne();
            sleeper.cancel();
            assertThatThrownBy(() -> await(sleeper)).isInstanceOf(AsyncCancellation.class);
            assertThat(sleeper.isCancelled()).isTrue();
            assertThat(runtimeStats().timers()).isZero();
            assertThat(reactor.now()).isZero();
        });
    }

    @Test
    void aThreadThatALibraryStarted_isTimedByTheLoop() {
        run(reactor -> {
            var at = new AtomicInteger();
            Thread thread = Thread.startVirtualThread(() -> {
                LockSupport.parkNanos(HOUR);
                at.set((int) hours(reactor));
            });
            thread.join();
            assertThat(at).hasValue(1);
        });
    }

    @Test
    void runEndsFirst_theJdkTimesTheRest() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        run(reactor -> {
            for (int i = 0; i < 3; i++) {
                threads.add(Thread.startVirtualThread(() -> {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // without a loop
                }));
            }
            suspend();
            assertThat(runtimeStats().timers()).isEqualTo(3);
        });
        for (Thread thread : threads)
            assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    }

    /** Of a park that another thread ends first, also where threads stand still for seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    @Tag("deep")
    void wokenAfterTheRun_theJdkDoesNotWakeItTwice() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        var woken = new AtomicInteger();
        run(reactor -> {
            threads.add(Thread.startVirtualThread(() -> {
                LockSupport.parkNanos(LIMIT.toNanos());
                woken.incrementAndGet();
                LockSupport.park();
                woken.incrementAndGet();
            }));
            suspend();
        });
        Thread thread = threads.getFirst();
        LockSupport.unpark(thread);
        while (woken.get() == 0 || thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
        // Had the limit not been taken back, it would end the second park.
        assertThat(thread.join(LIMIT.plusMillis(100))).isFalse();
        assertThat(woken).hasValue(1);
        LockSupport.unpark(thread);
        thread.join();
    }

    /** All of them wake at once, and the run queue has to grow for them. */
    @Test
    @Tag("K67")
    void noMemoryForALongerRunQueue_endsTheRunAndLosesNobody() {
        var ended = new AtomicInteger();
        var reactor = new Jumping();
        Throwable thrown;
        try {
            thrown = new TestRuntime(builder -> builder.reactor(() -> reactor)).failure(() -> {
                for (int i = 0; i < 100; i++) {
                    spawn(() -> {
                        try {
                            LockSupport.parkNanos(HOUR);
                        } finally {
                            ended.incrementAndGet();
                        }
                    });
                }
                spawn(() -> {
                    var once = new AtomicInteger(1);
                    FaultPoint.fault = () -> {
                        if (once.getAndDecrement() > 0) throw new OutOfMemoryError("no longer run queue");
                    };
                });
                delay(2 * HOUR_IN_MILLIS);
            });
        } finally {
            FaultPoint.fault = null;
        }
        assertThat(thrown).isInstanceOf(OutOfMemoryError.class).hasMessageContaining("no longer run queue");
        assertThat(ended).hasValue(100);
    }

    @Test
    void awaitingInfo_saysHowLongItTakesYet() {
        run(reactor -> {
            Coroutine<?> sleeper = spawn(() -> LockSupport.parkNanos(HOUR));
            suspend();
            reactor.advance(HOUR / 4);
            assertThat(sleeper.awaitingInfo())
                    .containsExactly(
                            "blocked in java.util.concurrent.locks.LockSupport.parkNanos, for 2700000 ms more");
        });
    }

    @Test
    void whereTimeIsVirtual_theJdkTimesItsOwnWaits() {
        TestRuntime.run(runtime -> {
            Coroutine<?> sleeper = spawn(() -> LockSupport.parkNanos(HOUR / HOUR));
            suspend();
            assertThat(runtimeStats().timers()).isZero();
            await(sleeper);
        });
    }
}
