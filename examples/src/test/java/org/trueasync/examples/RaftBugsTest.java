package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("deep")
class RaftBugsTest {
    @TempDir
    Path temporary;

    static List<Path> all() throws IOException {
        return RaftBugs.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void bug_appliesToTheStore_andCompiles(Path patch) throws Exception {
        assertThat(RaftBugs.scenario(patch, temporary).getClass()).isNotEqualTo(RaftScenario.class);
        assertThat(Files.readAllLines(patch).getFirst())
                .as("says what it breaks")
                .endsWith(".");
    }

    @Test
    void thereAreTwelve() throws IOException {
        assertThat(RaftBugs.all()).hasSize(12);
    }
}
