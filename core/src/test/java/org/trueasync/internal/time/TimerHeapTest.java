package org.trueasync.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.event.Continuations;
import org.trueasync.internal.event.EventCount;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.TimerEvent;

class TimerHeapTest {
    private long now;
    private final EventCount active = new EventCount(() -> {});
    private final TimerHeap heap = new TimerHeap(() -> now, active, new Continuations(Runnable::run, Runnable::run));

    private static void whenFired(Event event, Runnable action) {
        event.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event fired, @Nullable Object result, @Nullable Throwable error) {
                action.run();
            }
        });
    }

    private TimerEvent timer(long nanos, Runnable action) {
        TimerEvent timer = heap.oneShot(Duration.ofNanos(nanos));
        whenFired(timer, action);
        return timer;
    }

    private TimerEvent periodic(long nanos, Runnable action) {
        TimerEvent timer = heap.periodic(Duration.ofNanos(nanos));
        whenFired(timer, action);
        return timer;
    }

    private void advanceTo(long time) {
        now = time;
        heap.fireDue();
    }

    @Test
    @Tag("E19")
    void timers_fireInDeadlineOrder() {
        var log = new ArrayList<Long>();
        for (long nanos : new long[] {50, 10, 40, 20, 30})
            timer(nanos, () -> log.add(nanos)).start();
        assertThat(heap.nextDeadline()).isEqualTo(10);
        advanceTo(35);
        assertThat(log).containsExactly(10L, 20L, 30L);
        advanceTo(100);
        assertThat(log).containsExactly(10L, 20L, 30L, 40L, 50L);
        assertThat(heap.isEmpty()).isTrue();
        assertThat(heap.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @Tag("E17")
    void timer_neverFiresEarly() {
        var log = new ArrayList<Long>();
        timer(10, () -> log.add(now)).start();
        advanceTo(9);
        assertThat(log).isEmpty();
        advanceTo(10);
        assertThat(log).containsExactly(10L);
    }

    @Test
    @Tag("K37")
    void timer_countsFromItsStart() {
        var log = new ArrayList<Long>();
        TimerEvent timer = timer(10, () -> log.add(now));
        advanceTo(500);
        assertThat(log).isEmpty();
        timer.start();
        advanceTo(509);
        assertThat(log).isEmpty();
        advanceTo(510);
        assertThat(log).containsExactly(510L);
    }

    @Test
    void equalDeadlines_fireInArmingOrder() {
        var log = new ArrayList<Integer>();
        for (int i = 0; i < 200; i++) {
            int number = i;
            timer(10, () -> log.add(number)).start();
        }
        advanceTo(10);
        assertThat(log).hasSize(200).isSorted();
    }

    @Test
    @Tag("E4")
    @Tag("E5")
    void startAndStop_areCountedAndSurplusDoesNothing() {
        TimerEvent timer = heap.oneShot(Duration.ofNanos(10));
        timer.stop();
        assertThat(active.count()).isZero();
        timer.start();
        timer.start();
        assertThat(active.count()).isEqualTo(1);
        assertThat(heap.size()).isEqualTo(1);
        timer.stop();
        assertThat(active.count()).isEqualTo(1);
        timer.stop();
        timer.stop();
        assertThat(active.count()).isZero();
        assertThat(heap.size()).isZero();
        timer.start();
        advanceTo(10);
        assertThat(active.count()).isZero();
        assertThat(timer.isClosed()).isTrue();
        timer.start();
        timer.stop();
        assertThat(active.count()).isZero();
    }

    @Test
    @Tag("E6")
    void hidden_firesButDoesNotCount() {
        var log = new ArrayList<String>();
        TimerEvent timer = timer(10, () -> log.add("fired"));
        timer.setHidden(true);
        timer.start();
        assertThat(active.count()).isZero();
        assertThatThrownBy(() -> timer.setHidden(false)).isInstanceOf(IllegalStateException.class);
        advanceTo(10);
        assertThat(log).containsExactly("fired");
        assertThat(active.count()).isZero();
    }

    @Test
    @Tag("E20")
    void periodic_firesUntilStoppedWithoutDriftAndWithoutMakingUp() {
        var log = new ArrayList<Long>();
        TimerEvent timer = heap.periodic(Duration.ofNanos(10));
        whenFired(timer, () -> log.add(now));
        timer.start();
        for (long time : new long[] {9, 10, 13, 20, 57, 59, 60}) advanceTo(time);
        assertThat(log).containsExactly(10L, 20L, 57L, 60L);
        assertThat(active.count()).isEqualTo(1);
        timer.stop();
        advanceTo(1_000);
        assertThat(log).hasSize(4);
        assertThat(active.count()).isZero();
        assertThatThrownBy(() -> heap.periodic(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("E20")
    void periodicStoppedByItsOwnCallback_stops() {
        int[] ticks = new int[1];
        TimerEvent timer = heap.periodic(Duration.ofNanos(10));
        whenFired(timer, () -> {
            if (++ticks[0] == 3) timer.stop();
        });
        timer.start();
        for (int i = 1; i < 20; i++) advanceTo(i * 10L);
        assertThat(ticks[0]).isEqualTo(3);
        assertThat(heap.isEmpty()).isTrue();
    }

    @Test
    @Tag("E20")
    void rearmable_isNotClosedByFiring() {
        var log = new ArrayList<Long>();
        TimerEvent timer = timer(10, () -> log.add(now)).keepOpen();
        timer.start();
        advanceTo(10);
        assertThat(timer.isClosed()).isFalse();
        assertThat(timer.isActive()).isFalse();
        assertThat(active.count()).isZero();
        timer.start();
        timer.rearm(Duration.ofNanos(30));
        advanceTo(25);
        assertThat(log).containsExactly(10L);
        advanceTo(40);
        assertThat(log).containsExactly(10L, 40L);
    }

    @Test
    @Tag("D20")
    void periodicThatIsRearmed_hasTheNewPeriodToo() {
        for (boolean startedBefore : new boolean[] {false, true}) {
            long begin = now;
            var log = new ArrayList<Long>();
            TimerEvent timer = periodic(10, () -> log.add(now - begin));
            if (startedBefore) timer.start();
            timer.rearm(Duration.ofNanos(3));
            if (!startedBefore) timer.start();
            for (int i = 1; i <= 10; i++) advanceTo(begin + i);
            timer.rearm(Duration.ofNanos(5));
            for (int i = 11; i <= 20; i++) advanceTo(begin + i);
            assertThat(log).containsExactly(3L, 6L, 9L, 15L, 20L);
            timer.dispose();
        }
    }

    @Test
    @Tag("D20")
    void periodicRearmedInItsOwnCallback_goesOnWithTheNewPeriod() {
        long begin = now;
        var log = new ArrayList<Long>();
        TimerEvent[] timer = new TimerEvent[1];
        timer[0] = periodic(2, () -> {
            log.add(now - begin);
            timer[0].rearm(Duration.ofNanos(log.size() + 2));
        });
        timer[0].start();
        for (int i = 1; i <= 14; i++) advanceTo(begin + i);
        assertThat(log).containsExactly(2L, 5L, 9L, 14L);
        timer[0].stop();
    }

    @Test
    @Tag("D20")
    void periodicRearmedWithNothing_isRefusedAndGoesOnAsItWas() {
        long begin = now;
        var log = new ArrayList<Long>();
        TimerEvent timer = periodic(4, () -> log.add(now - begin));
        timer.start();
        for (Duration none : new Duration[] {Duration.ZERO, Duration.ofMillis(-5)})
            assertThatThrownBy(() -> timer.rearm(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("period must be > 0 ms, got " + none.toMillis());
        for (int i = 1; i <= 8; i++) advanceTo(begin + i);
        assertThat(log).containsExactly(4L, 8L);
        timer.dispose();
    }

    @Test
    void timerOfZeroArmedByATimer_waitsForTheNextRound() {
        int[] fired = new int[1];
        class Again {
            void arm() {
                timer(0, () -> {
                            fired[0]++;
                            arm();
                        })
                        .start();
            }
        }
        new Again().arm();
        heap.fireDue();
        assertThat(fired[0]).isEqualTo(1);
        heap.fireDue();
        assertThat(fired[0]).isEqualTo(2);
    }

    @Test
    @Tag("E19")
    void cancelledByAnEarlierTimerOfTheSameRound_doesNotFire() {
        var log = new ArrayList<String>();
        TimerEvent later = timer(20, () -> log.add("later"));
        timer(10, () -> {
                    log.add("earlier");
                    later.stop();
                })
                .start();
        later.start();
        advanceTo(100);
        assertThat(log).containsExactly("earlier");
    }

    @Test
    @Tag("E12")
    void dispose_isIdempotentAndGivesTheTimerBack() {
        TimerEvent timer = heap.oneShot(Duration.ofNanos(10));
        timer.start();
        timer.dispose();
        timer.dispose();
        assertThat(heap.isEmpty()).isTrue();
        assertThat(active.count()).isZero();
        timer.start();
        assertThat(heap.isEmpty()).isTrue();
    }

    @Test
    @Tag("F71")
    void clockThatWrapsAround_keepsTheOrder() {
        var log = new ArrayList<String>();
        now = Long.MAX_VALUE - 10;
        timer(20, () -> log.add("second")).start();
        timer(5, () -> log.add("first")).start();
        heap.fireDue();
        assertThat(log).isEmpty();
        now += 5;
        heap.fireDue();
        assertThat(log).containsExactly("first");
        now += 15;
        heap.fireDue();
        assertThat(log).containsExactly("first", "second");
    }

    @Test
    @Tag("F71")
    void negativeDurations_areRefusedAndHugeOnesNeverFire() {
        assertThatThrownBy(() -> heap.oneShot(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        TimerEvent never = timer(1, () -> {
            throw new AssertionError("fired");
        });
        never.rearm(Duration.ofSeconds(Long.MAX_VALUE));
        never.start();
        advanceTo(Long.MAX_VALUE / 8);
        assertThat(heap.size()).isEqualTo(1);
        assertThat(TimerHeap.nanosOfMillis(Long.MAX_VALUE))
                .isEqualTo(TimerHeap.nanos(Duration.ofSeconds(Long.MAX_VALUE)));
        assertThat(TimerHeap.nanosOfMillis(3)).isEqualTo(3_000_000);
    }

    @Test
    @Tag("F79")
    void armedAndDisarmedAgainAndAgain_leavesFewCellsBehind() {
        TimerEvent first = timer(10, () -> {});
        first.start();
        for (int i = 0; i < 100_000; i++) {
            TimerEvent timer = timer(1_000 + i, () -> {
                throw new AssertionError("fired");
            });
            timer.start();
            timer.stop();
            assertThat(heap.cells()).isLessThan(200);
        }
        assertThat(heap.size()).isEqualTo(1);
        advanceTo(1_000_000);
        assertThat(heap.cells()).isZero();
    }

    @Test
    @Tag("F52")
    void callbackThrows_theOthersOfItsBatchAreStillDue() {
        var log = new ArrayList<Long>();
        for (long nanos = 1; nanos <= 10; nanos++) {
            long name = nanos;
            timer(nanos, () -> {
                        log.add(name);
                        if (name == 3 || name == 7) throw new IllegalStateException("timer " + name);
                    })
                    .start();
        }
        now = 20;
        assertThatThrownBy(heap::fireDue).hasMessage("timer 3");
        assertThat(heap.size()).isEqualTo(7);
        assertThat(heap.nextDeadline()).isEqualTo(4);
        assertThatThrownBy(heap::fireDue).hasMessage("timer 7");
        heap.fireDue();
        assertThat(log).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(active.count()).isZero();
    }

    @Test
    @Tag("F22")
    void callbacksDisarmAndRearmTheirBatch_eachFiresAtItsOwnTime() {
        var log = new ArrayList<String>();
        TimerEvent stopped = timer(2, () -> log.add("stopped"));
        TimerEvent later = timer(3, () -> log.add("later at " + now));
        timer(1, () -> {
                    stopped.stop();
                    later.rearm(Duration.ofNanos(100));
                })
                .start();
        stopped.start();
        later.start();
        timer(4, () -> log.add("last")).start();
        advanceTo(10);
        assertThat(log).containsExactly("last");
        assertThat(heap.nextDeadline()).isEqualTo(110);
        advanceTo(110);
        assertThat(log).containsExactly("last", "later at 110");
        assertThat(heap.isEmpty()).isTrue();
    }

    @Test
    @Tag("F22")
    void manyTimersMostlyDisarmed_theRestFiresInOrder() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            var expected = new ArrayList<Long>();
            var fired = new ArrayList<Long>();
            var doomed = new ArrayList<TimerEvent>();
            for (int i = 0; i < 5_000; i++) {
                long nanos = random.nextInt(1_000_000);
                if (random.nextInt(10) == 0) {
                    expected.add(now + nanos);
                    timer(nanos, () -> fired.add(now)).start();
                } else {
                    TimerEvent timer = timer(nanos, () -> {
                        throw new AssertionError("fired");
                    });
                    timer.start();
                    doomed.add(timer);
                }
                while (doomed.size() > 2_000)
                    doomed.remove(random.nextInt(doomed.size())).stop();
            }
            while (!doomed.isEmpty())
                doomed.remove(random.nextInt(doomed.size())).stop();
            expected.sort(null);
            while (!heap.isEmpty()) advanceTo(heap.nextDeadline());
            assertThat(fired).isEqualTo(expected);
            assertThat(active.count()).isZero();
        }
    }

    @Test
    @Tag("F22")
    void randomTimers_fireInOrderAndTheCountReturnsToZero() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            record Armed(long deadline, int sequence, TimerEvent timer) {}
            var armed = new ArrayList<Armed>();
            var fired = new ArrayList<TimerEvent>();
            int sequence = 0;
            for (int i = 0; i < 300; i++) {
                if (random.nextInt(4) > 0 || armed.isEmpty()) {
                    long nanos = random.nextInt(50);
                    var self = new TimerEvent[1];
                    self[0] = timer(nanos, () -> fired.add(self[0]));
                    self[0].start();
                    armed.add(new Armed(now + nanos, sequence++, self[0]));
                } else if (random.nextInt(4) == 0) {
                    Armed old = armed.remove(random.nextInt(armed.size()));
                    long nanos = random.nextInt(50);
                    old.timer().rearm(Duration.ofNanos(nanos));
                    armed.add(new Armed(now + nanos, sequence++, old.timer()));
                } else if (random.nextBoolean()) {
                    armed.remove(random.nextInt(armed.size())).timer().stop();
                } else {
                    advanceTo(now + random.nextInt(20));
                    List<Armed> due = armed.stream()
                            .filter(a -> a.deadline() <= now)
                            .sorted(Comparator.comparingLong(Armed::deadline).thenComparingInt(Armed::sequence))
                            .toList();
                    assertThat(fired).isEqualTo(due.stream().map(Armed::timer).toList());
                    fired.clear();
                    armed.removeAll(due);
                }
                assertThat(heap.size()).isEqualTo(armed.size());
                assertThat(active.count()).isEqualTo(armed.size());
                assertThat(heap.nextDeadline())
                        .isEqualTo(
                                armed.stream().mapToLong(Armed::deadline).min().orElse(Long.MAX_VALUE));
            }
            armed.forEach(a -> a.timer().stop());
            assertThat(heap.isEmpty()).isTrue();
        }
    }
}
