package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.testkit.simulation.Simulation;
import org.trueasync.testkit.simulation.SimulationFailure;

/** The replicated store of the examples under partitions, kills and failing disks. */
@Tag("deep")
class RaftSimulationTest {
    @TempDir
    Path temporary;

    @Test
    void clientsSeeOneStore() {
        Simulation.explore(200, new RaftScenario());
    }

    @Test
    void plantedBug_isFound() throws Exception {
        Path bug = Path.of("").toAbsolutePath().resolve("raft/bugs/snapshot-off-by-one.patch");
        var scenario = RaftBugs.scenario(bug, temporary);
        assertThatThrownBy(() -> Simulation.explore(500, scenario))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("not linearizable");
    }
}
