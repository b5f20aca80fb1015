package org.trueasync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class ClassPathTest {

    @Test
    void librariesAreThoseOfTheOtherState_andTheBenchmarksOurs() {
        String own = String.join(
                File.pathSeparator,
                "lib/trueasync-bench-0.2.jar",
                "lib/trueasync-core-0.2.jar",
                "lib/jmh-core-1.37.jar");
        List<Path> other = List.of(
                Path.of("old/trueasync-bench-0.1.jar"),
                Path.of("old/trueasync-core-0.1.jar"),
                Path.of("old/jspecify-1.0.jar"));

        assertThat(ClassPath.with(own, other).split(File.pathSeparator))
                .containsExactly(
                        "old/trueasync-core-0.1.jar",
                        "old/jspecify-1.0.jar",
                        "lib/trueasync-bench-0.2.jar",
                        "lib/jmh-core-1.37.jar");
    }
}
