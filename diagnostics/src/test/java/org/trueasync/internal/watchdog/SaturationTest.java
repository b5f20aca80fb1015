package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E42")
class SaturationTest {
    private final Saturation saturation = new Saturation();

    private boolean isDue(long second, double utilisation, long lagMillis) {
        return saturation.isDue(
                Long.MAX_VALUE + TimeUnit.SECONDS.toNanos(second),
                utilisation,
                TimeUnit.MILLISECONDS.toNanos(lagMillis));
    }

    private void holdTold(long second) {
        saturation.holdTold(Long.MAX_VALUE + TimeUnit.SECONDS.toNanos(second));
    }

    @Test
    void loopThatIsBusyOrLate_isTold_othersAreNot() {
        assertThat(isDue(0, 0.9, 100)).isFalse();
        assertThat(isDue(0, 0.91, 0)).isTrue();
        assertThat(new Saturation().isDue(0, 0.1, TimeUnit.MILLISECONDS.toNanos(101)))
                .isTrue();
    }

    @Test
    void whileItGoesOn_itIsToldOnceAMinute() {
        int told = 0;
        for (int second = 0; second < 300; second++) if (isDue(second, 1, 500)) told++;
        assertThat(told).isEqualTo(5);
    }

    @Test
    void holdsThatWereTold_areToldAgainAfterAMinute_aBusyLoopAtOnce() {
        holdTold(0);
        assertThat(isDue(10, 0.2, 200)).isFalse();
        assertThat(isDue(60, 0.2, 200)).isTrue();
        holdTold(200);
        assertThat(isDue(201, 0.95, 200)).isTrue();
    }

    @Test
    void halfwayThere_itIsLookedAt() {
        assertThat(Saturation.isNear(0.5, 0)).isTrue();
        assertThat(Saturation.isNear(0.1, TimeUnit.MILLISECONDS.toNanos(60))).isTrue();
        assertThat(Saturation.isNear(0.4, TimeUnit.MILLISECONDS.toNanos(40))).isFalse();
    }
}
