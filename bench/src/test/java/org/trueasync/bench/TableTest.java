package org.trueasync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
    void ratioOfARate_isTurnedRound() {
        Row row = Row.rate("messages", "1/s");
        results.add(row, Peer.OURS, 200);
        results.add(row, Peer.FLOOR, 100);

        assertThat(new Table(results).format()).contains("100 ±0% (0.50; best 0.50)");
    }
}
