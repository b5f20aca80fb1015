package org.trueasync.reactor.libuv;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.InputOutputException;
import org.trueasync.spi.FileHandle;

/** What the system's own calls can do that the JDK's channels can't. */
class FileTest {
    @TempDir
    Path folder;

    @BeforeEach
    void onLinux() {
        assumeTrue(UvFileOptions.ARE_KNOWN, "the JDK's files here");
    }

    private static FileHandle open(UvReactor reactor, Path path) {
        FileHandle file = reactor.open(path, Set.of(CREATE, READ, WRITE));
        assertThat(file).isInstanceOf(UvFile.class);
        return file;
    }

    @Test
    void whatIsInMemory_isReadWithoutAHelper() throws Exception {
        Path path = folder.resolve("file");
        byte[] content = new byte[100_000];
        for (int i = 0; i < content.length; i++) content[i] = (byte) i;
        Files.write(path, content);
        try (var reactor = new UvReactor();
                FileHandle file = open(reactor, path)) {
            for (ByteBuffer into : new ByteBuffer[] {ByteBuffer.allocate(99_990), ByteBuffer.allocateDirect(99_990)}) {
                int count = file.readNow(into, 10);
                assumeTrue(count != FileHandle.NOT_NOW, "this file system does not say what is in memory");
                assertThat(count).isEqualTo(99_990);
                assertThat(into.position()).isEqualTo(99_990);
                for (int i = 0; i < 99_990; i++) assertThat(into.get(i)).isEqualTo((byte) (i + 10));
            }
            assertThat(file.readNow(ByteBuffer.allocate(10), 100_000)).isEqualTo(-1);
        }
    }

    @Test
    void nameWithOtherLetters_isFound() throws Exception {
        Path path = folder.resolve("größe €%41 名前");
        try (var reactor = new UvReactor();
                FileHandle file = open(reactor, path)) {
            file.write(ByteBuffer.allocateDirect(3), 0);
        }
        assertThat(Files.size(path)).isEqualTo(3);
    }

    @Test
    @Tag("E41")
    void locks_belongToTheOpenFile() {
        Path path = folder.resolve("file");
        try (var reactor = new UvReactor();
                FileHandle one = open(reactor, path);
                FileHandle two = open(reactor, path)) {
            assertThat(one.key()).isEqualTo(two.key());
            assertThat(one.tryLock(0, Long.MAX_VALUE, false)).isTrue();
            assertThat(two.tryLock(5, 1, true)).isFalse();
            open(reactor, path).close();
            assertThat(two.tryLock(5, 1, true)).isFalse();
            one.unlock(0, Long.MAX_VALUE);
            assertThat(two.tryLock(5, 1, true)).isTrue();
        }
    }

    @Test
    void closed_refusesEveryCall() {
        try (var reactor = new UvReactor()) {
            FileHandle file = open(reactor, folder.resolve("file"));
            file.close();
            file.close();
            assertThat(file.readNow(ByteBuffer.allocate(1), 0)).isEqualTo(FileHandle.NOT_NOW);
            assertThatThrownBy(() -> file.read(ByteBuffer.allocateDirect(1), 0))
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("EBADF"));
            assertThatThrownBy(file::size).isInstanceOf(InputOutputException.class);
            assertThatThrownBy(() -> file.lock(0, 1, true)).isInstanceOf(InputOutputException.class);
        }
    }

    @Test
    void forgotten_isClosedByTheCollector() throws Exception {
        try (var reactor = new UvReactor()) {
            long before = descriptors();
            for (int i = 0; i < 50; i++) open(reactor, folder.resolve("file"));
            assertThat(descriptors()).isGreaterThan(before);
            for (int i = 0; i < 100 && descriptors() > before; i++) {
                System.gc();
                Thread.onSpinWait();
            }
            assertThat(descriptors()).isLessThanOrEqualTo(before + 5);
        }
    }

    private static long descriptors() throws Exception {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
