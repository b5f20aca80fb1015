package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HoldTimerTest {
    private static final Object A = new Object();
    private static final Object B = new Object();

    private final HoldTimer timer = new HoldTimer(100);

    @Test
    void loopThatStands_isNoticedAtTheLimitAndAgainAfterAsLong() {
        assertThat(timer.sample(0, 0, 7, A, false)).isFalse();
        assertThat(timer.sample(75, 0, 7, A, false)).isFalse();
        assertThat(timer.sample(100, 0, 7, A, false)).isTrue();
        assertThat(timer.sample(125, 0, 7, A, false)).isFalse();
        assertThat(timer.sample(200, 0, 7, A, false)).isTrue();
        assertThat(timer.since()).isZero();
    }

    @Test
    void loopThatMoves_isNot() {
        for (int i = 0; i < 100; i++)
            assertThat(timer.sample(i * 90L, 0, i, A, false)).isFalse();
        for (int i = 100; i < 200; i++)
            assertThat(timer.sample(i * 90L, 0, 100, i % 2 == 0 ? A : B, false)).isFalse();
    }

    @Test
    void loopThatWaitsForWork_isNot() {
        for (int i = 0; i < 100; i++)
            assertThat(timer.sample(i * 90L, 0, 0, null, true)).isFalse();
    }

    @Test
    void pauseThatHeldUpTheSamplerToo_doesNotCount() {
        timer.sample(0, 0, 7, A, false);
        assertThat(timer.sample(5_025, 5_000, 7, A, false)).isFalse();
        assertThat(timer.sample(5_075, 0, 7, A, false)).isFalse();
        assertThat(timer.sample(5_100, 0, 7, A, false)).isTrue();
    }

    @Test
    void places_firstOfAHoldCountsAtOnce_othersWhenTheyTakeAsLong() {
        var places = new Places();
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
        var places = new Places();
        for (int i = 0; i < Places.MOST; i++)
            assertThat(places.isNew("place " + i, i)).isTrue();
        assertThat(places.isFull()).isTrue();
        assertThat(places.isNew("one more", -1)).isFalse();
    }
}
