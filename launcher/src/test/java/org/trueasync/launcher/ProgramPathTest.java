package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramPathTest {
    @TempDir
    Path directory;

    @Test
    void star_standsForTheJarsByName() throws Exception {
        for (String name : new String[] {"b.jar", "a.jar", "notes.txt"}) {
            Files.createFile(directory.resolve(name));
        }
        assertThat(ProgramPath.split("x" + File.pathSeparator + directory + "/*"))
                .containsExactly(Path.of("x"), directory.resolve("a.jar"), directory.resolve("b.jar"));
    }

    @Test
    void emptyElement_isNotTheCurrentDirectory() throws Exception {
        String separator = File.pathSeparator;
        assertThat(ProgramPath.split(separator + "x" + separator + separator)).containsExactly(Path.of("x"));
    }
}
