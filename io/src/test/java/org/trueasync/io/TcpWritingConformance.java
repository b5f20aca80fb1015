package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.read;
import static org.trueasync.io.Runs.readFully;
import static org.trueasync.io.Runs.runClean;
import static org.trueasync.testkit.TestRun.failureOf;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.io.Runs.Foreign;
import org.trueasync.io.Runs.Pair;

/** TCP streams: writing, and the end of the output. */
public abstract class TcpWritingConformance {
    // ---- writing

    /** Runs with a heap that has all its memory from the start, so that what grows is native. */
    static final class SlowReader {
        private SlowReader() {}

        public static void main(String[] arguments) {
            runClean(() -> {
                try (Pair pair = Pair.open()) {
                    int size = 50 << 20;
                    byte[] pattern = new byte[size];
                    for (int i = 0; i < size; i++) pattern[i] = (byte) (i ^ i >> 8 ^ i >> 16);
                    ByteBuffer part = ByteBuffer.allocate(1 << 20);
                    Coroutine<?> writer = Async.spawn(() -> pair.client().write(ByteBuffer.wrap(pattern)));
                    Runs.settle();
                    long before = Memory.resident();
                    long most = before;
                    int at = 0;
                    while (at < size) {
                        part.clear();
                        int count = pair.peer().read(part);
                        if (count <= 0 || !Arrays.equals(part.array(), 0, count, pattern, at, at + count))
                            throw new AssertionError("differs near " + at);
                        at += count;
                        if (at % 97 == 0) Async.delay(1);
                        most = Math.max(most, Memory.resident());
                    }
                    if (failureOf(writer) != null) throw new AssertionError(failureOf(writer));
                    System.out.println(most - before < 24L << 20 ? "bounded" : "grew by " + (most - before));
                }
            });
        }
    }

