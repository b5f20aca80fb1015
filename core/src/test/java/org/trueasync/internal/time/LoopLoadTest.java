package org.trueasync.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fed with times in milliseconds. */
@Tag("U13")
class LoopLoadTest {
    private static final long MILLI = 1_000_000;
    /** The clock may have any origin. */
    private static final long ORIGIN = Long.MAX_VALUE - 5_000 * MILLI;

    private final LoopLoad load = new LoopLoad(ORIGIN);
    private long now;

    private static long at(long millis) {
        return ORIGIN + millis * MILLI;
    }

    private double utilisation() {
        return load.utilisation(at(now));
    }

    private double lag() {
        return load.lag(at(now)) / MILLI;
    }

    private long held() {
        return load.held(at(now)) / MILLI;
    }

    /** Time goes by in what runs, with a poll each millisecond, at which entries of the queue have still to run. */
    private void computes(long millis, int queued) {
        for (long end = now + millis; now < end; now++) load.polled(at(now), 0, queued);
    }

    /** A round without a poll. */
    private void round(long millis) {
        load.polled(at(now), 0, 0);
        now += millis;
        load.polled(at(now), 0, 0);
    }

    private void waits(long millis) {
        load.waits(at(now));
        now += millis;
        load.resumes(at(now));
        load.polled(at(now), 0, 0);
    }

    @Test
    void newLoop_isNotBusy() {
        assertThat(utilisation()).isZero();
        assertThat(lag()).isZero();
        assertThat(held()).isZero();
    }

    @Test
    void loopThatWaitsHalfOfTheTime_isHalfBusy() {
        for (int i = 0; i < 1_000; i++) {
            round(10);
            waits(10);
            if (i > 10) assertThat(utilisation()).isCloseTo(0.5, within(0.05));
        }
        assertThat(utilisation()).isCloseTo(0.5, within(0.001));
        assertThat(lag()).isCloseTo(5, within(0.1));
        assertThat(held()).isEqualTo(10_000);
    }

    @Test
    void longWait_countsWhileItGoesOn() {
        round(10_000);
        assertThat(utilisation()).isEqualTo(1);
        load.waits(at(now));
        now += 5_000;
        assertThat(utilisation()).isCloseTo(0.5, within(0.001));
        now += 60_000;
        assertThat(utilisation()).isZero();
        assertThat(lag()).isZero();
        load.resumes(at(now));
        now += 1_000;
        assertThat(utilisation()).isCloseTo(0.1, within(0.001));
    }

    @Test
    void onlyTheLastSpanCounts() {
        round(30_000);
        assertThat(utilisation()).isEqualTo(1);
        waits(10_000);
        assertThat(utilisation()).isCloseTo(0, within(0.001));
        round(3_000);
        assertThat(utilisation()).isCloseTo(0.3, within(0.001));
        assertThat(load.coversSpan(at(now))).isTrue();
    }

    @Test
    void roundThatGoesOn_counts() {
        waits(5_000);
        load.polled(at(now), 0, 0);
        now += 5_000;
        assertThat(utilisation()).isCloseTo(0.5, within(0.001));
        assertThat(lag()).isCloseTo(2_500, within(1.0));
        assertThat(held()).isEqualTo(5_000);
    }

    @Test
    void coveredTime_beginsWithTheLoop() {
        assertThat(load.coversSpan(at(9_999))).isFalse();
        assertThat(load.coversSpan(at(10_000))).isTrue();
    }

    /** Polls between the turns of a long queue do not end the round. */
    @Test
    void roundOfALongQueue_lastsUntilAllHaveHadTheirTurn() {
        int position = Integer.MAX_VALUE - 5;
        for (int turn = 0; turn < 1_000; turn++) {
            load.polled(at(now), position, 10);
            now += 20;
            position++;
        }
        assertThat(lag()).isCloseTo(200, within(10.0));
        assertThat(held()).isEqualTo(20_000);
        assertThat(utilisation()).isEqualTo(1);
    }

    @Test
    void shortRounds_holdNobody() {
        computes(10_000, 0);
        assertThat(utilisation()).isEqualTo(1);
        assertThat(lag()).isCloseTo(1, within(0.1));
        assertThat(held()).isZero();
    }

    @Test
    void waitThatIsTold_twice_countsOnce() {
        round(1_000);
        load.waits(at(now));
        now += 500;
        load.waits(at(now));
        now += 500;
        load.resumes(at(now));
        load.resumes(at(now));
        assertThat(utilisation()).isCloseTo(0.5, within(0.001));
    }
}
