package org.trueasync.internal.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketPlaceTest {
    @TempDir
    Path temporary;

    private SocketPlace place(Map<String, String> environment) {
        return new SocketPlace(environment, temporary);
    }

    @Test
    void userWithARuntimeDirectory_hasTheSocketsThere() throws IOException {
        Path runtime = Files.createDirectory(temporary.resolve("run"));
        Path directory = place(Map.of("XDG_RUNTIME_DIR", runtime.toString())).create();
        assertThat(directory).isEqualTo(runtime.resolve("trueasync"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
    }

    @Test
    void userWithoutARuntimeDirectory_hasTheSocketsInOneOfTheirOwn() throws IOException {
        Path directory =
                place(Map.of("XDG_RUNTIME_DIR", temporary + "/missing")).create();
        assertThat(directory.getParent()).isEqualTo(temporary);
        assertThat(directory.getFileName().toString()).matches("trueasync-\\d+");
        assertThat(place(Map.of()).create()).as("again").isEqualTo(directory);
    }

    @Test
    void runtimeDirectoryWithTooLongAPath_isNotUsed() throws IOException {
        Path runtime = Files.createDirectory(temporary.resolve("d".repeat(100)));
        var place = place(Map.of("XDG_RUNTIME_DIR", runtime.toString()));
        assertThat(place.create()).isEqualTo(place(Map.of()).create());
        Path socket = Files.createFile(place.create().resolve("12.sock"));
        assertThat(place.find(12)).isEqualTo(socket);
    }

    @Test
    void runtimeDirectoryThatCannotBeUsed_isReplaced() throws IOException {
        Path runtime = Files.createDirectory(temporary.resolve("run"));
        Files.createFile(runtime.resolve("trueasync"));
        assertThat(place(Map.of("XDG_RUNTIME_DIR", runtime.toString())).create())
                .isEqualTo(place(Map.of()).create());
    }

    @Test
    void process_isOursOrAnothers() {
        assertThat(SocketPlace.isOurs(ProcessHandle.current().pid())).isTrue();
        assertThat(SocketPlace.isOurs(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void directoryThatOthersMayEnter_isRefused() throws IOException {
        Path directory = place(Map.of()).create();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x---"));
        assertThatThrownBy(() -> place(Map.of()).create())
                .isInstanceOf(IOException.class)
                .hasMessage("others may enter " + directory + "; chmod 700 it");
        assertThatThrownBy(() -> place(Map.of()).find(1)).hasMessageContaining("others may enter");
    }

    @Test
    void linkInPlaceOfTheDirectory_isRefused() throws IOException {
        Path directory = place(Map.of()).create();
        Files.move(directory, temporary.resolve("elsewhere"));
        Files.createSymbolicLink(directory, temporary.resolve("elsewhere"));
        assertThatThrownBy(() -> place(Map.of()).create()).hasMessageContaining("is no directory");
    }

    @Test
    void sockets_areFoundByTheirProcess() throws IOException {
        Path directory = place(Map.of()).create();
        Path socket = Files.createFile(directory.resolve("12.sock"));
        Files.createFile(directory.resolve("other.sock"));
        Files.createFile(directory.resolve("13"));
        assertThat(place(Map.of()).find(12)).isEqualTo(socket);
        assertThat(place(Map.of()).find(13)).isNull();
        assertThat(place(Map.of()).all()).containsExactly(socket);
        assertThat(SocketPlace.pidOf(socket)).isEqualTo(12);
    }
}
