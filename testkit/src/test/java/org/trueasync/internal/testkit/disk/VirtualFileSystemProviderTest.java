package org.trueasync.internal.testkit.disk;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.DosFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What {@code Files} and {@code FileChannel} would ask of the disk. */
class VirtualFileSystemProviderTest {
    private static final Path A = Path.of("/a");
    private static final Path B = Path.of("/b");
    private static final Path FOLDER = Path.of("/folder");

    private final VirtualDisk disk = new VirtualDisk(new SplittableRandom(1));
    private final FileSystemProvider files = disk.files();
    private long now;

    private void write(Path path, String text) throws IOException {
        try (var out = files.newOutputStream(path)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private String text(Path path) throws IOException {
        try (var in = files.newInputStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private FileChannel open(Path path, OpenOption... options) throws IOException {
        return files.newFileChannel(path, Set.of(options));
    }

    private List<String> list(Path folder) throws IOException {
        var names = new ArrayList<String>();
        try (var all = files.newDirectoryStream(folder, path -> !path.endsWith("hidden"))) {
            for (Path path : all) names.add(path.toString());
        }
        return names;
    }

    private static void isRefused(ThrowingCallable call, Class<? extends Throwable> type, String message) {
        assertThatThrownBy(call).isExactlyInstanceOf(type).hasMessage(message);
    }

    @Test
    void content_isWrittenAndReadBack() throws IOException {
        write(A, "one");
        assertThat(text(A)).isEqualTo("one");
        assertThat(text(Path.of("tmp/../a"))).as("relative to the root").isEqualTo("one");
        write(A, "2");
        assertThat(text(A)).isEqualTo("2");
        isRefused(() -> text(B), NoSuchFileException.class, "/b");
        isRefused(() -> open(A, CREATE_NEW, WRITE), FileAlreadyExistsException.class, "/a");
        isRefused(() -> write(Path.of("/tmp"), "x"), FileSystemException.class, "/tmp: Is a directory");
        isRefused(() -> write(Path.of("/a/x"), "x"), FileSystemException.class, "/a/x: Not a directory");
    }

    @Test
    void folders_areMadeListedAndDeleted() throws IOException {
        files.createDirectory(FOLDER);
        for (String name : List.of("z", "m", "hidden")) write(FOLDER.resolve(name), name);
        assertThat(list(FOLDER)).containsExactly("/folder/m", "/folder/z");
        isRefused(() -> files.createDirectory(FOLDER), FileAlreadyExistsException.class, "/folder");
        isRefused(() -> files.delete(FOLDER), DirectoryNotEmptyException.class, "/folder");
        isRefused(() -> list(FOLDER.resolve("z")), NotDirectoryException.class, "/folder/z");
        isRefused(() -> list(B), NoSuchFileException.class, "/b");
        for (String name : List.of("z", "m", "hidden")) files.delete(FOLDER.resolve(name));
        files.delete(FOLDER);
        assertThat(files.deleteIfExists(FOLDER)).isFalse();
        assertThat(list(Path.of("/"))).containsExactly("/tmp");
    }

    /** As {@code Files.createDirectories} does with what is missing. */
    @Test
    void relativePathMadeAbsolute_isTheSame() throws IOException {
        files.createDirectory(Path.of("data").toAbsolutePath());
        write(Path.of("data/x"), "x");
        assertThat(text(Path.of("/data/x"))).isEqualTo("x");
        assertThat(list(Path.of("").toAbsolutePath()))
                .contains("" + Path.of("data").toAbsolutePath());
        assertThat(list(Path.of(System.getProperty("java.io.tmpdir")))).isEmpty();
    }

    @Test
    void moves_replaceOrRefuse() throws IOException {
        write(A, "a");
        write(B, "b");
        isRefused(() -> files.move(A, B), FileAlreadyExistsException.class, "/b");
        files.move(A, B, ATOMIC_MOVE);
        assertThat(text(B)).isEqualTo("a");
        isRefused(() -> text(A), NoSuchFileException.class, "/a");
        isRefused(() -> files.move(A, B, ATOMIC_MOVE), NoSuchFileException.class, "/a");
        files.createDirectory(FOLDER);
        files.move(B, FOLDER, REPLACE_EXISTING);
        assertThat(text(FOLDER)).isEqualTo("a");
        files.createDirectory(A);
        isRefused(() -> files.move(FOLDER, A, ATOMIC_MOVE), FileSystemException.class, "/folder: Is a directory");
        isRefused(
                () -> files.move(A, A.resolve("inner"), ATOMIC_MOVE),
                FileSystemException.class,
                "/a: Invalid argument");
        write(A.resolve("file"), "inside");
        files.move(A, B);
        assertThat(text(B.resolve("file"))).isEqualTo("inside");
    }

    @Test
    void copies_areOnesOwn() throws IOException {
        write(A, "a");
        files.setAttribute(A, "lastModifiedTime", FileTime.fromMillis(5));
        files.copy(A, B, COPY_ATTRIBUTES);
        write(A, "new");
        assertThat(text(B)).isEqualTo("a");
        assertThat(files.readAttributes(B, BasicFileAttributes.class).lastModifiedTime())
                .isEqualTo(FileTime.fromMillis(5));
        isRefused(() -> files.copy(A, B), FileAlreadyExistsException.class, "/b");
        files.copy(A, B, REPLACE_EXISTING);
        assertThat(text(B)).isEqualTo("new");
    }

    @Test
    void attributes_areKnownAndSet() throws IOException {
        disk.mount(() -> now, nanos -> now += nanos);
        now = 7_000_000_000L;
        files.newByteChannel(
                        A,
                        Set.of(CREATE, WRITE),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                .close();
        var found = files.readAttributes(A, PosixFileAttributes.class);
        assertThat(found.size()).isZero();
        assertThat(found.isRegularFile()).isTrue();
        assertThat(found.creationTime()).hasToString("2000-01-01T00:00:07Z");
        assertThat(PosixFilePermissions.toString(found.permissions())).isEqualTo("rw-------");
        files.getFileAttributeView(A, BasicFileAttributeView.class).setTimes(FileTime.fromMillis(9), null, null);
        assertThat(files.readAttributes(A, "lastModifiedTime,size"))
                .isEqualTo(Map.of("lastModifiedTime", FileTime.fromMillis(9), "size", 0L));
        files.setAttribute(A, "posix:permissions", PosixFilePermissions.fromString("r--r--r--"));
        assertThat(files.readAttributes(A, "posix:*")).hasSize(10);
        assertThatThrownBy(() -> files.readAttributes(A, "colour")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> files.readAttributes(B, "*")).isInstanceOf(NoSuchFileException.class);
        assertThat(files.isSameFile(A, Path.of("/tmp/../a"))).isTrue();
        assertThat(files.exists(B)).isFalse();
        files.checkAccess(A);
    }

    @Test
    void channel_isTheJdks() throws IOException {
        try (FileChannel file = open(A, CREATE, READ, WRITE)) {
            assertThat(file.write(new ByteBuffer[] {bytes("one "), bytes("two")}))
                    .isEqualTo(7);
            assertThat(file.position()).isEqualTo(7);
            file.write(bytes("TWO"), 4);
            var into = ByteBuffer.allocate(4);
            assertThat(file.position(3).read(into)).isEqualTo(4);
            assertThat(into.flip()).isEqualTo(bytes(" TWO"));
            assertThat(file.read(into.clear())).isEqualTo(-1);
            file.force(false);
            var copied = new ByteArrayOutputStream();
            assertThat(file.transferTo(4, 100, Channels.newChannel(copied))).isEqualTo(3);
            assertThat(copied.toString(StandardCharsets.UTF_8)).isEqualTo("TWO");
            var more = new ByteArrayInputStream("three".getBytes(StandardCharsets.UTF_8));
            assertThat(file.transferFrom(Channels.newChannel(more), 7, 100)).isEqualTo(5);
            assertThat(file.truncate(8).size()).isEqualTo(8);
            assertThat(text(A)).isEqualTo("one TWOt");
        }
        try (FileChannel file = open(A, APPEND)) {
            file.position(0).write(bytes("!"));
            assertThat(text(A)).isEqualTo("one TWOt!");
            assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1))).isInstanceOf(NonReadableChannelException.class);
            file.close();
            assertThatThrownBy(() -> file.write(bytes("x"))).isInstanceOf(ClosedChannelException.class);
        }
        try (FileChannel file = open(A, READ)) {
            assertThatThrownBy(() -> file.write(bytes("x"))).isInstanceOf(NonWritableChannelException.class);
        }
        assertThatThrownBy(() -> open(A, APPEND, READ)).isInstanceOf(IllegalArgumentException.class);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void locks_ofOneProgramMayNotOverlap() throws IOException {
        try (FileChannel one = open(A, CREATE, WRITE);
                FileChannel other = open(A, WRITE)) {
            var lock = one.lock(0, 10, false);
            assertThatThrownBy(() -> other.tryLock(9, 5, false)).isInstanceOf(OverlappingFileLockException.class);
            other.lock(10, 0, false).close();
            lock.release();
            assertThat(lock.isValid()).isFalse();
            assertThat(other.tryLock().isValid()).isTrue();
        }
    }

    @Test
    void faults_areToldAsOfTheJdk() throws IOException {
        disk.faults().capacity = 3;
        isRefused(() -> write(A, "1234"), IOException.class, "No space left on device");
        try (FileChannel file = open(A, WRITE)) {
            disk.faults().syncErrors = 1;
            isRefused(() -> file.force(true), IOException.class, "Input/output error");
            disk.faults().writeErrors = 1;
            isRefused(() -> file.write(bytes("x"), 0), IOException.class, "Input/output error");
            disk.crash(new SplittableRandom(1));
            isRefused(file::size, IOException.class, "Bad file descriptor");
        }
    }

    @Test
    void calls_holdTheirThreadForAWhile() throws IOException {
        disk.mount(() -> now, nanos -> now += nanos);
        try (FileChannel file = open(A, CREATE, WRITE)) {
            assertThat(now).isEqualTo(10_000);
            file.write(bytes("x"));
            file.force(false);
            assertThat(now).isEqualTo(120_000);
        }
    }

    /** The JDK asks for jars by their paths while it loads classes. */
    @Test
    void filesOfTheProgram_areRealOnes() {
        assertThat(disk.providerOf(A)).isSameAs(files);
        assertThat(disk.providerOf(Path.of("data/log"))).isSameAs(files);
        for (Path path : List.of(
                Path.of(System.getProperty("java.home"), "lib", "modules"),
                Path.of(System.getProperty("java.class.path").split(File.pathSeparator)[0])
                        .toAbsolutePath(),
                Path.of("/elsewhere/some.jar")))
            assertThat(disk.providerOf(path)).as("%s", path).isNotSameAs(files);
    }

    @Test
    void whatThereIsNot_isRefusedByName() throws IOException {
        write(A, "a");
        assertThatThrownBy(() -> files.createLink(B, A)).hasMessage("the simulated disk does not have hard links");
        assertThatThrownBy(() -> files.createSymbolicLink(B, A)).hasMessageContaining("symbolic links");
        assertThatThrownBy(() -> files.readSymbolicLink(A)).isInstanceOf(NotLinkException.class);
        assertThatThrownBy(() -> files.getFileStore(A)).hasMessageContaining("file stores");
        assertThatThrownBy(() -> files.readAttributes(A, DosFileAttributes.class))
                .hasMessageContaining("Dos");
        assertThatThrownBy(() -> files.newAsynchronousFileChannel(A, Set.of(READ), null))
                .isInstanceOf(UnsupportedOperationException.class);
        try (FileChannel file = open(A, READ)) {
            assertThatThrownBy(() -> file.map(FileChannel.MapMode.READ_ONLY, 0, 1))
                    .hasMessageContaining("maps");
        }
    }
}
