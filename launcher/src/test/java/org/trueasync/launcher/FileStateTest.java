package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a change behind a link is seen. */
class FileStateTest {
    @TempDir
    private Path folder;

    private Path first;
    private Path second;

    @BeforeEach
    void twoDirectories() throws Exception {
        first = Files.createDirectories(folder.resolve("first/k"));
        second = Files.createDirectories(folder.resolve("second/k"));
        Files.writeString(first.resolve("K.class"), "same size");
        Files.writeString(second.resolve("K.class"), "size same");
    }

    @Test
    void linkThatIsSetToAnotherDirectory_isAChange() throws Exception {
        Path current = Files.createSymbolicLink(folder.resolve("current"), first.getParent());
        String before = FileState.of(current);
        assertThat(FileState.of(current)).isEqualTo(before);
        Files.delete(current);
        Files.createSymbolicLink(current, second.getParent());
        assertThat(FileState.of(current)).isNotEqualTo(before);
    }

    @Test
    void fileBehindALink_thatChanges_isAChange() throws Exception {
        Path whole = Files.createSymbolicLink(folder.resolve("whole"), first.getParent());
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.createSymbolicLink(parts.resolve("k"), first);
        String ofWhole = FileState.of(whole);
        String ofParts = FileState.of(parts);
        Files.writeString(first.resolve("K.class"), "longer than before");
        assertThat(FileState.of(whole)).isNotEqualTo(ofWhole);
        assertThat(FileState.of(parts)).isNotEqualTo(ofParts);
    }

    @Test
    void circleOfLinks_cantBeTold() throws Exception {
        Files.createSymbolicLink(first.resolve("again"), first.getParent());
        assertThatThrownBy(() -> FileState.of(first.getParent())).isInstanceOf(FileSystemLoopException.class);
    }
}
