package org.trueasync.testkit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.work.Workers;
import org.trueasync.io.AsyncFile;

/** FIFOs and devices. */
public abstract class SpecialFileConformance extends FileSuite {
    protected SpecialFileConformance(ReactorKit kit) {
        super(kit);
    }

    @Test
    @Tag("E37")
    void tryReadOfAFifo_takesNothingFromThoseWhoWaitAndLosesNothing() {
        run(() -> {
            Path fifo = fifo();
            Coroutine<AsyncFile> opening = Async.spawn(() -> AsyncFile.open(fifo, READ));
            try (var out = AsyncFile.open(fifo, WRITE);
                    var in = Async.await(opening)) {
                ByteBuffer into = ByteBuffer.allocate(4);
                assertThat(in.tryRead(into)).isZero();
                Coroutine<String> reader = Async.spawn(() -> read(in, 4));
                Async.suspend();
                assertThat(in.tryRead(into)).isZero();
                out.write(bytes("one "));
                assertThat(Async.await(reader)).isEqualTo("one ");
                out.write(bytes("two"));
                int count = in.tryRead(into);
                if (count == 0) count = in.read(into);
                assertThat(new String(into.array(), 0, count, StandardCharsets.UTF_8))
                        .isEqualTo("two");
            }
        });
    }

    @Test
    void fifo_waitsForTheOtherSideWhileFilesGoOn() {
        run(() -> {
            Path fifo = fifo();
            // more of them than there are threads for files
            List<Coroutine<?>> opening = new ArrayList<>();
            for (int i = 0; i < 20; i++) opening.add(Async.spawn(() -> AsyncFile.open(fifo, READ)));
            Async.delay(1);
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                file.write(bytes("goes on"));
                assertThat(file.size()).isEqualTo(7);
            }
            for (Coroutine<?> one : opening) assertThat(one.isCompleted()).isFalse();
            for (Coroutine<?> one : opening.subList(1, 20)) {
                one.cancel();
                assertThat(failureOf(one)).isInstanceOf(AsyncCancellation.class);
            }
            try (var out = AsyncFile.open(fifo, WRITE);
                    var in = (AsyncFile) Async.await(opening.getFirst())) {
                Coroutine<String> reader = Async.spawn(() -> read(in, 100));
                Async.delay(1);
                out.write(bytes("through the pipe"));
                assertThat(Async.await(reader)).isEqualTo("through the pipe");
                assertThatThrownBy(() -> in.seek(0))
                        .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                                .isEqualTo("ESPIPE"));
                assertThatThrownBy(() -> in.read(ByteBuffer.allocate(1), 0)).isInstanceOf(InputOutputException.class);
                out.close();
                assertThat(read(in, 100)).isEqualTo("end");
                assertThat(in.isEof()).isTrue();
            }
        });
    }

    @Test
    @Tag("deep")
    @Tag("F35")
    void openingsOfFifosGivenUp_keepNoThread() {
        run(() -> {
            int before = Workers.DEVICES.size();
            for (int i = 0; i < 60; i++) {
                int n = i;
                Path fifo = fifo();
                Coroutine<AsyncFile> opening = Async.spawn(() -> AsyncFile.open(fifo, n % 2 == 0 ? READ : WRITE));
                for (int turns = 0; turns < i % 5; turns++) Async.delay(1);
                opening.cancel();
                assertThat(failureOf(opening)).isInstanceOf(AsyncCancellation.class);
                Files.delete(fifo);
            }
            assertThat(Workers.DEVICES.size() - before).isLessThan(20);
            try (var device = AsyncFile.open(Path.of("/dev/null"), READ)) {
                assertThat(device.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        });
    }

    @Test
    @Tag("F35")
    void openingOfAFifoGivenUpBesideAnother_leavesTheOtherWaiting() {
        run(() -> {
            Path fifo = fifo();
            Coroutine<AsyncFile> stays = Async.spawn(() -> AsyncFile.open(fifo, READ));
            Coroutine<AsyncFile> leaves = Async.spawn(() -> AsyncFile.open(fifo, READ));
            Async.delay(5);
            leaves.cancel();
            assertThat(failureOf(leaves)).isInstanceOf(AsyncCancellation.class);
            Async.delay(5);
            assertThat(stays.isCompleted()).isFalse();
            try (var out = AsyncFile.open(fifo, WRITE);
                    var in = Async.await(stays)) {
                out.write(bytes("for the one who stayed"));
                assertThat(read(in, 100)).isEqualTo("for the one who stayed");
            }
        });
    }

    @Test
    @Tag("F36")
    void fifoWhoseReaderIsCancelled_losesNothing() {
        run(() -> {
            Path fifo = fifo();
            Coroutine<AsyncFile> opening = Async.spawn(() -> AsyncFile.open(fifo, READ));
            try (var out = AsyncFile.open(fifo, WRITE);
                    var in = Async.await(opening)) {
                Coroutine<?> reader = Async.spawn(() -> read(in, 100));
                Async.delay(1);
                reader.cancel();
                assertThat(failureOf(reader)).isInstanceOf(AsyncCancellation.class);
                Coroutine<String> next = Async.spawn(() -> read(in, 4) + "|" + read(in, 100));
                Async.delay(1);
                out.write(bytes("12345"));
                assertThat(Async.await(next)).isEqualTo("1234|5");
            }
        });
    }

    @Test
    @Tag("E38")
    @Tag("F5")
    void fifoClosedWhileSomebodyReads_theReaderGetsAnError() {
        run(() -> {
            Path fifo = fifo();
            Coroutine<AsyncFile> opening = Async.spawn(() -> AsyncFile.open(fifo, READ));
            try (var out = AsyncFile.open(fifo, WRITE)) {
                var in = Async.await(opening);
                Coroutine<?> reader = Async.spawn(() -> read(in, 100));
                Async.delay(1);
                in.close();
                assertThat(failureOf(reader))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("closed");
                // the last reader is really gone
                while (true) {
                    try {
                        out.write(bytes("x"));
                        Async.delay(1);
                    } catch (InputOutputException e) {
                        assertThat(e.errno()).isEqualTo("EPIPE");
                        break;
                    }
                }
            }
        });
    }

    @Test
    void devices_areReadAndWritten() {
        assumeTrue(Files.exists(Path.of("/dev/zero")) && Files.exists(Path.of("/dev/full")), "no such devices here");
        run(() -> {
            try (var zero = AsyncFile.open(Path.of("/dev/zero"), READ)) {
                ByteBuffer into = ByteBuffer.allocate(1000);
                assertThat(zero.read(into)).isEqualTo(1000);
            }
            try (var full = AsyncFile.open(Path.of("/dev/full"), WRITE)) {
                assertThatThrownBy(() -> full.write(bytes("x")))
                        .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                                .isEqualTo("ENOSPC"))
                        .hasMessageContaining("/dev/full");
            }
        });
    }
}
