package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Timers;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.TestEvent.Heard;

/** Timers and delays. With a real clock only lower bounds are checked. */
public abstract class TimerConformance {
    private static final long MILLI = 1_000_000;

    private final ReactorKit kit;
    private final TestRun run;

    protected TimerConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    private static long now() {
        return SchedulerProvider.get().reactor().nanoTime();
    }

    private static Timers timers() {
        return SchedulerProvider.get().timers();
    }

    private void burn(long nanos) {
        kit.burn(SchedulerProvider.get().reactor(), nanos);
    }

    private static Object waitFor(TimerEvent timer) {
        Waker waker = Waker.current();
        waker.resumeWhen(timer, ResumeCallback.RESOLVE);
        return waker.await();
    }

    @Test
    @Tag("E17")
    void delay_neverEndsEarly() {
        run.run(() -> {
            for (int millis : new int[] {1, 2, 3, 7, 1}) {
                long before = now();
                Async.delay(millis);
                assertThat(now() - before).isGreaterThanOrEqualTo(millis * MILLI);
            }
            long before = now();
            Async.delay(Duration.ofNanos(300_001));
            assertThat(now() - before).isGreaterThanOrEqualTo(300_001);
        });
    }

    @Test
    @Tag("E17")
    @Tag("F70")
    void longComputationBeforeTheDelay_doesNotShortenIt() {
        run.run(() -> {
            Async.delay(1);
            burn(10 * MILLI);
            long before = now();
            Async.delay(5);
            assertThat(now() - before).isGreaterThanOrEqualTo(5 * MILLI);
            burn(10 * MILLI);
            before = now();
            assertThatThrownBy(() -> Async.await(Async.timeout(5))).isInstanceOf(AsyncTimeoutException.class);
            assertThat(now() - before).isGreaterThanOrEqualTo(5 * MILLI);
        });
    }

    @Test
    @Tag("E17")
    @Tag("F70")
    void computationBetweenCreationAndStart_timerCountsFromItsStart() {
        run.run(() -> {
            TimerEvent timer = timers().oneShot(Duration.ofMillis(3));
            burn(6 * MILLI);
            long before = now();
            waitFor(timer);
            assertThat(now() - before).isGreaterThanOrEqualTo(3 * MILLI);
        });
    }

    @Test
    @Tag("E18")
    void delayZero_goesThroughTheQueueWithoutATimer() {
        var order = new ArrayList<String>();
        run.run(() -> {
            Async.spawn(() -> {
                assertThat(Async.runtimeStats().timers()).isZero();
                order.add("other");
            });
            Async.delay(0);
            order.add("main");
            Async.spawn(() -> order.add("again"));
            Async.delay(Duration.ZERO);
            order.add("end");
        });
        assertThat(order).containsExactly("other", "main", "again", "end");
    }

