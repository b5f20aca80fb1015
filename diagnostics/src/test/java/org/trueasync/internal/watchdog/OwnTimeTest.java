package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whose fault it is that a loop does not move. */
@Tag("E42")
class OwnTimeTest {
    private static final class Given implements Supplier<OwnTime.Figures> {
        private final long[] now;

        Given(long... first) {
            now = first;
        }

        void pass(long... more) {
            for (int i = 0; i < now.length; i++) now[i] += more[i];
        }

        @Override
        public OwnTime.Figures get() {
            return new OwnTime.Figures(now[0], now[1], now[2], now[3]);
        }
    }

    private final Given known = new Given(1_000, 500, 30, 400);
    private boolean works;
    private final OwnTime fairness = new OwnTime(known, () -> works);

    private long part(long ran, long starved, long collecting, long classes, long elapsed, long late) {
        fairness.begin();
        known.pass(ran, starved, collecting, classes);
        return fairness.part(elapsed, late);
    }

    @Test
    void computing_counts() {
        assertThat(part(100, 0, 0, 0, 100, 0)).isEqualTo(100);
    }

    @Test
    void computing_countsAlsoWhereTheSamplerIsStarved() {
        assertThat(part(180, 0, 0, 0, 180, 80)).isEqualTo(180);
    }

    @Test
    void waitingInTheSystem_counts() {
        assertThat(part(0, 0, 0, 0, 100, 0)).isEqualTo(100);
    }

    @Test
    void codeThatComputes_andSleepsAllTheSame_isHeldUpByTheJvm() {
        works = true;
        assertThat(part(20, 0, 0, 0, 100, 0)).isEqualTo(20);
    }

    @Test
    void processorThatOthersHad_doesNotCount() {
        assertThat(part(20, 80, 0, 0, 100, 0)).isEqualTo(20);
    }

    @Test
    void pausesOfTheCollector_doNotCount() {
        assertThat(part(30, 0, 70, 0, 100, 0)).isEqualTo(30);
        assertThat(part(30, 0, 0, 0, 100, 70))
                .as("a pause that the sampler has felt")
                .isEqualTo(30);
    }

    @Test
    void collectorBesideTheProgram_takesNothingAway() {
        assertThat(part(100, 0, 70, 0, 100, 0)).isEqualTo(100);
    }

    @Test
    void loadingClasses_doesNotCount_butAWaitMeanwhileDoes() {
        assertThat(part(100, 0, 0, 3, 100, 0)).isZero();
        assertThat(part(10, 0, 0, 3, 100, 0)).isEqualTo(90);
    }

    @Test
    void whereTheSystemDoesNotTell_whatRanCounts_orAllOfAWait() {
        var figures = new Given(1_000, -1, 0, 0);
        works = true;
        var unsure = new OwnTime(figures, () -> works);
        unsure.begin();
        figures.pass(40, 0, 0, 0);
        assertThat(unsure.part(100, 0)).isEqualTo(40);
        works = false;
        assertThat(unsure.part(100, 10)).isEqualTo(90);
    }

    @Test
    void whereNothingIsKnown_allButThePausesCounts() {
        var figures = new Given(-1, -1, 0, 0);
        var blind = new OwnTime(figures, () -> true);
        blind.begin();
        assertThat(blind.part(100, 30)).isEqualTo(70);
    }

    /** The figures of this very thread. */
    @Test
    void threadTime_countsWhatRuns() {
        ThreadTime time = ThreadTime.ofCaller(Thread.currentThread());
        long before = time.now()[0];
        long end = System.nanoTime() + 20_000_000;
        while (System.nanoTime() < end) Thread.onSpinWait();
        assertThat(time.now()[0]).isGreaterThan(before);
    }
}
