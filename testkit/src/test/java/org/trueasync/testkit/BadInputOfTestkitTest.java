package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.BadInput;
import org.trueasync.testkit.simulation.Faults;
import org.trueasync.testkit.simulation.History;
import org.trueasync.testkit.simulation.Host;
import org.trueasync.testkit.simulation.Simulation;

/** Whatever is no good is refused at once, by a message that names it. */
class BadInputOfTestkitTest {
    @Test
    void everyPublicMethod_refusesWhatIsNoGood() throws Exception {
        var check = new BadInput()
                .sample(Exploration.class, () -> Schedules.of(1))
                .sample(VirtualRun.class, VirtualTime::settings);
        List<String> complaints = check.check(List.of(
                Exploration.class, Outside.class, Schedules.class, VirtualRun.class, VirtualTime.class, History.class));
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
    }

    /** Of a simulation that has ended, as calls during one would be part of it. */
    @Test
    void everyPublicMethodOfASimulation_refusesWhatIsNoGood() throws Exception {
        var kept = new ArrayList<Object>();
        Simulation.replay(
                1,
                simulation -> kept.addAll(List.of(
                        simulation,
                        simulation.host("text", () -> {}),
                        simulation.faults(),
                        simulation.client(() -> {}))));
        var check = new BadInput()
                .sample(Simulation.class, () -> (Simulation) kept.get(0))
                .sample(Host.class, () -> (Host) kept.get(1))
                .sample(Faults.class, () -> (Faults) kept.get(2));
        // whole runs; a host is of its name once
        check.exempt("Simulation.explore", "Simulation.replay", "Simulation.host");
        List<String> complaints = check.check(List.of(Simulation.class, Host.class, Faults.class));
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
        assertThatThrownBy(() -> Simulation.replay(1, simulation -> simulation.host("a\n", () -> {})))
                .hasStackTraceContaining("a host's name must have no control characters, got 'a?'");
    }
}
