package org.trueasync.internal.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

/** A stream whose reads block their thread until the test feeds it. */
@Tag("E42")
class HelpedInputTest {
    /** Each piece ends one read; an empty one is the end, once. */
    private static final class Fed extends InputStream {
        private final LinkedBlockingQueue<Object> pieces = new LinkedBlockingQueue<>();
        private final Semaphore reads = new Semaphore(0);
        private final List<Thread> readers = new ArrayList<>();
        private volatile boolean closed;
        private byte[] rest = {};

        void feed(String piece) {
            pieces.add(piece.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            synchronized (readers) {
                readers.add(Thread.currentThread());
            }
            if (rest.length == 0) {
                reads.release();
                Object piece = take();
                if (piece instanceof IOException e) throw e;
                rest = (byte[]) piece;
                if (rest.length == 0) return -1;
            }
            int count = Math.min(length, rest.length);
            System.arraycopy(rest, 0, into, offset, count);
            rest = java.util.Arrays.copyOfRange(rest, count, rest.length);
            return count;
        }

        private Object take() {
            try {
                return pieces.take();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public int available() {
            return rest.length;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Fed fed = new Fed();
    private final HelpedInput in = new HelpedInput(fed, "test input", () -> false);

    private String some() throws IOException {
        byte[] bytes = new byte[100];
        int count = in.read(bytes);
        return count < 0 ? "end" : new String(bytes, 0, count, StandardCharsets.UTF_8);
    }

    private static void inARun(Body main) {
        TestRuntime.run(main);
    }

    /** Lets a coroutine go on until its read has begun on a helper thread. */
    private Coroutine<String> reading() throws InterruptedException {
        Coroutine<String> reader = spawn(this::some);
        while (!reader.isStarted()) suspend();
        fed.reads.acquire();
        return reader;
    }

    /**
     * One that is still to learn of it. If asking meets the helper in the monitor, the loop goes on meanwhile and tells
     * it: then it is another one's turn.
     */
    private Coroutine<String> readerWhoseBytesHaveCome() throws IOException, InterruptedException {
        while (true) {
            Coroutine<String> reader = reading();
            fed.feed("abc");
            while (in.available() == 0 && !reader.isCompleted()) Thread.onSpinWait();
            if (!reader.isCompleted()) return reader;
        }
    }

    @Test
    void readers_areServedInTheOrderOfTheirCalls() {
        TestRuntime.run(() -> {
            var order = new ArrayList<String>();
            var readers = new ArrayList<Coroutine<?>>();
            for (String name : List.of("a", "b", "c", "d")) {
                readers.add(spawn(() -> {
                    byte[] one = new byte[1];
                    for (int i = 0; i < 2; i++) {
                        in.read(one);
                        order.add(name + (char) one[0]);
                    }
                }));
                suspend();
            }
            for (String piece : List.of("1", "2", "3", "4", "5", "6", "7", "8")) fed.feed(piece);
            readers.forEach(reader -> await(reader));
            assertThat(order).containsExactly("a1", "b2", "c3", "d4", "a5", "b6", "c7", "d8");
        });
    }

    @Test
    void coroutineThatReads_isTheOnlyOneThatWaits() {
        inARun(() -> {
            Coroutine<String> reader = reading();
            for (int i = 0; i < 10; i++) suspend();
            assertThat(reader.isSuspended()).isTrue();
            assertThat(reader.awaitingInfo()).containsExactly("test input");
            fed.feed("abc");
            assertThat(await(reader)).isEqualTo("abc");
            assertThat(fed.readers.getFirst().isVirtual()).isFalse();
        });
    }

    @Test
    void bytesThatAreThere_areReadWithoutAHelper() {
        inARun(() -> {
            fed.feed("abc");
            assertThat(in.read()).isEqualTo('a');
            assertThat(in.read()).isEqualTo('b');
            assertThat(fed.readers).hasSize(2);
            assertThat(fed.readers.getLast()).isSameAs(Thread.currentThread());
        });
    }

    @Test
    @Tag("F36")
    @Tag("F35")
    void cancelledReader_leavesAtOnceAndTheNextGetsItsBytes() {
        inARun(() -> {
            Coroutine<String> reader = reading();
            reader.cancel();
            assertThatThrownBy(() -> await(reader)).isInstanceOf(AsyncCancellation.class);
            fed.feed("abcdef");
            byte[] two = new byte[2];
            assertThat(in.read(two)).isEqualTo(2);
            assertThat(new String(two, StandardCharsets.UTF_8)).isEqualTo("ab");
            assertThat(in.available()).isEqualTo(4);
            assertThat(some()).isEqualTo("cdef");
        });
    }

    @Test
    @Tag("F36")
    void readersThatGiveUpOverAndOver_shareOneRead() {
        inARun(() -> {
            reading().cancel();
            for (int i = 0; i < 1_000; i++) {
                Coroutine<String> reader = spawn(this::some);
                suspend();
                reader.cancel();
            }
            suspend();
            assertThat(fed.readers).hasSize(1);
            fed.feed("abc");
            assertThat(some()).isEqualTo("abc");
        });
    }

    @Test
    @Tag("F36")
    void readerCancelledAfterItsBytesCame_leavesThemToTheNext() {
        inARun(() -> {
            Coroutine<String> reader = readerWhoseBytesHaveCome();
            reader.cancel();
            assertThatThrownBy(() -> await(reader)).isInstanceOf(AsyncCancellation.class);
            assertThat(some()).isEqualTo("abc");
        });
    }

    @Test
    void end_isToldOnceToEachReaderThatComesToIt() {
        inARun(() -> {
            reading().cancel();
            fed.feed("");
            assertThat(some()).isEqualTo("end");
            fed.feed("more, as of a terminal");
            assertThat(some()).isEqualTo("more, as of a terminal");
        });
    }

    @Test
    void failedRead_isTheReadersError() {
        inARun(() -> {
            fed.pieces.add(new IOException("torn"));
            assertThatThrownBy(this::some).isInstanceOf(IOException.class).hasMessage("torn");
            fed.feed("abc");
            assertThat(some()).isEqualTo("abc");
        });
    }

    @Test
    @Tag("F80")
    void pinnedCoroutine_readsAndHoldsTheLoop() {
        input = in;
        inARun(() -> {
            fed.feed("x");
            assertThat(ReadsWhenInitialised.BYTE).isEqualTo('x');
        });
    }

    private static InputStream input;

    private static final class ReadsWhenInitialised {
        static final int BYTE = read();

        private static int read() {
            try {
                return input.read();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void guest_readsAndHoldsNobody() {
        inARun(() -> {
            var got = new CompletableFuture<String>();
            Thread guest = Thread.startVirtualThread(() -> {
                try {
                    got.complete(some());
                } catch (IOException e) {
                    got.completeExceptionally(e);
                }
            });
            while (!fed.reads.tryAcquire()) suspend();
            fed.feed("abc");
            assertThat(got.get()).isEqualTo("abc");
            guest.join();
        });
    }

    @Test
    void otherThreads_readThemselvesAndInOrder() throws Exception {
        fed.feed("one");
        assertThat(some()).isEqualTo("one");
        assertThat(fed.readers).containsExactly(Thread.currentThread());
        inARun(() -> {
            var got = new CompletableFuture<String>();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    got.complete(some());
                } catch (IOException e) {
                    got.completeExceptionally(e);
                }
            });
            fed.reads.acquire(2);
            Coroutine<String> reader = spawn(this::some);
            suspend();
            assertThat(reader.isSuspended()).isTrue();
            fed.feed("two");
            assertThat(got.get()).isEqualTo("two");
            fed.feed("three");
            assertThat(await(reader)).isEqualTo("three");
        });
    }

    @Test
    void closedWhileACoroutineReads_readerGetsAnError() {
        inARun(() -> {
            Coroutine<String> reader = reading();
            in.close();
            assertThat(fed.closed).isTrue();
            assertThatThrownBy(() -> await(reader)).hasRootCauseMessage("Stream closed");
            assertThatThrownBy(this::some).isInstanceOf(IOException.class).hasMessage("Stream closed");
            in.close();
            fed.feed("late");
        });
    }

    @Test
    void readersOfTheJdk_workOverIt() {
        inARun(() -> {
            for (String piece : List.of("first\nsec", "ond\nthi", "rd\n12 13\n", "")) fed.feed(piece);
            var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            assertThat(lines.readLine()).isEqualTo("first");
            assertThat(lines.readLine()).isEqualTo("second");
            assertThat(lines.readLine()).isEqualTo("third");
            var scanner = new Scanner(lines);
            assertThat(scanner.nextInt() + scanner.nextInt()).isEqualTo(25);
            assertThat(scanner.hasNext()).isFalse();
        });
    }

    @Test
    void endlessBytes_letTheOthersRun() {
        var endless = new HelpedInput(
                new InputStream() {
                    @Override
                    public int read() {
                        return 1;
                    }

                    @Override
                    public int available() {
                        return 1;
                    }
                },
                "endless",
                () -> false);
        TestRuntime.run(runtime -> {
            var done = new boolean[1];
            spawn(() -> done[0] = true);
            while (!done[0]) {
                assertThat(endless.read()).isEqualTo(1);
                runtime.reactor().advance(100_000);
            }
        });
    }
}
