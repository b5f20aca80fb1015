package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;

/** Two faults of a host at the same time: the first to end does not end the other. */
class OverlappingFaultsTest {
    private static final long TENTH = 100_000_000;

    private final SimulatedRun run = new SimulatedRun(1, false);
    private final List<String> log = new ArrayList<>();

    private final Host db = run.add(
            "db",
            () -> {
                while (true) {
                    Async.delay(1_000);
                    log.add(tenths() + written());
                }
            },
            false);

    private long tenths() {
        return run.world.now() / TENTH;
    }

    private static String written() {
        try {
            Files.writeString(Path.of("/number"), "1");
            return "";
        } catch (IOException e) {
            return " fails";
        }
    }

    private void at(int tenths, Runnable event) {
        run.world.plan(tenths * TENTH, event);
    }

    private List<String> log() {
        run.add("client", () -> Async.delay(7_200), true);
        assertThat(run.run(null)).isNull();
        return log;
    }

    @Test
    void pauses() {
        at(15, () -> db.rest(55 * TENTH, true));
        at(25, () -> db.rest(35 * TENTH, true));
        at(35, () -> db.rest(35 * TENTH, false));
        at(55, () -> db.rest(55 * TENTH, false));
        assertThat(log()).containsExactly("10", "55", "65");
    }

    @Test
    void kills_andAPauseThatIsLonger() {
        at(15, () -> db.power(true));
        at(20, () -> db.rest(50 * TENTH, true));
        at(25, () -> db.power(true));
        at(35, () -> db.power(false));
        at(45, () -> db.power(false));
        assertThat(log()).containsExactly("10", "60", "70");
    }

    @Test
    void diskErrors_theWorstCounts() {
        at(15, () -> db.diskErrors(1, true));
        at(25, () -> db.diskErrors(0.001, true));
        at(35, () -> db.diskErrors(0.001, false));
        at(45, () -> db.diskErrors(1, false));
        assertThat(log()).containsExactly("10", "20 fails", "30 fails", "40 fails", "50", "60", "70");
    }
}
