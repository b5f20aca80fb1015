package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

    // ---- what is not the loop's own

    private final ForeignTime foreign = new ForeignTime();

    private void sample(long millis, long ran, long starved, long classes) {
        foreign.add(
                TimeUnit.MILLISECONDS.toNanos(millis),
                new OwnTime.Figures(
                        TimeUnit.MILLISECONDS.toNanos(ran), TimeUnit.MILLISECONDS.toNanos(starved), 0, classes));
    }

    @Test
    void busyTimeWithoutAProcessor_isNotItsOwn() {
        assertThat(foreign.own(1)).isEqualTo(1);
        sample(0, 0, 0, 0);
        sample(5_000, 1_000, 300, 0);
        sample(10_000, 1_900, 800, 0);
        assertThat(foreign.own(0.16)).isEqualTo(0.5);
        assertThat(foreign.own(0.04)).isZero();
    }

    @Test
    void loadingOfClasses_isNotItsOwn_butWhatElseItDoesThenIs() {
        sample(0, 0, 0, 0);
        sample(100, 100, 0, 1_000);
        sample(200, 200, 0, 1_005);
        assertThat(foreign.own(0.02)).isCloseTo(1 - 105 / 200.0, within(1e-9));
    }

    @Test
    void figuresThatDidNotCountThis_areLeftOut_andOldOnesForgotten() {
        sample(0, 0, 0, 0);
        foreign.forget();
        sample(100, 100, 50, 5_000);
        assertThat(foreign.own(0.01)).isEqualTo(1);
        sample(200, 200, 60, 5_000);
        sample(20_000, 300, 60, 5_000);
        assertThat(foreign.own(0.01)).isEqualTo(1);
    }
}
