package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HoldTimerTest {
    private static final Object A = new Object();
    private static final Object B = new Object();

    /** All of the time is the code's own, but what the sampler lost itself. */
    private final HoldTimer timer = new HoldTimer(100, new HoldTimer.OwnShare() {
        @Override
        public void begin() {}

        @Override
        public long part(long elapsed, long late) {
            return elapsed - late;
        }
    });

    private long last;

    private boolean sample(long now, long late, long progress, Object runs, boolean free) {
        long elapsed = now - last;
        last = now;
        return timer.sample(now, elapsed, late, progress, runs, free);
    }

    @Test
    void loopThatStands_isNoticedAtTheLimitAndAgainAfterAsLong() {
        assertThat(sample(0, 0, 7, A, false)).isFalse();
        assertThat(sample(75, 0, 7, A, false)).isFalse();
        assertThat(timer.isSuspicious()).isTrue();
        assertThat(sample(100, 0, 7, A, false)).isTrue();
        assertThat(sample(125, 0, 7, A, false)).isFalse();
        assertThat(sample(200, 0, 7, A, false)).isTrue();
        assertThat(timer.since()).isZero();
        assertThat(timer.held()).isEqualTo(200);
    }

    @Test
    void loopThatMoves_isNot() {
        for (int i = 0; i < 100; i++)
            assertThat(sample(i * 90L, 0, i, A, false)).isFalse();
        for (int i = 100; i < 200; i++)
            assertThat(sample(i * 90L, 0, 100, i % 2 == 0 ? A : B, false)).isFalse();
    }

    @Test
    void loopThatWaitsForWork_isNot() {
        for (int i = 0; i < 100; i++) assertThat(sample(i * 90L, 0, 0, A, true)).isFalse();
    }

    @Test
    void pauseThatHeldUpTheSamplerToo_doesNotCount() {
        sample(0, 0, 7, A, false);
        assertThat(sample(5_025, 5_000, 7, A, false)).isFalse();
        assertThat(sample(5_075, 0, 7, A, false)).isFalse();
        assertThat(sample(5_100, 0, 7, A, false)).isTrue();
        assertThat(timer.held()).isEqualTo(100);
    }

    @Test
    void whatIsForgotten_doesNotCount() {
        sample(0, 0, 7, A, false);
        assertThat(sample(75, 0, 7, A, false)).isFalse();
        timer.forget();
        assertThat(sample(150, 0, 7, A, false)).isFalse();
        assertThat(sample(175, 0, 7, A, false)).isTrue();
    }

    @Test
    void places_firstOfAHoldCountsAtOnce_othersWhenTheyTakeAsLong() {
        var places = new ReportedSites();
        assertThat(places.isNew("a", 1)).isTrue();
        assertThat(places.isNew("b", 1)).isFalse();
        assertThat(places.isNew("c", 1)).isFalse();
        assertThat(places.isNew("c", 1)).isTrue();
        assertThat(places.isNew("c", 1)).isFalse();
        assertThat(places.isNew("b", 2)).isTrue();
        assertThat(places.isNew("a", 3)).isFalse();
    }

    @Test
    void places_areBounded() {
        var places = new ReportedSites();
        for (int i = 0; i < ReportedSites.MAX_SITES; i++)
            assertThat(places.isNew("place " + i, i)).isTrue();
        assertThat(places.isFull()).isTrue();
        assertThat(places.isNew("one more", -1)).isFalse();
    }

    @Test
    void firstHoldOfAPlace_isForgivenAsAWhole_theSecondIsNot() {
        var places = new ReportedSites();
        assertThat(places.isFirstHold("a", 1)).isTrue();
        assertThat(places.isFirstHold("a", 1)).isTrue();
        assertThat(places.isFirstHold("b", 1)).isTrue();
        assertThat(places.isFirstHold("a", 2)).isFalse();
    }
}
