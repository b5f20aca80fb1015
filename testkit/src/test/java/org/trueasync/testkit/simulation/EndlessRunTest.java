package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;

/** Runs that never end, and whose virtual time never comes to the limit. */
class EndlessRunTest {
    @Test
    void timeInTinySteps_isToldWithItsStory() {
        Simulation.replay(1, sim -> sim.client(() -> {})); // all that a first run loads
        var search = new Search(
                sim -> {
                    sim.host("db", () -> Async.delay(Duration.ofDays(1)));
                    sim.client(() -> {
                        sim.note("asks again");
                        while (true) Async.delay(Duration.ofNanos(1));
                    });
                },
                Duration.ofMillis(400));
        assertThatThrownBy(() -> search.run(7, 1))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("did not end within PT0.4S of real time: seed 7")
                .hasMessageMatching("(?s).* s, client has had \\d{3,} turns, db has had \\d turns\nclient: .*")
                .hasMessageContaining("suspended EndlessRunTest.java:")
                .hasMessageContaining("What happened last:\n  0.000000 s  db      begins")
                .hasMessageContaining("note    asks again");
    }
}
