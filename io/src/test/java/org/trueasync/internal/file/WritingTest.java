package org.trueasync.internal.file;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.io.AsyncFile;
import org.trueasync.spi.FileHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.testkit.TestRun;

/** Which writes are made on the loop thread, and what goes to a helper thread, with a file that does as it is told. */
class WritingTest {
    private static final byte[] CONTENT = new byte[600_000];

    static {
        for (int i = 0; i < CONTENT.length; i++) CONTENT[i] = (byte) (i * 31 + i / 1000);
    }

    private final ScriptedFile script = new ScriptedFile();

    /** Keeps what is written, and who wrote it. */
    private static final class ScriptedFile implements FileHandle {
        final byte[] bytes = new byte[2_000_000];
        final List<String> calls = Collections.synchronizedList(new ArrayList<>());
        boolean writesNow = true;
        /** The most that each write at once takes; when the script has ended nothing is taken at once. */
        int[] takes = {};

        volatile CountDownLatch mayWrite = new CountDownLatch(0);
        /** How many writes helper threads have begun. Such a write can't be taken back any more. */
        final AtomicInteger begun = new AtomicInteger();

        volatile int size;
        private int next;

        void begin(int... script) {
            takes = script;
            next = 0;
            size = 0;
            calls.clear();
        }

        @Override
        public boolean writesNow() {
            return writesNow;
        }

        @Override
        public int writeNow(ByteBuffer from, long position) {
            assertThat(from.isDirect()).isTrue();
            calls.add("now");
            if (next == takes.length) return NOT_NOW;
            return take(from, position, Math.min(takes[next++], from.remaining()));
        }

        @Override
        public void write(ByteBuffer from, long position) {
            begun.incrementAndGet();
            try {
                if (!mayWrite.await(15, TimeUnit.SECONDS)) throw new AssertionError("nobody lets it write");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            synchronized (this) {
                calls.add("later " + take(from, position, from.remaining()));
            }
        }

        private int take(ByteBuffer from, long position, int count) {
            int at = position < 0 ? size : (int) position;
            from.get(bytes, at, count);
            size = Math.max(size, at + count);
            return count;
        }

        @Override
        public int read(ByteBuffer into, long position) {
            return -1;
        }

        @Override
        public boolean isSeekable() {
            return true;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public Status status() {
            var never = FileTime.fromMillis(0);
            return new Status(size, never, never, never, false, true);
        }

        @Override
        public void sync(boolean metadata) {}

        @Override
        public void truncate(long to) {}

        @Override
        public void lock(long position, long size, boolean shared) {}

        @Override
        public boolean tryLock(long position, long size, boolean shared) {
            return true;
        }

        @Override
        public void unlock(long position, long size) {}

        @Override
        public Object key() {
            return this;
        }

        @Override
        public void close() {}
    }

    private Reactor reactor() {
        return new VirtualReactor() {
            @Override
            public FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
                return script;
            }
        };
    }

    private void run(OpenOption option, AtomicReference<AsyncFile> file, Body body) {
        new TestRun(this::reactor).run(() -> {
            try (var opened = AsyncFile.open(Path.of("scripted"), option)) {
                file.set(opened);
                body.run();
            }
        });
    }

    private void write(OpenOption option, ByteBuffer... buffers) {
        var file = new AtomicReference<AsyncFile>();
        run(option, file, () -> {
            file.get().write(buffers);
            assertThat(file.get().position()).isEqualTo(script.size);
        });
        for (ByteBuffer buffer : buffers) assertThat(buffer.hasRemaining()).isFalse();
    }

    private static ByteBuffer heap(int size) {
        return ByteBuffer.wrap(CONTENT, 0, size);
    }

    private static ByteBuffer direct(int size) {
        return ByteBuffer.allocateDirect(size).put(CONTENT, 0, size).flip();
    }

    private void assertWritten(int size) {
        assertThat(script.size).isEqualTo(size);
        assertThat(Arrays.equals(script.bytes, 0, size, CONTENT, 0, size)).isTrue();
    }

