package org.trueasync.testkit.simulation;

import static java.nio.file.StandardOpenOption.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Body;
import org.trueasync.testkit.VirtualTime;

/** The JDK's files by path, in hosts. */
@Timeout(60)
class SimulatedFilesTest {
    private static final Path LOG = Path.of("/log");

    private static void append(String text, boolean force) throws IOException {
        try (var channel = FileChannel.open(LOG, CREATE, APPEND)) {
            channel.write(ByteBuffer.wrap(text.getBytes()));
            if (force) channel.force(true);
        }
    }

    /** Returns what the file is after a loss of power, for some seeds. */
    private static List<String> afterKill(Body before) {
        List<String> found = new ArrayList<>();
        for (long seed = 1; seed <= 8; seed++)
            Simulation.replay(seed, sim -> {
                int[] begins = {0};
                Host store = sim.host("store", () -> {
                    if (begins[0]++ == 0) before.run();
                    else found.add(Files.exists(LOG) ? Files.readString(LOG) : "none");
                    delay(60_000);
                });
                sim.client(() -> {
                    delay(100);
                    store.kill();
                    delay(100);
                    store.restart();
                    delay(100);
                });
            });
        return found;
    }

    @Test
    void fileChannel_forced_isThereAfterAKill() {
        assertThat(afterKill(() -> append("kept", true))).hasSize(8).containsOnly("kept");
    }

    @Test
    void fileChannel_notForced_isLostBySomeSeeds() {
        assertThat(afterKill(() -> append("kept", false))).hasSize(8).anyMatch(text -> !text.equals("kept"));
    }

    @Test
    void files_areOfTheHost() {
        List<String> seen = new ArrayList<>();
        Simulation.replay(1, sim -> {
            for (String name : List.of("one", "other"))
                sim.host(name, () -> {
                    Path folder = Files.createDirectory(Path.of("data"));
                    Files.writeString(folder.resolve("new"), name);
                    Files.move(folder.resolve("new"), folder.resolve("state"), StandardCopyOption.ATOMIC_MOVE);
                    Path copy = Files.createTempFile("copy", "");
                    Files.copy(folder.resolve("state"), copy, StandardCopyOption.REPLACE_EXISTING);
                    delay(10);
                    try (var files = Files.list(folder)) {
                        seen.add(files.toList() + Files.readString(copy) + Files.size(folder.resolve("state")));
                    }
                    assertThat(Files.exists(Path.of("/etc/passwd"))).isFalse();
                    assertThat(Files.exists(Path.of(System.getProperty("java.home"), "lib")))
                            .isTrue();
                });
            sim.client(() -> delay(20));
        });
        assertThat(seen).containsExactlyInAnyOrder("[data/state]one3", "[data/state]other5");
        assertThat(Files.exists(Path.of("data"))).isFalse();
    }

    @Test
    void virtualTime_hasTheRealFiles() throws IOException {
        Path file = Files.createTempFile("real", "");
        VirtualTime.run(() -> assertThat(Files.exists(file)).isTrue());
        Files.delete(file);
    }
}
