package org.trueasync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.bench.report.GrowthPlot;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;
import org.trueasync.bench.report.Table;
import org.trueasync.bench.report.Target;

@Tag("deep")
class TableTest {

    private final Results results = new Results();

    @Test
    void ratioIsTakenWithinEachRound_soDriftBetweenRoundsDoesNotShow() {
        Row row = Row.cost("switch", "ns", Target.atMost(1.10, Peer.FLOOR));
        for (double drift : new double[] {1, 3, 1}) {
            results.add(row, Peer.OURS, 105 * drift);
            results.add(row, Peer.FLOOR, 100 * drift);
        }

        assertThat(new Table(results).format())
                .contains("105 ±100%", "100 ±100% (1.05; best 1.05)", "<= 1.10 x floor", "| yes ");
    }

    @Test
    void bestRoundsAreComparedToo_asSlowOnesOfTheMachineComeToOneSideAlone() {
        Row row = Row.cost("echo", "us");
        for (double ours : new double[] {9, 3, 9}) results.add(row, Peer.OURS, ours);
        for (double floor : new double[] {6, 6, 4}) results.add(row, Peer.FLOOR, floor);

        assertThat(new Table(results).format()).contains("6.00 ±17% (1.50; best 0.75)");
    }

    @Test
    void bestOfSeveralPeersCounts_andAMissingOneLeavesTheTargetOpen() {
        Row reached = Row.cost("a", "ms", Target.atMost(0.6, Peer.KOTLIN, Peer.VIRTUAL_THREADS));
        results.add(reached, Peer.OURS, 7);
        results.add(reached, Peer.KOTLIN, 20);
        results.add(reached, Peer.VIRTUAL_THREADS, 10);
        Row open = Row.cost("b", "ms", Target.atMost(0.6, Peer.KOTLIN, Peer.VIRTUAL_THREADS));
        results.add(open, Peer.OURS, 1);
        results.add(open, Peer.KOTLIN, 20);

        assertThat(new Table(results).format()).containsPattern("a .*\\| NO ").containsPattern("b .*\\| \\? ");
    }

    @Test
    void besideAnotherState_thereAreNoTargets() {
        Row row = Row.cost("switch", "ns", Target.atMost(1.10, Peer.FLOOR));
        results.add(row, Peer.OURS, 90);
        results.add(row, Peer.OURS_BEFORE, 100);

        assertThat(new Table(results).format())
                .contains("100 ±0% (0.90; best 0.90)")
                .doesNotContain("target", "floor");
    }

    @Test
    void growth_isComparedWithOurOwnFigureAmongTheFewest() {
        Row few = Row.cost("growth: a, 1,000", "ns");
        Row flat = Row.cost("growth: a, 10,000", "ns", Target.atMost(4.0, few));
        Row steep = Row.cost("growth: b, 10,000", "ns", Target.atMost(4.0, few));
        results.add(few, Peer.OURS, 100);
        results.add(flat, Peer.OURS, 399);
        results.add(steep, Peer.OURS, 401);

        assertThat(new Table(results).format())
                .containsPattern("a, 10,000.*\\| yes ")
                .containsPattern("b, 10,000.*<= 4.00 x at 1,000 .*\\| NO ");
    }

    @Test
    void steepestLineOfGrowth_isNamedFirst() {
        var plot = new GrowthPlot();
        plot.add("flat", new TreeMap<>(Map.of(1_000, 50.0, 1_000_000, 50.0)));
        plot.add("steep", new TreeMap<>(Map.of(1_000, 10.0, 10_000, 40.0)));

        assertThat(plot.format())
                .containsSubsequence("steep: 4 at 10,000", "flat: 1 at 1,000,000")
                .contains("points='60.0,376.0 246.7,292.0'");
    }

    @Test
    void ratioOfARate_isTurnedRound() {
        Row row = Row.rate("messages", "1/s");
        results.add(row, Peer.OURS, 200);
        results.add(row, Peer.FLOOR, 100);

        assertThat(new Table(results).format()).contains("100 ±0% (0.50; best 0.50)");
    }
}
