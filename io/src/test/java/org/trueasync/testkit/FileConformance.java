package org.trueasync.testkit;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.io.AsyncFile;

/** Files as coroutines see them, on whatever reactor. */
public abstract class FileConformance extends FileSuite {
    protected FileConformance(ReactorKit kit) {
        super(kit);
    }

    // ---- reading and writing

    @Test
    @Tag("E30")
    void written_canBeReadBack() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, WRITE)) {
                file.write(bytes("one "));
                file.write(bytes("two"));
                assertThat(file.position()).isEqualTo(7);
            }
            try (var file = AsyncFile.open(path)) {
                assertThat(read(file, 5)).isEqualTo("one t");
                assertThat(read(file, 5)).isEqualTo("wo");
                assertThat(read(file, 5)).isEqualTo("end");
                assertThat(file.position()).isEqualTo(7);
            }
        });
    }

    @Test
    void buffersOfAllKinds_areReadIntoAndWritten() {
        byte[] content = random(3_000_000);
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE);
                    Arena arena = Arena.ofConfined()) {
                file.write(ByteBuffer.wrap(content, 0, 1_000_000));
                file.write(ByteBuffer.allocateDirect(1_000_000)
                        .put(content, 1_000_000, 1_000_000)
                        .flip());
                ByteBuffer own = arena.allocate(1_000_000).asByteBuffer();
                file.write(own.put(content, 2_000_000, 1_000_000).flip().asReadOnlyBuffer());
                file.seek(0);
                ByteBuffer heap = ByteBuffer.allocate(1_000_100);
                heap.position(50).limit(1_000_050);
                assertThat(file.read(heap)).isEqualTo(1_000_000);
                assertThat(heap.position()).isEqualTo(1_000_050);
                ByteBuffer direct = ByteBuffer.allocateDirect(1_000_000);
                assertThat(file.read(direct)).isEqualTo(1_000_000);
                assertThat(file.read(own.clear())).isEqualTo(1_000_000);
                byte[] back = new byte[3_000_000];
                heap.flip().position(50).get(back, 0, 1_000_000);
                direct.flip().get(back, 1_000_000, 1_000_000);
                own.flip().get(back, 2_000_000, 1_000_000);
                assertThat(Arrays.equals(back, content)).isTrue();
            }
        });
    }

    @Test
    @Tag("E33")
    void end_isKnownAfterAReadHasMetIt() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                assertThat(file.isEof()).isFalse();
                assertThat(read(file, 5)).isEqualTo("end");
                assertThat(file.isEof()).isTrue();
                assertThat(read(file, 5)).isEqualTo("end");
                file.seek(3);
                assertThat(file.isEof()).isFalse();
                assertThat(read(file, 5)).isEqualTo("end");
                file.write(bytes("x"));
                file.seek(0);
                assertThat(read(file, 5)).isEqualTo("\0\0\0x");
                assertThat(file.isEof()).isFalse();
                assertThat(read(file, 5)).isEqualTo("end");
                // somebody else makes it longer
                Files.writeString(path, "y", APPEND);
                assertThat(read(file, 5)).isEqualTo("y");
                assertThat(file.isEof()).isFalse();
            }
        });
    }

    @Test
    @Tag("E34")
    void append_goesToTheEndWhateverWasSought() {
        run(() -> {
            Files.writeString(path, "before ");
            try (var file = AsyncFile.open(path, APPEND)) {
                assertThat(file.position()).isZero();
                file.write(bytes("one "));
                assertThat(file.position()).isEqualTo(4);
                file.seek(0);
                Files.writeString(path, "other ", APPEND);
                file.write(bytes("two "));
                assertThat(file.position()).isEqualTo(4);
                file.write(bytes("three"), 2);
                assertThat(file.position()).isEqualTo(4);
            }
            assertThat(Files.readString(path)).isEqualTo("before one other two three");
        });
    }

    @Test
    @Tag("E35")
    void wrongDirection_failsAndChangesNothing() {
        run(() -> {
            Files.writeString(path, "data");
            try (var file = AsyncFile.open(path, WRITE)) {
                assertThatThrownBy(() -> read(file, 5))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining(path.toString())
                        .hasMessageContaining("written only");
            }
            try (var file = AsyncFile.open(path, READ)) {
                assertThatThrownBy(() -> file.write(bytes("x")))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("read only");
                assertThatThrownBy(() -> file.truncate(0)).isInstanceOf(InputOutputException.class);
                assertThat(read(file, 5)).isEqualTo("data");
            }
        });
    }

    @Test
    void positionsOfTheirOwn_leaveTheFilesPositionAlone() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                file.write(bytes("0123456789"));
                file.write(bytes("AB"), 3);
                ByteBuffer into = ByteBuffer.allocate(4);
                assertThat(file.read(into, 2)).isEqualTo(4);
                assertThat(into.flip()).isEqualTo(bytes("2AB5"));
                assertThat(file.read(into.clear(), 10)).isEqualTo(-1);
                assertThat(file.isEof()).isFalse();
                assertThat(file.position()).isEqualTo(10);
                assertThatThrownBy(() -> file.read(into, -1)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> file.write(into, -2)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> file.seek(-1)).hasMessageContaining("-1");
            }
        });
    }

    @Test
    void severalBuffers_areOneWrite() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, WRITE)) {
                List<Coroutine<?>> writers = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    String name = Integer.toString(i);
                    writers.add(Async.spawn(() -> file.write(
                            bytes("<"),
                            ByteBuffer.allocateDirect(300_000),
                            ByteBuffer.allocate(0),
                            bytes(name),
                            bytes(">"))));
                }
                for (Coroutine<?> writer : writers) Async.await(writer);
            }
            String text = Files.readString(path);
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < 20; i++)
                expected.append("<").append("\0".repeat(300_000)).append(i).append(">");
            assertThat(text.contentEquals(expected)).isTrue();
        });
    }

    @Test
    @Tag("E32")
    @Tag("F74")
    void manyWriters_oneAfterAnotherInTheOrderOfTheCalls() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, WRITE)) {
                List<Coroutine<?>> writers = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    String line = "line " + i + "\n";
                    writers.add(Async.spawn(() -> file.write(bytes(line))));
                }
                for (Coroutine<?> writer : writers) Async.await(writer);
            }
            List<String> lines = Files.readAllLines(path);
            assertThat(lines).hasSize(200);
            for (int i = 0; i < 200; i++) assertThat(lines.get(i)).isEqualTo("line " + i);
        });
    }

    @Test
    @Tag("E31")
    void requests_areServedInTheOrderOfTheCalls() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                var got = new ArrayList<Object>();
                List<Coroutine<?>> all = new ArrayList<>();
                all.add(Async.spawn(() -> file.write(bytes("abcdef"))));
                all.add(Async.spawn(() -> file.seek(2)));
                all.add(Async.spawn(() -> got.add(read(file, 2))));
                all.add(Async.spawn(() -> got.add(read(file, 10))));
                all.add(Async.spawn(() -> got.add(file.size())));
                all.add(Async.spawn(() -> file.truncate(1)));
                all.add(Async.spawn(() -> got.add(file.size())));
                all.add(Async.spawn(() -> file.flush()));
                for (Coroutine<?> one : all) Async.await(one);
                assertThat(got).containsExactly("cd", "ef", 6L, 1L);
            }
        });
    }

    @Test
    void badBuffers_areRefused() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                assertThatThrownBy(() -> file.read(ByteBuffer.allocate(0)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("room");
                assertThatThrownBy(() -> file.read(ByteBuffer.allocate(5).asReadOnlyBuffer()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("read-only");
                file.write(ByteBuffer.allocate(0));
                assertThat(file.size()).isZero();
            }
        });
    }

    // ---- size, status, truncate, sync

    @Test
    void sizeAndStatus_areTheSystems() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, WRITE)) {
                file.write(bytes("12345"));
                assertThat(file.size()).isEqualTo(5);
                var status = file.status();
                assertThat(status.size()).isEqualTo(5);
                assertThat(status.isRegularFile()).isTrue();
                assertThat(status.isDirectory()).isFalse();
                assertThat(status.modified()).isEqualTo(Files.getLastModifiedTime(path));
                file.sync(false);
                file.sync(true);
            }
        });
    }

    @Test
    void truncate_cutsOrAddsZeroes() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                file.write(bytes("12345"));
                file.truncate(2);
                assertThat(file.position()).isEqualTo(5);
                file.truncate(4);
                file.seek(0);
                assertThat(read(file, 10)).isEqualTo("12\0\0");
                assertThatThrownBy(() -> file.truncate(-1)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    // ---- opening

    @Test
    void opening_knowsTheOptions() {
        run(() -> {
            assertThatThrownBy(() -> AsyncFile.open(path, READ))
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("ENOENT"))
                    .hasMessageContaining(path.toString());
            AsyncFile.open(
                            path,
                            Set.of(CREATE_NEW, WRITE),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                    .close();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            assertThatThrownBy(() -> AsyncFile.open(path, CREATE_NEW, WRITE))
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("EEXIST"));
            Files.writeString(path, "old");
            AsyncFile.open(path, WRITE).close();
            assertThat(Files.readString(path)).isEqualTo("old");
            AsyncFile.open(path, TRUNCATE_EXISTING, WRITE).close();
            assertThat(Files.readString(path)).isEmpty();
            AsyncFile.open(path, DELETE_ON_CLOSE, READ).close();
            assertThat(path).doesNotExist();
            assertThatThrownBy(() -> AsyncFile.open(path, APPEND, READ)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> AsyncFile.open(path, APPEND, TRUNCATE_EXISTING))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> AsyncFile.open(folder, WRITE))
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("EISDIR"));
            assertThatThrownBy(() -> AsyncFile.open(folder.resolve("none").resolve("x"), CREATE, WRITE))
                    .isInstanceOf(InputOutputException.class);
        });
    }

    @Test
    void noRuntime_saysWhatIsNeeded() {
        assertThatThrownBy(() -> AsyncFile.open(path, READ))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Async.run");
    }

    @Test
    void otherThread_isRefused() {
        var opened = new AtomicReference<AsyncFile>();
        run(() -> {
            var file = AsyncFile.open(path, CREATE, WRITE);
            opened.set(file);
            var thrown = new AtomicReference<Throwable>();
            Thread.ofPlatform()
                    .start(() -> {
                        try {
                            file.write(bytes("x"));
                        } catch (Throwable e) {
                            thrown.set(e);
                        }
                    })
                    .join();
            assertThat(thrown.get()).isInstanceOf(AsyncException.class);
            file.close();
        });
        assertThat(opened.get().isClosed()).isTrue();
    }

    // ---- closing

    @Test
    void closed_refusesEverythingAndClosingTwiceDoesNothing() {
        run(() -> {
            var file = AsyncFile.open(path, CREATE, READ, WRITE);
            file.close();
            file.close();
            assertThat(file.isClosed()).isTrue();
            for (Body call : List.<Body>of(
                    () -> read(file, 5),
                    () -> file.write(bytes("x")),
                    () -> file.size(),
                    () -> file.status(),
                    () -> file.seek(0),
                    () -> file.position(),
                    () -> file.flush(),
                    () -> file.sync(true),
                    () -> file.truncate(0))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("closed");
            }
        });
    }

    @Test
    @Tag("E38")
    @Tag("F5")
    void closedWhileOthersWait_theyGetAnError() {
        run(() -> {
            var file = AsyncFile.open(path, CREATE, READ, WRITE);
            List<Coroutine<?>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) waiting.add(Async.spawn(() -> file.write(ByteBuffer.allocate(8 << 20))));
            waiting.add(Async.spawn(() -> file.size()));
            Async.suspend();
            file.close();
            for (Coroutine<?> one : waiting)
                assertThat(failureOf(one))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("closed");
        });
    }

    // ---- without waiting

    /** Where the reactor can't tell what is in memory, a try has nothing, and a read has it all. */
    @Test
    @Tag("E37")
    void tryRead_givesWhatIsInMemoryAndNeverWaits() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                file.write(bytes("0123456789"));
                file.seek(0);
                ByteBuffer into = ByteBuffer.allocate(6);
                boolean tells = file.tryRead(into) != 0;
                assertThat(into.position()).isEqualTo(tells ? 6 : 0);
                assertThat(file.position()).isEqualTo(tells ? 6 : 0);
                if (!tells) file.read(into);
                assertThat(read(file, 6)).isEqualTo("6789");
                assertThat(file.tryRead(into.clear())).isEqualTo(tells ? -1 : 0);
                assertThat(file.isEof()).isEqualTo(tells);
                file.write(bytes("+"));
                file.seek(10);
                assertThat(file.tryRead(into)).isEqualTo(tells ? 1 : 0);
                assertThatThrownBy(() -> file.tryRead(ByteBuffer.allocate(0)))
                        .isInstanceOf(IllegalArgumentException.class);
                file.close();
                assertThatThrownBy(() -> file.tryRead(into)).isInstanceOf(InputOutputException.class);
            }
        });
    }

    // ---- views

    @Test
    void views_areTheJdks() {
        run(() -> {
            try (OutputStream out = AsyncFile.open(path, CREATE, WRITE).outputStream()) {
                out.write('a');
                out.write("bcdef".getBytes(StandardCharsets.UTF_8), 1, 4);
                out.flush();
            }
            try (InputStream in = AsyncFile.open(path, READ).inputStream()) {
                assertThat(in.read()).isEqualTo('a');
                assertThat(in.skip(1)).isEqualTo(1);
                assertThat(in.readAllBytes()).isEqualTo("def".getBytes(StandardCharsets.UTF_8));
                assertThat(in.read()).isEqualTo(-1);
                assertThat(in.skip(5)).isZero();
            }
            var channel = AsyncFile.open(path, READ, WRITE).channel();
            assertThat(channel.size()).isEqualTo(5);
            assertThat(channel.position(1).position()).isEqualTo(1);
            ByteBuffer into = ByteBuffer.allocate(2);
            assertThat(channel.read(into)).isEqualTo(2);
            assertThat(into.flip()).isEqualTo(bytes("cd"));
            assertThat(channel.write(bytes("X"))).isEqualTo(1);
            assertThat(channel.truncate(2).position()).isEqualTo(2);
            assertThat(channel.size()).isEqualTo(2);
            channel.close();
            assertThat(channel.isOpen()).isFalse();
            assertThatThrownBy(channel::size).isInstanceOf(ClosedChannelException.class);
            var reading = AsyncFile.open(path, READ);
            assertThatThrownBy(() -> reading.channel().write(bytes("x")))
                    .isInstanceOf(NonWritableChannelException.class);
            reading.close();
            assertThatThrownBy(() -> reading.inputStream().read()).isInstanceOf(IOException.class);
        });
    }

    // ---- descriptors

    @Test
    @Tag("deep")
    void tenThousandRounds_leaveNoDescriptorBehind() {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "no /proc here");
        run(() -> {
            Files.writeString(path, "data");
            long before = 0;
            for (int i = 0; i < 10_000; i++) {
                if (i == 500) before = count(descriptors);
                var file = AsyncFile.open(path, READ, WRITE);
                Coroutine<?> reader = Async.spawn(() -> read(file, 10));
                if (i % 3 == 0) Async.suspend();
                if (i % 4 == 0) reader.cancel();
                if (i % 5 != 0) failureOf(reader);
                file.close();
                failureOf(reader);
            }
            for (int i = 0; i < 1000 && count(descriptors) > before; i++) Async.delay(1);
            assertThat(count(descriptors)).isLessThanOrEqualTo(before + 3);
        });
    }

    private static long count(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            return all.count();
        }
    }
}