    @Test
    @Tag("E18")
    @Tag("F71")
    void negativeOrZeroWhereNotAllowed_refusedWithTheValue() {
        run.run(() -> {
            assertThatThrownBy(() -> Async.delay(-250))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("delay must be >= 0 ms, got -250");
            assertThatThrownBy(() -> Async.delay(Long.MIN_VALUE)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Async.delay(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> Async.delay(Duration.ofSeconds(Long.MIN_VALUE)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Async.timeout(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("got 0");
            assertThatThrownBy(() -> Async.timeout(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Async.timeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> timers().periodic(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> timers().oneShot(Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("E19")
    void differentDelays_fireInDeadlineOrderAndEqualOnesAsArmed() {
        var order = new ArrayList<String>();
        run.run(() -> {
            long armed;
            do { // on a busy machine the deadlines may be in another order
                order.clear();
                long begun = System.nanoTime();
                var all = new ArrayList<Coroutine<?>>();
                var last = new long[1];
                for (int millis : new int[] {9, 1, 5, 1, 3, 5}) {
                    all.add(Async.spawn(() -> {
                        last[0] = System.nanoTime();
                        Async.delay(millis);
                        order.add(millis + "");
                    }));
                }
                assertThat(order).isEmpty();
                Async.awaitAllOrFail(all);
                armed = last[0] - begun;
            } while (armed >= 1_000_000);
        });
        assertThat(order).containsExactly("1", "1", "3", "5", "5", "9");
    }

    @Test
    @Tag("E19")
    void equalDeadlines_fireInTheOrderOfArming() {
        var order = new ArrayList<Integer>();
        run.run(() -> {
            var events = new ArrayList<TimerEvent>();
            for (int i = 0; i < 50; i++) {
                int me = i;
                TimerEvent timer = timers().oneShot(Duration.ofMillis(1));
                timer.addCallback(new Heard(() -> order.add(me)));
                timer.start();
                events.add(timer);
            }
            Async.delay(4);
        });
        assertThat(order).hasSize(50).isSorted();
    }

    @Test
    @Tag("E19")
    @Tag("F38")
    void cancelledMidWait_releasedAtOnceAndRunEnds() {
        run.run(() -> {
            long before = now();
            Coroutine<?> sleeper = Async.spawn(() -> Async.delay(3_600_000));
            Coroutine<?> timed = Async.spawn(() -> Async.await(Async.timeout(3_600_000)));
            Async.suspend();
            assertThat(Async.runtimeStats().timers()).isEqualTo(2);
            sleeper.cancel();
            timed.cancel();
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(now() - before).isLessThan(3_600_000 * MILLI);
        });
    }

    @Test
    @Tag("E20")
    void periodic_firesUntilStoppedNeverEarly() {
        run.run(() -> {
            TimerEvent periodic = timers().periodic(Duration.ofMillis(2));
            var times = new ArrayList<Long>();
            periodic.addCallback(new Heard(() -> times.add(now())));
            long start = now();
            periodic.start();
            while (times.size() < 5) Async.delay(1);
            periodic.stop();
            for (int i = 0; i < times.size(); i++)
                assertThat(times.get(i) - start).isGreaterThanOrEqualTo((i + 1) * 2 * MILLI);
            assertThat(periodic.isClosed()).isFalse();
            int fired = times.size();
            Async.delay(6);
            assertThat(times).hasSize(fired);
            periodic.start();
            while (times.size() == fired) Async.delay(1);
            periodic.dispose();
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("E20")
    void periodicMissed_notMadeUp() {
        run.run(() -> {
            TimerEvent periodic = timers().periodic(Duration.ofMillis(1));
            var heard = new Heard();
            periodic.addCallback(heard);
            periodic.start();
            burn(20 * MILLI);
            int before = heard.all.size();
            waitFor(periodic);
            assertThat(heard.all.size() - before).isEqualTo(1);
            periodic.dispose();
        });
    }

    @Test
    @Tag("E20")
    void rearmable_notClosedByFiringAndCountsAgain() {
        run.run(() -> {
            TimerEvent timer = timers().oneShot(Duration.ofMillis(1)).keepOpen();
            for (int i = 0; i < 3; i++) {
                waitFor(timer);
                assertThat(timer.isClosed()).isFalse();
                assertThat(timer.isActive()).isFalse();
                assertThat(Async.runtimeStats().activeEvents()).isZero();
            }
            timer.rearm(Duration.ofMillis(4));
            long before = now();
            waitFor(timer);
            assertThat(now() - before).isGreaterThanOrEqualTo(4 * MILLI);
            timer.start();
            timer.rearm(Duration.ofHours(1));
            timer.rearm(Duration.ofMillis(1));
            waitFor(timer);
            timer.dispose();
        });
    }

    @Test
    @Tag("E20")
    void periodicStoppedInItsOwnCallback_firesNoMore() {
        run.run(() -> {
            TimerEvent periodic = timers().periodic(Duration.ofMillis(1));
            var heard = new Heard(periodic::stop);
            periodic.addCallback(heard);
            periodic.start();
            Async.delay(6);
            assertThat(heard.all).hasSize(1);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    @Tag("F71")
    void hugeDurations_waitForEverWithoutOverflow() {
        run.run(() -> {
            var all = List.<Coroutine<?>>of(
                    Async.spawn(() -> Async.delay(Long.MAX_VALUE)),
                    Async.spawn(() -> Async.delay(Duration.ofSeconds(Long.MAX_VALUE))),
                    Async.spawn(() -> Async.delay(Long.MAX_VALUE / 1_000_000)),
                    Async.spawn(() -> Async.await(Async.timeout(Long.MAX_VALUE))),
                    Async.spawn(() -> Async.await(Async.timeout(Duration.ofDays(365L * 1_000)))));
            long turns = Async.runtimeStats().reactorTurns();
            Async.delay(3);
            assertThat(all).noneMatch(Coroutine::isCompleted);
            assertThat(Async.runtimeStats().reactorTurns() - turns).isLessThan(20);
            all.forEach(Coroutine::cancel);
        });
    }

    @Test
    @Tag("F71")
    void zeroTimerThatArmsItselfAgain_doesNotHoldTheLoop() {
        run.run(() -> {
            TimerEvent timer = timers().oneShot(Duration.ZERO).keepOpen();
            int[] fired = {0};
            timer.addCallback(new Heard(() -> {
                fired[0]++;
                timer.rearm(Duration.ZERO);
            }));
            timer.start();
            for (int i = 0; i < 20; i++) {
                Coroutine<?> worker = Async.spawn(Async::suspend);
                Async.await(worker);
            }
            timer.dispose();
        });
    }

    @Test
    @Tag("F71")
    void zeroTimer_firesInTheNextTurnNotInTheCall() {
        run.run(() -> {
            TimerEvent timer = timers().oneShot(Duration.ZERO);
            var heard = new Heard();
            timer.addCallback(heard);
            timer.start();
            assertThat(heard.all).isEmpty();
            Async.delay(1);
            assertThat(heard.all).hasSize(1);
        });
    }

    @Test
    @Tag("E8")
    @Tag("F38")
    void timeoutAsToken_givesUpTheWaitAndIsTheCause() {
        run.run(() -> {
            Coroutine<?> slow = Async.spawn(() -> Async.delay(3_600_000));
            assertThatThrownBy(() -> Async.await(slow, Async.timeout(2)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(slow.isCompleted()).isFalse();
            slow.cancel();
        });
    }

    @Test
    @Tag("F25")
    void microtasksThatKeepSchedulingMicrotasks_doNotStarveTimers() {
        run.run(() -> {
            boolean[] stop = {false};
            long[] ran = {0};
            org.trueasync.spi.Microtask[] again = new org.trueasync.spi.Microtask[1];
            again[0] = org.trueasync.spi.Microtask.of(() -> {
                // virtual time passes only while nobody is ready, so such a reactor's clock is moved by the microtask
                if (++ran[0] % 10_000 == 0) burn(MILLI / 10);
                if (!stop[0]) again[0].enqueue();
            });
            again[0].enqueue();
            Async.delay(2);
            stop[0] = true;
            assertThat(ran[0]).isPositive();
        });
    }

    @Test
    @Tag("F25")
    void coroutinesThatAreAlwaysReady_doNotStarveTimers() {
        run.run(() -> {
            boolean[] stop = {false};
            for (int i = 0; i < 3; i++) {
                Async.spawn(() -> {
                    while (!stop[0]) {
                        burn(50_000);
                        Async.suspend();
                    }
                });
            }
            Async.delay(3);
            stop[0] = true;
        });
    }
}
