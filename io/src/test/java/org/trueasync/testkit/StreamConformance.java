package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.ByteStream;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;

/** What every stream between two ends must do, whatever it is made of, on whatever reactor. */
public abstract class StreamConformance {
    /** The reactor under test. */
    protected final ReactorKit kit;

    /** The run that a test is in. */
    protected final TestRun run;

    protected StreamConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    /** Both ends of a stream. */
    protected interface Ends extends AutoCloseable {
        ByteStream near();

        ByteStream far();

        /** Ends the near end's output. */
        void shutdownNear();

        @Override
        void close();
    }

    /** Skips the test where there are no such streams. */
    protected abstract void require();

    /** A new stream, in a coroutine. */
    protected abstract Ends open();

    /** A test with a stream, that must leave nothing open. */
    protected interface OnEnds {
        void run(Ends ends) throws Throwable;
    }

    private void with(OnEnds body) {
        clean(() -> {
            try (Ends ends = open()) {
                body.run(ends);
            }
        });
    }

    /** Runs, then looks that nothing is left open. */
    protected final void clean(Body body) {
        require();
        run.run(() -> {
            body.run();
            requireNothingOpen();
        });
        assertThat(run.complaints()).isEmpty();
    }

    static void requireNothingOpen() {
        // closing takes a turn
        for (int i = 0; i < 100 && Async.runtimeStats().reactorHandles() > 0; i++) Async.delay(1);
        assertThat(Async.runtimeStats().reactorHandles()).isZero();
        assertThat(Async.runtimeStats().activeEvents()).isZero();
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static ByteBuffer direct(String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocateDirect(content.length).put(content).flip();
    }

    static String read(ByteStream stream, int most) {
        ByteBuffer into = ByteBuffer.allocate(most);
        int count = stream.read(into);
        if (count < 0) return "end";
        assertThat(into.position()).isEqualTo(count);
        return new String(into.array(), 0, count, StandardCharsets.UTF_8);
    }

    static String readFully(ByteStream stream, int count) {
        ByteBuffer into = ByteBuffer.allocate(count);
        while (into.hasRemaining() && stream.read(into) >= 0) {
            // more
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }

    static Coroutine<?> parkedWriter(ByteStream stream) {
        Coroutine<?> writer = Async.spawn(() -> {
            while (true) stream.write(ByteBuffer.allocate(1 << 20));
        });
        for (int i = 0; i < 20; i++) Async.delay(1);
        assertThat(writer.isCompleted()).isFalse();
        return writer;
    }

    /** Lets the reactor run until the coroutine has been woken, without letting it run. */
    static void awaitQueued(ReactorKit kit, Coroutine<?> coroutine) {
        Async.currentCoroutine().asHighPriority();
        Reactor reactor = SchedulerProvider.get().reactor();
        long end = reactor.nanoTime() + 10_000_000_000L;
        while (!coroutine.isQueued() && reactor.nanoTime() - end < 0) {
            kit.burn(reactor, 1_000);
            Async.suspend();
        }
        assertThat(coroutine.isQueued()).isTrue();
    }

    // ---- reading, ending

    @Test
    @Tag("E30")
    @Tag("E33")
    void bytesGoBothWays_andTheEndIsSeenAgainAndAgain() {
        with(ends -> {
            ends.near().write(bytes("question"));
            assertThat(readFully(ends.far(), 8)).isEqualTo("question");
            ends.far().write(bytes("answer"));
            assertThat(readFully(ends.near(), 6)).isEqualTo("answer");
            ends.shutdownNear();
            for (int i = 0; i < 3; i++) assertThat(read(ends.far(), 1)).isEqualTo("end");
            ends.far().write(bytes("still"));
            assertThat(readFully(ends.near(), 5)).isEqualTo("still");
        });
    }

    @Test
    @Tag("E38")
    void closedHandle_everyCallIsRefusedByName() {
        with(ends -> {
            ByteStream stream = ends.near();
            stream.close();
            List<Body> calls = List.of(
                    () -> stream.read(ByteBuffer.allocate(1)),
                    () -> stream.read(ByteBuffer.allocate(1), Async.timeout(1)),
                    () -> stream.write(bytes("x")),
                    () -> stream.write(bytes("x"), Async.timeout(1)),
                    () -> stream.write(bytes("x"), bytes("y")),
                    stream::flush,
                    ends::shutdownNear);
            for (Body call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("closed")
                        .satisfies(e ->
                                assertThat(((InputOutputException) e).errno()).isEqualTo("EBADF"));
            }
            assertThat(stream.isClosed()).isTrue();
            stream.close();
        });
    }

    @Test
    @Tag("E38")
    @Tag("F5")
    void closedWhileOthersWait_everyReaderAndWriterWakesWithAnError() {
        with(ends -> {
            var waiting = new ArrayList<Coroutine<?>>();
            waiting.add(Async.spawn(() -> read(ends.near(), 10)));
            waiting.add(Async.spawn(() -> read(ends.near(), 10)));
            waiting.add(parkedWriter(ends.near()));
            waiting.add(Async.spawn(() -> ends.near().write(bytes("next"), bytes("in line"))));
            waiting.add(Async.spawn(ends::shutdownNear));
            Async.suspend();
            ends.near().close();
            for (Coroutine<?> waiter : waiting) assertThat(failureOf(waiter)).isInstanceOf(InputOutputException.class);
        });
    }

    @Test
    @Tag("F5")
    @Tag("E39")
    void peerCloses_readersSeeTheEndAndWritersTheError() {
        with(ends -> {
            Coroutine<String> reader = Async.spawn(() -> read(ends.near(), 10));
            Coroutine<?> writer = parkedWriter(ends.near());
            ends.far().close();
            assertThat(failureOf(writer)).isInstanceOf(InputOutputException.class);
            // unread bytes at the peer may make it a reset
            failureOf(reader);
            assertThat(reader.isCompleted()).isTrue();
        });
    }

    @Test
    @Tag("F36")
    @Tag("E40")
    void readCancelledInTheTurnInWhichBytesCame_nothingIsLost() {
        with(ends -> {
            Coroutine<?> first = Async.spawn(() -> read(ends.near(), 4));
            Async.suspend();
            ends.far().write(bytes("0123456789"));
            awaitQueued(kit, first);
            first.cancel();
            assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);
            assertThat(readFully(ends.near(), 10)).isEqualTo("0123456789");
        });
    }

    @Test
    @Tag("E36")
    @Tag("F36")
    void tokensEndReadAndWrite_andTheStreamGoesOn() {
        with(ends -> {
            assertThatThrownBy(() -> ends.near().read(ByteBuffer.allocate(1), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            ends.far().write(bytes("after"));
            assertThat(readFully(ends.near(), 5)).isEqualTo("after");
            Coroutine<?> writer = parkedWriter(ends.near());
            assertThatThrownBy(() -> ends.near().write(bytes("x"), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThatThrownBy(() -> Async.withTimeout(
                            Duration.ofMillis(1), () -> ends.near().write(bytes("x"), bytes("y"))))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThatThrownBy(() -> ends.near().flush(Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            writer.cancel();
        });
    }

    // ---- without waiting

    @Test
    @Tag("E36")
    void readsTimeOut_theStreamIsNotAtItsEndAndTheNextReadSucceeds() {
        with(ends -> {
            ByteBuffer into = ByteBuffer.allocate(8);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> ends.near().read(into, Async.timeout(1)))
                        .isInstanceOf(OperationCanceledException.class);
                assertThat(into.position()).isZero();
                assertThat(ends.near().isClosed()).isFalse();
                ends.far().write(bytes("next" + i));
                assertThat(readFully(ends.near(), 5)).isEqualTo("next" + i);
            }
            ends.near().write(bytes("back"));
            assertThat(readFully(ends.far(), 4)).isEqualTo("back");
            assertThatThrownBy(() -> ends.near().read(into, Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            ends.far().close();
            assertThat(read(ends.near(), 1)).isEqualTo("end");
        });
    }

    /** Tries until there is something; the bytes of the other end may be on their way. */
    private static String tryRead(ByteStream stream, int most) {
        ByteBuffer into = ByteBuffer.allocate(most);
        int count;
        while ((count = stream.tryRead(into)) == 0) Async.delay(1);
        if (count < 0) return "end";
        assertThat(into.position()).isEqualTo(count);
        return new String(into.array(), 0, count, StandardCharsets.UTF_8);
    }

    @Test
    @Tag("E37")
    void tryRead_givesWhatIsThereAndNeverWaits() {
        with(ends -> {
            boolean[] othersRan = new boolean[1];
            Coroutine<?> other = Async.spawn(() -> othersRan[0] = true);
            ByteBuffer into = ByteBuffer.allocateDirect(4);
            assertThat(ends.near().tryRead(into)).isZero();
            assertThat(into.position()).isZero();
            assertThat(othersRan[0]).isFalse();
            Async.await(other);
            ends.far().write(bytes("0123456789"));
            assertThat(tryRead(ends.near(), 4)).isEqualTo("0123");
            assertThat(ends.near().tryRead(into)).as("what did not fit").isEqualTo(4);
            assertThat(read(ends.near(), 10)).isEqualTo("89");
            assertThat(ends.near().tryRead(into.clear())).isZero();
            assertThatThrownBy(() -> ends.near().tryRead(ByteBuffer.allocate(0)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ends.near().tryRead(ByteBuffer.allocate(1).asReadOnlyBuffer()))
                    .isInstanceOf(IllegalArgumentException.class);
            ends.near().close();
            assertThatThrownBy(() -> ends.near().tryRead(into))
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("EBADF"));
        });
    }

    @Test
    @Tag("E37")
    void tryReadAtTheEnd_bytesComeFirst() {
        with(ends -> {
            ends.near().write(bytes("last"));
            ends.shutdownNear();
            assertThat(tryRead(ends.far(), 9)).isEqualTo("last");
            assertThat(tryRead(ends.far(), 9)).isEqualTo("end");
            assertThat(tryRead(ends.far(), 9)).isEqualTo("end");
            assertThat(read(ends.far(), 9)).isEqualTo("end");
        });
    }

    @Test
    @Tag("E37")
    void readerWaits_tryReadTakesNothingFromIt() {
        with(ends -> {
            Coroutine<String> reader = Async.spawn(() -> read(ends.near(), 4));
            Async.suspend();
            ends.far().write(bytes("0123456789"));
            ByteBuffer into = ByteBuffer.allocate(10);
            assertThat(ends.near().tryRead(into)).isZero();
            awaitQueued(kit, reader);
            assertThat(ends.near().tryRead(into))
                    .as("it has its bytes, but may give them back")
                    .isZero();
            String first = Async.await(reader); // may be less than was sent, as TCP permits
            assertThat("0123").startsWith(first);
            assertThat(first + tryRead(ends.near(), 10)).isEqualTo("0123456789");
        });
    }

    @Test
    @Tag("E37")
    @Tag("F36")
    void readCancelledAfterBytesCame_tryReadHasThem() {
        with(ends -> {
            Coroutine<?> first = Async.spawn(() -> read(ends.near(), 4));
            Async.suspend();
            ends.far().write(bytes("0123456789"));
            awaitQueued(kit, first);
            first.cancel();
            assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);
            assertThat(tryRead(ends.near(), 10)).isEqualTo("0123456789");
        });
    }

    @Test
    @Tag("E37")
    void readsAndTriesMixed_keepTheOrder() {
        with(ends -> {
            int total = 1 << 20;
            Coroutine<?> writer = Async.spawn(() -> {
                ByteBuffer all = ByteBuffer.allocate(total);
                for (int i = 0; i < total; i++) all.put(i, (byte) (i * 31 >> 3));
                ends.far().write(all);
            });
            var random = new Random(37);
            int at = 0;
            while (at < total) {
                ByteBuffer into = ByteBuffer.allocate(1 + random.nextInt(100_000));
                int count = random.nextBoolean()
                        ? ends.near().tryRead(into)
                        : ends.near().read(into);
                for (int i = 0; i < count; i++, at++)
                    if (into.get(i) != (byte) (at * 31 >> 3)) throw new AssertionError("byte " + at);
            }
            Async.await(writer);
        });
    }

    // ---- a slow reader

    @Test
    @Tag("E32")
    @Tag("F74")
    void readerIsSlow_writerWaitsAndMemoryIsBounded() {
        with(ends -> {
            int total = 64 << 20;
            ByteBuffer large = ByteBuffer.allocateDirect(total);
            Coroutine<?> writer = Async.spawn(() -> ends.near().write(large));
            for (int i = 0; i < 20; i++) Async.delay(1);
            // what the two systems' buffers hold, and one chunk of ours
            assertThat(large.position()).isLessThan(32 << 20);
            long got = 0;
            ByteBuffer into = ByteBuffer.allocate(1 << 16);
            while (got < total) {
                got += ends.far().read(into);
                into.clear();
            }
            Async.await(writer);
            assertThat(got).isEqualTo(total);
        });
    }

    // ---- several buffers

    @Test
    @Tag("E32")
    void heapAndDirectBuffersMixed_goInOrder() {
        with(ends -> {
            ByteBuffer readOnly = bytes("-read-only-").asReadOnlyBuffer();
            ByteBuffer[] parts = {
                bytes("a"),
                bytes("b"),
                direct("C"),
                ByteBuffer.allocate(0),
                bytes("d"),
                direct("E"),
                direct("F"),
                readOnly,
                bytes("0123456789").position(3).limit(6)
            };
            ends.near().write(parts);
            assertThat(readFully(ends.far(), 20)).isEqualTo("abCdEF-read-only-345");
            assertThat(parts).allMatch(part -> !part.hasRemaining());
            assertThat(parts[8].limit()).isEqualTo(6);
            ends.near().write();
            ends.near().write(ByteBuffer.allocate(0), ByteBuffer.allocateDirect(0));
            ends.near().write(bytes("end"), bytes("."));
            assertThat(readFully(ends.far(), 4)).isEqualTo("end.");
        });
    }

    @Test
    @Tag("E32")
    void sameBufferTwice_isSentOnce() {
        with(ends -> {
            ByteBuffer twice = bytes("once");
            ends.near().write(twice, bytes(" and "), twice, bytes("done"));
            assertThat(readFully(ends.far(), 13)).isEqualTo("once and done");
        });
    }

    @Test
    void nullAmongTheBuffers_isRefusedAndNothingIsSent() {
        with(ends -> {
            assertThatThrownBy(() -> ends.near().write(bytes("x"), null, bytes("z")))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("from[1]");
            ends.near().write(bytes("y"));
            assertThat(readFully(ends.far(), 1)).isEqualTo("y");
        });
    }

    @Test
    @Tag("E32")
    @Tag("F74")
    void manyBuffersOfAllSizesAndASlowReader_everyByteArrivesInOrder() {
        with(ends -> {
            var random = new Random(7);
            byte[] all = new byte[6 << 20];
            random.nextBytes(all);
            var parts = new ArrayList<ByteBuffer>();
            for (int at = 0; at < all.length; ) {
                int size = random.nextInt(10) == 0 ? random.nextInt(300_000) : random.nextInt(2_000);
                int length = Math.min(size, all.length - at);
                parts.add(
                        random.nextBoolean()
                                ? ByteBuffer.wrap(all, at, length)
                                : ByteBuffer.allocateDirect(length)
                                        .put(all, at, length)
                                        .flip());
                at += length;
            }
            Coroutine<?> writer = Async.spawn(() -> ends.near().write(parts.toArray(ByteBuffer[]::new)));
            ByteBuffer got = ByteBuffer.allocate(all.length);
            while (got.hasRemaining()) {
                int room = Math.min(got.remaining(), 1 + random.nextInt(100_000));
                int count = ends.far().read(got.slice(got.position(), room));
                got.position(got.position() + count);
            }
            Async.await(writer);
            assertThat(Arrays.equals(got.array(), all)).isTrue();
        });
    }

    @Test
    @Tag("E32")
    @Tag("F74")
    void writesOfSeveralCoroutines_neverInterleave() {
        with(ends -> {
            int writers = 6;
            int length = 300_000;
            for (int w = 0; w < writers; w++) {
                byte[] block = new byte[length];
                Arrays.fill(block, (byte) ('a' + w));
                boolean vectored = w % 2 == 0;
                Async.spawn(() -> {
                    if (vectored)
                        ends.near()
                                .write(
                                        ByteBuffer.wrap(block, 0, 100),
                                        ByteBuffer.wrap(block, 100, length - 200),
                                        ByteBuffer.wrap(block, length - 100, 100));
                    else ends.near().write(ByteBuffer.wrap(block));
                });
            }
            String all = readFully(ends.far(), writers * length);
            for (int w = 0; w < writers; w++) {
                char expected = (char) ('a' + w);
                assertThat(all.substring(w * length, (w + 1) * length).chars().allMatch(c -> c == expected))
                        .as("block " + w)
                        .isTrue();
            }
        });
    }

    @Test
    @Tag("F36")
    void cancelledWriteLeftBytesBehind_flushWaitsForThem() {
        with(ends -> {
            Coroutine<?> writer = parkedWriter(ends.near());
            writer.cancel();
            failureOf(writer);
            Coroutine<?> flush = Async.spawn(() -> ends.near().flush());
            Async.delay(5);
            assertThat(flush.isCompleted()).isFalse();
            ByteBuffer into = ByteBuffer.allocate(1 << 16);
            while (!flush.isCompleted()) {
                ends.far().read(into.clear());
                Async.suspend();
            }
            Async.await(flush);
            ends.near().flush();
        });
    }

    // ---- views

    @Test
    @Tag("E30")
    void viewsOfTheJdksKinds_moveTheSameBytes() {
        with(ends -> {
            OutputStream out = ends.near().outputStream();
            InputStream in = ends.far().inputStream();
            out.write("stream\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            assertThat(new String(in.readNBytes(7), StandardCharsets.UTF_8)).isEqualTo("stream\n");
            ByteChannel channel = ends.far().channel();
            assertThat(channel.write(bytes("channel"))).isEqualTo(7);
            long gathered = ((GatheringByteChannel) channel)
                    .write(new ByteBuffer[] {bytes("not"), bytes(" and"), bytes(" more"), bytes("nor")}, 1, 2);
            assertThat(gathered).isEqualTo(9);
            assertThat(readFully(ends.near(), 16)).isEqualTo("channel and more");
        });
    }
}
