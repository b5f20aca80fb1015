package org.trueasync.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.InputOutputException;

/** No surprises from the PATH. */
class ProgramsTest {
    private static Path program(Path folder, String name, String mode) throws Exception {
        Files.createDirectories(folder);
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void firstExecutableInThePath_isTaken(@TempDir Path root) throws Exception {
        Path plain = root.resolve("plain");
        program(plain, "tool", "rw-r--r--");
        Path first = program(root.resolve("first"), "tool", "rwxr-xr-x");
        Path second = program(root.resolve("second"), "tool", "rwxr-xr-x");
        Files.createDirectories(root.resolve("folder/tool"));
        String path = root.resolve("folder") + ":" + plain + ":" + first.getParent() + ":" + second.getParent();
        assertThat(Programs.find("tool", path)).isEqualTo(first);
    }

    @Test
    void onlyAFileThatCantBeExecuted_isNamedAsSuch(@TempDir Path root) throws Exception {
        Path plain = program(root, "tool", "rw-r--r--");
        assertThatThrownBy(() -> Programs.find("tool", root.toString()))
                .isInstanceOfSatisfying(
                        InputOutputException.class, e -> assertThat(e.errno()).isEqualTo("EACCES"))
                .hasMessageContaining(plain.toString());
    }

    @Test
    void emptyAndRelativeEntries_areNotLookedAt() {
        for (String path : new String[] {"", ":", ".", "bin::./bin:"}) {
            assertThatThrownBy(() -> Programs.find("pom.xml", path))
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("ENOENT"))
                    .hasMessageContaining("empty and relative entries");
        }
        assertThat(Programs.find("sh", null)).isAbsolute();
    }

    @Test
    void relativePaths_areRefused() {
        for (String name : new String[] {"./sh", "../sh", "bin/sh", ".", ".."})
            assertThatThrownBy(() -> Programs.find(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + name + "'");
        assertThat(Programs.find("/no/such/program")).isEqualTo(Path.of("/no/such/program"));
    }
}
