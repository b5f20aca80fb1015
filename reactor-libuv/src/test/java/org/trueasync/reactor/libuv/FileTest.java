package org.trueasync.reactor.libuv;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
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

    private static ByteBuffer letters(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    @Test
    void inMemory_everythingIsDoneWithoutAHelper() throws Exception {
        Path tmpfs = FileSystems.on("tmpfs");
        assumeTrue(tmpfs != null, "no tmpfs here");
        Path path = Files.createTempFile(tmpfs, "trueasync", ".test");
        try (var reactor = new UvReactor()) {
            try (FileHandle file = open(reactor, path)) {
                assertThat(file.writesNow()).isTrue();
                assertThat(file.writeNow(letters("one two"), 3)).isEqualTo(7);
                ByteBuffer into = ByteBuffer.allocate(20);
                assertThat(file.readNow(into, 1)).isEqualTo(9);
                assertThat(new String(into.array(), 0, 9, StandardCharsets.US_ASCII))
                        .isEqualTo("\0\0one two");
                assertThat(file.readNow(into, 100)).isEqualTo(-1);
            }
            try (FileHandle file = reactor.open(path, Set.of(APPEND))) {
                assertThat(file.writeNow(letters(" three"), -1)).isEqualTo(6);
            }
            assertThat(Files.readString(path)).isEqualTo("\0\0\0one two three");
            try (FileHandle file = reactor.open(path, Set.of(READ))) {
                assertThat(file.writeNow(letters("x"), 0)).isEqualTo(FileHandle.NOT_NOW);
            }
        } finally {
            Files.delete(path);
        }
    }

    /** Now and then XFS refuses, when the time of the last change is due. */
    @Test
    void xfs_writesToWhatIsInMemoryWithoutAHelper_unlessEachWriteIsSynced() throws Exception {
        Path xfs = FileSystems.on("xfs");
        assumeTrue(xfs != null, "no XFS here");
        Path path = Files.createTempFile(xfs, "trueasync", ".test");
        try (var reactor = new UvReactor()) {
            int now = 0;
            try (FileHandle file = open(reactor, path)) {
                for (int i = 0; i < 1_000; i++) {
                    ByteBuffer letters = letters("letters " + i % 10);
                    if (file.writeNow(letters, i * 9L) == 9) now++;
                    else file.write(letters, i * 9L);
                    assertThat(letters.hasRemaining()).isFalse();
                }
                assertThat(now).isPositive();
                // A hole: finding room for it may mean waiting.
                ByteBuffer far = letters("far");
                assertThat(file.writeNow(far, 1L << 40)).isEqualTo(FileHandle.NOT_NOW);
                assertThat(far.position()).isZero();
                assertThat(file.writesNow()).isTrue();
            }
            assertThat(Files.readString(path)).startsWith("letters 0letters 1").hasSize(9_000);
            for (StandardOpenOption sync : List.of(StandardOpenOption.DSYNC, StandardOpenOption.SYNC)) {
                try (FileHandle file = reactor.open(path, Set.of(WRITE, sync))) {
                    assertThat(file.writesNow()).isFalse();
                    assertThat(file.writeNow(letters("x"), 0)).isEqualTo(FileHandle.NOT_NOW);
                }
            }
        } finally {
            Files.delete(path);
        }
    }

    @Test
    void xfs_fileWhoseWritesAreSyncedByItsAttribute_isNotWrittenOnTheLoop() throws Exception {
        Path xfs = FileSystems.on("xfs");
        assumeTrue(xfs != null, "no XFS here");
        Path path = Files.createTempFile(xfs, "trueasync", ".test");
        try (var reactor = new UvReactor()) {
            int status =
                    new ProcessBuilder("chattr", "+S", path.toString()).start().waitFor();
            assumeTrue(status == 0, "no chattr here");
            try (FileHandle file = open(reactor, path)) {
                assertThat(file.writesNow()).isFalse();
            }
        } finally {
            Files.delete(path);
        }
    }

    @Test
    void otherFileSystems_areNotWrittenOnTheLoop() throws Exception {
        String type = Files.getFileStore(folder).type();
        assumeTrue(!type.equals("xfs") && !type.equals("tmpfs"), "one that may be");
        try (var reactor = new UvReactor();
                FileHandle file = open(reactor, folder.resolve("file"))) {
            assertThat(file.writesNow()).isFalse();
            assertThat(file.writeNow(letters("x"), 0)).isEqualTo(FileHandle.NOT_NOW);
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
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (descriptors() > before + 5 && System.nanoTime() - end < 0) {
                System.gc();
                Thread.sleep(1);
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