    @Test
    @Tag("deep")
    @Tag("E32")
    @Tag("F74")
    void fiftyMegabytesToASlowReader_memoryStaysBounded() throws Exception {
        String output = new ChildProgram()
                .options("-Xms160m", "-Xmx160m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
                .run(SlowReader.class);
        assertThat(output.lines()).containsExactly("bounded", "exit 0");
    }

    @Test
    void peerDoesNotRead_writerParksWithTheSystemsBuffersFull() {
        runClean(() -> {
            try (Foreign far = Foreign.open()) {
                long[] written = {0};
                Coroutine<?> writer = Async.spawn(() -> {
                    while (true) {
                        far.stream().write(ByteBuffer.allocate(100_000));
                        written[0] += 100_000;
                    }
                });
                long last = -1;
                while (last != written[0]) {
                    last = written[0];
                    Async.delay(30);
                }
                assertThat(written[0]).isLessThan(64L << 20);
                assertThat(writer.awaitingInfo())
                        .hasSize(1)
                        .allMatch(i -> i.contains("write of") && i.contains("127.0.0.1"));
                writer.cancel();
                failureOf(writer);
            }
        });
    }

    @Test
    @Tag("E32")
    @Tag("F74")
    void twoWriters_doNotInterleave() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                int size = 3_000_000;
                byte[] a = new byte[size];
                byte[] b = new byte[size];
                Arrays.fill(a, (byte) 'a');
                Arrays.fill(b, (byte) 'b');
                Async.spawn(() -> pair.client().write(ByteBuffer.wrap(a)));
                Async.spawn(() -> pair.client().write(ByteBuffer.wrap(b)));
                String all = readFully(pair.peer(), 2 * size);
                assertThat(all.indexOf('b')).isEqualTo(size);
                assertThat(all.lastIndexOf('a')).isEqualTo(size - 1);
            }
        });
    }

    @Test
    @Tag("E40")
    @Tag("F34")
    void writeCancelled_itsBufferMayBeUsedAgainAtOnce() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                byte[] block = new byte[20_000_000];
                Arrays.fill(block, (byte) 'x');
                Coroutine<?> writer = Async.spawn(() -> pair.client().write(ByteBuffer.wrap(block)));
                Async.suspend();
                writer.cancel();
                assertThat(failureOf(writer)).isInstanceOf(AsyncCancellation.class);
                Arrays.fill(block, (byte) 'y');
                Async.spawn(() -> pair.client().shutdownOutput());
                String all = readFully(pair.peer(), 20_000_001);
                assertThat(all.chars().allMatch(c -> c == 'x')).isTrue();
                assertThat(all.length()).isLessThan(20_000_000);
            }
        });
    }

    @Test
    @Tag("E40")
    void writerInLineCancelledWithItsTurn_nextOneGetsIt() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                Coroutine<?> first = Async.spawn(() -> pair.client().write(ByteBuffer.allocate(8_000_000)));
                Coroutine<?> second = Async.spawn(() -> pair.client().write(bytes("2")));
                Coroutine<?> third = Async.spawn(() -> pair.client().write(bytes("3")));
                Async.suspend();
                Async.currentCoroutine().asHighPriority();
                // the first one ends and gives its turn to the second, which is cancelled before it runs
                Coroutine<String> reader = Async.spawn(() -> readFully(pair.peer(), 8_000_001));
                first.onFinally(c -> second.cancel());
                assertThat(failureOf(third)).isNull();
                assertThat(failureOf(first)).isNull();
                assertThat(failureOf(second)).isInstanceOf(AsyncCancellation.class);
                assertThat(Async.await(reader)).endsWith("3");
            }
        });
    }

    @Test
    void buffersMemoryBelongsToAnotherThread_refusedAsForAReadAndNothingIsSent() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var made = new AtomicReference<ByteBuffer>();
                Thread.ofPlatform()
                        .start(() -> made.set(Arena.ofConfined().allocate(10).asByteBuffer()))
                        .join();
                ByteBuffer foreign = made.get();
                assertThatThrownBy(() -> pair.client().write(foreign)).isInstanceOf(WrongThreadException.class);
                assertThat(foreign.position()).isZero();
                pair.client().write(bytes("0123456789"));
                assertThatThrownBy(() -> pair.peer().read(foreign)).isInstanceOf(WrongThreadException.class);
                assertThat(read(pair.peer(), 20)).isEqualTo("0123456789");
            }
        });
    }

    @Test
    void buffersMemoryIsFreed_refusedAndNothingIsSent() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                ByteBuffer freed;
                try (Arena arena = Arena.ofShared()) {
                    freed = arena.allocate(1 << 20).asByteBuffer();
                }
                assertThatThrownBy(() -> pair.client().write(freed)).isInstanceOf(IllegalStateException.class);
                pair.client().write(bytes("next"));
                assertThat(read(pair.peer(), 20)).isEqualTo("next");
            }
        });
    }

    @Test
    @Tag("F7")
    @Tag("E31")
    void readerAndWriterParkedOnOneStream_eachIsWokenByItsOwnCompletion() {
        runClean(() -> {
            try (Foreign far = Foreign.open()) {
                Coroutine<?> writer = Runs.parkedWriter(far.stream());
                Coroutine<String> reader = Async.spawn(() -> read(far.stream(), 10));
                Async.suspend();
                far.far().write(bytes("hello"));
                assertThat(Async.await(reader)).isEqualTo("hello");
                Runs.settle();
                assertThat(writer.isSuspended() && !writer.isQueued()).isTrue();
                writer.cancel();
                failureOf(writer);
            }
        });
    }

    // ---- half close

    @Test
    void outputShut_peerReadsTheEndAndCanStillAnswer() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                pair.client().write(bytes("question"));
                pair.client().shutdownOutput();
                pair.client().shutdownOutput();
                assertThat(readFully(pair.peer(), 100)).isEqualTo("question");
                pair.peer().write(bytes("answer"));
                assertThat(read(pair.client(), 10)).isEqualTo("answer");
                assertThatThrownBy(() -> pair.client().write(bytes("late")))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("EPIPE");
            }
        });
    }

    @Test
    @Tag("E32")
    void outputShutBehindALargeWrite_everythingArrivesFirst() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                int size = 5_000_000;
                Coroutine<?> writer = Async.spawn(() -> {
                    pair.client().write(ByteBuffer.allocate(size));
                    pair.client().shutdownOutput();
                });
                assertThat(readFully(pair.peer(), size + 1)).hasSize(size);
                assertThat(failureOf(writer)).isNull();
            }
        });
    }

    @Test
    @Tag("E32")
    void outputShutByAnotherDuringWrites_everythingArrivesFirst() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                int size = 20_000_000;
                Coroutine<?> writer = Async.spawn(() -> pair.client().write(ByteBuffer.allocate(size)));
                Coroutine<?> inLine = Async.spawn(() -> pair.client().write(bytes("tail")));
                Async.suspend();
                Coroutine<?> cancelled = Async.spawn(() -> pair.client().shutdownOutput());
                Coroutine<?> shutter = Async.spawn(() -> pair.client().shutdownOutput());
                Async.suspend();
                cancelled.cancel();
                assertThat(readFully(pair.peer(), size + 5)).hasSize(size + 4).endsWith("tail");
                for (Coroutine<?> one : List.of(writer, inLine, shutter))
                    assertThat(failureOf(one)).isNull();
                assertThat(failureOf(cancelled)).isInstanceOf(AsyncCancellation.class);
            }
        });
    }
}
