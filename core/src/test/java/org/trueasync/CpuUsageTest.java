package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CpuUsageTest {
    private static CpuSnapshot at(long wallMillis, long userMillis, long systemMillis) {
        return new CpuSnapshot(
                Duration.ofMillis(wallMillis), Duration.ofMillis(userMillis), Duration.ofMillis(systemMillis));
    }

    @Test
    @Tag("U10")
    void availableParallelism_isWhatTheJvmMayUse_andStable() {
        assertThat(Async.availableParallelism())
                .isEqualTo(Runtime.getRuntime().availableProcessors())
                .isEqualTo(Async.availableParallelism())
                .isPositive();
    }

    @Test
    @Tag("U11")
    void laterSnapshot_isNoSmallerInAnyComponent() {
        CpuSnapshot first = CpuSnapshot.now();
        while (CpuSnapshot.now().user().compareTo(first.user()) <= 0) Thread.onSpinWait();
        CpuSnapshot second = CpuSnapshot.now();
        assertThat(second.wall()).isGreaterThan(first.wall());
        assertThat(second.user()).isGreaterThan(first.user());
        assertThat(second.system()).isGreaterThanOrEqualTo(first.system());
    }

    @Test
    @Tag("U11")
    void firstCall_isZero_laterOnesAreTheDifference() {
        var meter = new CpuMeter();
        assertThat(meter.sinceLast()).isEqualTo(CpuUsage.NONE);
        assertThat(meter.sinceLast().wall()).isPositive();
    }

    @Test
    @Tag("U11")
    void usage_isTheDifference() {
        CpuUsage usage = CpuUsage.between(at(1_000, 300, 100), at(2_000, 600, 200));
        assertThat(usage.wall()).isEqualTo(Duration.ofMillis(1_000));
        assertThat(usage.user()).isEqualTo(Duration.ofMillis(300));
        assertThat(usage.system()).isEqualTo(Duration.ofMillis(100));
        assertThat(usage.cores()).isCloseTo(0.4, within(1e-9));
        assertThat(usage.load()).isCloseTo(0.4 / Async.availableParallelism(), within(1e-9));
    }

    @Test
    @Tag("U11")
    void loads_staySmallerThanTheMachine_howeverTheClocksDiffer() {
        CpuUsage usage = CpuUsage.between(at(0, 0, 0), at(1, 10_000_000, 0));
        assertThat(usage.cores()).isEqualTo(Async.availableParallelism());
        assertThat(usage.load()).isEqualTo(1);
        CpuUsage backwards = CpuUsage.between(at(0, 50, 50), at(1, 40, 40));
        assertThat(backwards.cores()).isZero();
        assertThat(backwards.load()).isZero();
    }

    @Test
    @Tag("U11")
    void noTimePassed_isNoUsage() {
        assertThat(CpuUsage.between(at(5, 0, 0), at(5, 10, 0))).isEqualTo(CpuUsage.NONE);
        assertThat(CpuUsage.between(at(5, 0, 0), at(4, 10, 0))).isEqualTo(CpuUsage.NONE);
    }

    @Test
    @Tag("U12")
    void loadAverage_isThreeNumbersOrNone() {
        double[] averages = Async.loadAverage();
        assertThat(averages.length).isIn(0, 3);
        for (double average : averages) assertThat(average).isNotNegative();
    }
}