    @Test
    void takenAtOnce_noHelper() {
        for (ByteBuffer buffer :
                new ByteBuffer[] {heap(5_000), direct(5_000), direct(5_000).asReadOnlyBuffer()}) {
            script.begin(9_000);
            write(WRITE, buffer);
            assertWritten(5_000);
            assertThat(script.calls).containsExactly("now");
        }
    }

    @Test
    void largeOnes_goInPiecesThatDoNotHoldTheLoopForLong() {
        script.begin(600_000, 600_000, 600_000);
        write(WRITE, direct(600_000));
        assertWritten(600_000);
        assertThat(script.calls).containsExactly("now", "now", "now");
    }

    @Test
    void shortWrites_theRestIsAskedAgain_andThenGoesToAHelper() {
        for (ByteBuffer buffer : new ByteBuffer[] {heap(9_000), direct(9_000)}) {
            script.begin(1_000, 2_000);
            write(WRITE, buffer);
            assertWritten(9_000);
            assertThat(script.calls).containsExactly("now", "now", "now", "later 6000");
        }
    }

    @Test
    void refusedForGood_isNotAsked() {
        script.writesNow = false;
        script.begin(9_000);
        write(WRITE, heap(5_000));
        assertWritten(5_000);
        assertThat(script.calls).containsExactly("later 5000");
    }

    /** Appended by several processes, they must not mix. */
    @Test
    @Tag("E34")
    void severalBuffers_areOneCall_appendedToo() {
        for (OpenOption option : List.of(WRITE, APPEND)) {
            script.begin(9_000);
            ByteBuffer second =
                    ByteBuffer.allocateDirect(3_000).put(CONTENT, 1_000, 3_000).flip();
            write(option, direct(1_000), ByteBuffer.allocate(0), second, ByteBuffer.wrap(CONTENT, 4_000, 500));
            assertWritten(4_500);
            assertThat(script.calls).containsExactly("now");
        }
    }

    @Test
    @Tag("F74")
    void cancelledBehindAPieceThatWasTakenAtOnce_thePositionIsBehindWhatTheSystemTook() {
        script.begin(262_144);
        script.mayWrite = new CountDownLatch(1);
        var file = new AtomicReference<AsyncFile>();
        run(WRITE, file, () -> {
            var writer = Async.spawn(() -> file.get().write(direct(600_000)));
            while (script.begun.get() < 1) Async.suspend();
            writer.cancel();
            assertThatThrownBy(() -> Async.await(writer)).isInstanceOf(AsyncCancellation.class);
            script.mayWrite.countDown();
            file.get().flush();
            assertThat(file.get().position()).isEqualTo(script.size).isEqualTo(524_288);
        });
    }

    @Test
    void twoFilesAtATime_haveMemoryOfTheirOwn() {
        script.mayWrite = new CountDownLatch(1);
        var one = new AtomicReference<AsyncFile>();
        run(WRITE, one, () -> {
            try (var two = AsyncFile.open(Path.of("scripted"), WRITE)) {
                var first = Async.spawn(() -> one.get().write(heap(1_000)));
                var second = Async.spawn(() -> two.write(ByteBuffer.wrap(CONTENT, 1_000, 1_000), 1_000));
                while (script.begun.get() < 2) Async.suspend();
                script.mayWrite.countDown();
                Async.awaitAllOrFail(List.of(first, second));
            }
        });
        assertWritten(2_000);
    }

    @Test
    void oneAfterAnother_letOthersRun() {
        script.takes = new int[10_000];
        Arrays.fill(script.takes, 10);
        var file = new AtomicReference<AsyncFile>();
        run(WRITE, file, () -> {
            int[] turns = {0};
            var other = Async.spawn(() -> {
                while (true) {
                    turns[0]++;
                    Async.suspend();
                }
            });
            for (int i = 0; i < 1_000; i++) file.get().write(heap(10), 0);
            assertThat(turns[0]).isBetween(5, 20);
            other.cancel();
        });
        assertThat(script.calls).hasSize(1_000).containsOnly("now");
    }

    @Test
    void closedMeanwhile_fails() {
        var file = new AtomicReference<AsyncFile>();
        run(WRITE, file, () -> {
            file.get().close();
            assertThatThrownBy(() -> file.get().write(heap(10))).isInstanceOf(InputOutputException.class);
        });
        assertThat(script.calls).isEmpty();
    }
}
