package org.trueasync.reactor.libuv;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.internal.work.Workers;
import org.trueasync.io.AsyncFile;

/** Waits for FIFOs that their coroutines have given up keep no thread, and lose nothing. */
class GivenUpWaitsTest {
    @TempDir
    Path folder;

    @BeforeEach
    void onLinux() {
        assumeTrue(UvFileOptions.ARE_KNOWN, "the JDK's files here");
    }

    private Path fifo(String name) throws IOException, InterruptedException {
        Path fifo = folder.resolve(name);
        int status = new ProcessBuilder("mkfifo", "-m", "600", fifo.toString())
                .start()
                .waitFor();
        assumeTrue(status == 0, "no mkfifo here");
        return fifo;
    }

    private static void abandon(Coroutine<?> waiting) {
        waiting.cancel();
        Async.awaitAll(List.of(waiting));
        assertThat(waiting.isCancelled()).isTrue();
    }

    @Test
    @Tag("F35")
    void readsGivenUp_keepNoThread() {
        Async.runtime().reactor("libuv").run(() -> {
            int before = Workers.DEVICES.size();
            List<AsyncFile> files = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                // both sides: to open it waits for nobody, to read from it for what is written
                AsyncFile file = AsyncFile.open(fifo("fifo" + i), READ, WRITE);
                files.add(file);
                Coroutine<Integer> reader = Async.spawn(() -> file.read(ByteBuffer.allocate(10)));
                for (int turns = 0; turns < i % 4; turns++) Async.delay(1);
                abandon(reader);
            }
            assertThat(Workers.DEVICES.size() - before).isLessThan(15);
            for (AsyncFile file : files) {
                file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
                ByteBuffer into = ByteBuffer.allocate(10);
                assertThat(file.read(into)).isEqualTo(3);
                file.close();
            }
        });
    }

    @Test
    @Tag("F35")
    @Tag("F36")
    void readerThatGivesUp_leavesTheWriterWaitingForRoom() {
        Async.runtime().reactor("libuv").run(() -> {
            Path path = fifo("fifo");
            try (var both = AsyncFile.open(path, READ, WRITE)) {
                for (int round = 0; round < 50; round++) {
                    Coroutine<Integer> reader = Async.spawn(() -> both.read(ByteBuffer.allocate(10)));
                    for (int turns = 0; turns < round % 3; turns++) Async.delay(1);
                    reader.cancel();
                    // more than the pipe takes, so that it waits
                    byte[] sent = new byte[200_000];
                    for (int i = 0; i < sent.length; i++) sent[i] = (byte) (i * 7);
                    Coroutine<?> writer = Async.spawn(() -> both.write(ByteBuffer.wrap(sent)));
                    Async.suspend();
                    Coroutine<Integer> another = Async.spawn(() -> both.read(ByteBuffer.allocate(10)));
                    another.cancel();
                    ByteBuffer got = ByteBuffer.allocate(sent.length);
                    while (got.hasRemaining()) both.read(got);
                    Async.await(writer);
                    assertThat(got.array()).isEqualTo(sent);
                }
            }
        });
    }

    @Test
    @Tag("F35")
    void writesGivenUp_keepNoThreadAndTheFileStaysOfUse() {
        Async.runtime().reactor("libuv").run(() -> {
            int before = Workers.DEVICES.size();
            try (var both = AsyncFile.open(fifo("fifo"), READ, WRITE)) {
                for (int round = 0; round < 40; round++) {
                    Coroutine<?> writer = Async.spawn(() -> both.write(ByteBuffer.allocate(1_000_000)));
                    for (int turns = 0; turns < round % 4; turns++) Async.delay(1);
                    abandon(writer);
                }
                assertThat(Workers.DEVICES.size() - before).isLessThan(15);
                Coroutine<?> last = Async.spawn(() -> both.write(ByteBuffer.wrap(new byte[] {42})));
                ByteBuffer got = ByteBuffer.allocate(1 << 16);
                do both.read(got.clear());
                while (got.get(got.position() - 1) != 42);
                Async.await(last);
            }
        });
    }
}
