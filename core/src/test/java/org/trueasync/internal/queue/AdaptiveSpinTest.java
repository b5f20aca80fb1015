package org.trueasync.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdaptiveSpinTest {
    private static final long NEVER = Long.MAX_VALUE;

    /** Each look takes a microsecond of its time. */
    private static final class Spin extends AdaptiveSpin {
        private long now;
        private long arrival = NEVER;
        private int looks;

        Spin(int processors) {
            super(processors);
        }

        @Override
        protected boolean hasArrived() {
            looks++;
            return now >= arrival;
        }

        @Override
        protected long now() {
            now += 1_000;
            return now;
        }

        boolean awaitArrivalIn(long nanos) {
            arrival = nanos == NEVER ? NEVER : now + nanos;
            return await(NEVER);
        }

        /** Sleeps until the next attempt, which is in vain; how many there were without one. */
        int sleepsUntilAttemptInVain() {
            for (int sleeps = 0; ; sleeps++) {
                int before = looks;
                assertThat(awaitArrivalIn(NEVER)).isFalse();
                if (looks > before) return sleeps;
                slept(true);
            }
        }
    }

    private static Spin woken() {
        var spin = new Spin(2);
        spin.slept(true);
        return spin;
    }

    @Test
    void noOtherThreadHasEndedTheSleep_doesNotLook() {
        var spin = new Spin(2);
        assertThat(spin.awaitArrivalIn(0)).isFalse();
        spin.slept(true);
        spin.slept(false);
        assertThat(spin.awaitArrivalIn(0)).isFalse();
        assertThat(spin.looks).isZero();
    }

    @Test
    void oneProcessor_doesNotLook() {
        var spin = new Spin(1);
        spin.slept(true);
        assertThat(spin.awaitArrivalIn(0)).isFalse();
        assertThat(spin.looks).isZero();
    }

    @Test
    void arrivalInTime_noSleep() {
        Spin spin = woken();
        for (int i = 0; i < 10; i++) assertThat(spin.awaitArrivalIn(15_000)).isTrue();
    }

    @Test
    void nothingArrives_endsInTime() {
        Spin spin = woken();
        assertThat(spin.awaitArrivalIn(NEVER)).isFalse();
        assertThat(spin.now).isBetween(AdaptiveSpin.SPIN_NANOS, AdaptiveSpin.SPIN_NANOS + 2_000);
    }

    @Test
    void deadlineComesFirst_doesNotLook() {
        Spin spin = woken();
        spin.arrival = 0;
        assertThat(spin.await(AdaptiveSpin.SPIN_NANOS / 2)).isFalse();
        assertThat(spin.looks).isZero();
        assertThat(spin.await(AdaptiveSpin.SPIN_NANOS * 10)).isTrue();
    }

    @Test
    void attemptsInVain_becomeRare() {
        Spin spin = woken();
        int expected = 0;
        for (int i = 0; i < 14; i++) {
            assertThat(spin.sleepsUntilAttemptInVain()).isEqualTo(expected);
            expected = Math.clamp(expected * 2L, 1, AdaptiveSpin.MAX_SKIPS);
        }
    }

    @Test
    void attemptsThatSucceed_becomeFrequentAgain() {
        Spin spin = woken();
        for (int i = 0; i < 5; i++) spin.sleepsUntilAttemptInVain();
        assertThat(spin.sleepsUntilAttemptInVain()).isEqualTo(16);
        for (int i = 0; i < 32; i++) assertThat(spin.awaitArrivalIn(0)).isFalse();
        for (int i = 0; i < 3; i++) assertThat(spin.awaitArrivalIn(0)).isTrue();
        assertThat(spin.sleepsUntilAttemptInVain()).isZero();
        assertThat(spin.sleepsUntilAttemptInVain()).isEqualTo(8);
    }
}
