package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.read;
import static org.trueasync.io.Runs.readFully;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.Runs.Pair;

/**
 * Peers that are gone without having said so: every packet vanishes on the way, as {@link FarPeer} has it. Each test is
 * a program in a network of its own, where the kernel's patience is short if a test waits for its end; skipped where
 * the system does not let us have one.
 */
@Tag("deep")
abstract class HalfOpenConformance {
    /** The kernel's own patience: about three seconds instead of a quarter of an hour. */
    private static final String IMPATIENT =
            " && echo 2 > /proc/sys/net/ipv4/tcp_retries2 && echo 1 > /proc/sys/net/ipv4/tcp_syn_retries";

    private static void passes(Class<?> program, String settings) throws Exception {
        String output = new ChildProgram()
                .namespaces("n", "ip link set lo up" + settings)
                .options("-XX:TieredStopAtLevel=1", "-Xms400m", "-Xmx400m", "-XX:+AlwaysPreTouch")
                .run(program);
        if (output.endsWith("exit 99")) Assumptions.abort("no networks of our own here: " + output);
        assertThat(output.lines()).as(output).containsExactly("passed", "exit 0");
    }

    private interface Scenario {
        void run(FarPeer far) throws Exception;
    }

    /** In the child. */
    private static void play(Scenario scenario) throws IOException {
        FarPeer far;
        try {
            far = FarPeer.start();
        } catch (IOException e) {
            System.out.println(e.getMessage());
            System.exit(99);
            return;
        }
        try (far) {
            Runs.runClean(Runs.testRun().timeLimit(Duration.ofSeconds(60)), () -> {
                var neighbour = new Neighbour();
                scenario.run(far);
                neighbour.isServed();
                neighbour.leave();
            });
        }
        System.out.println("passed");
    }

    /** Somebody else whom the same loop serves. */
    private static final class Neighbour {
        private final Pair pair = Pair.open();
        private final Coroutine<?> asking = Async.spawn(this::ask);
        private final Coroutine<?> answering = Async.spawn(() -> Runs.echo(pair.peer()));
        private int rounds;

        private void ask() {
            while (true) {
                pair.client().write(bytes("x"));
                if (!read(pair.client(), 1).equals("x")) throw new AssertionError("no echo");
                rounds++;
                Async.delay(1);
            }
        }

        void isServed() {
            int enough = rounds + 3;
            while (rounds < enough) Async.delay(1);
        }

        void leave() {
            asking.cancel();
            assertThat(failureOf(asking)).isInstanceOf(AsyncCancellation.class);
            pair.close();
            failureOf(answering);
        }
    }

    private static TcpStream connected() {
        TcpStream stream = TcpStream.connect(FarPeer.HOST, FarPeer.PORT);
        stream.write(bytes("hello"));
        assertThat(readFully(stream, 5)).isEqualTo("hello");
        return stream;
    }

    /** Writes until no more is taken; returns then. */
    private static Coroutine<?> stuckWriter(TcpStream stream, ByteBuffer much) {
        Coroutine<?> writer = Async.spawn(() -> stream.write(much));
        int before = -1;
        while (much.position() != before) {
            before = much.position();
            for (int i = 0; i < 20; i++) Async.delay(5);
        }
        assertThat(writer.isCompleted()).isFalse();
        return writer;
    }

    private static void isGivenUp(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(OperationCanceledException.class);
    }

    private static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    // ---- as long as the system has not noticed

    /** Waits for a peer that does not answer, and gives up. */
    static final class GivesUp {
        private GivesUp() {}

        public static void main(String[] arguments) throws Exception {
            play(far -> {
                TcpStream stream = connected();
                Async.blocking(far::vanish);
                isGivenUp(() -> stream.read(ByteBuffer.allocate(1), Async.timeout(20)));

                ByteBuffer much = ByteBuffer.allocate(64 << 20);
                Coroutine<?> writer = stuckWriter(stream, much);
                assertThat(much.position()).as("with the system").isLessThan(16 << 20);
                ByteBuffer more = ByteBuffer.allocate(1 << 20);
                long memory = Memory.resident();
                var inLine = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 500; i++) inLine.add(Async.spawn(() -> stream.write(more.duplicate())));
                isGivenUp(() -> stream.write(bytes("x"), Async.timeout(20)));
                isGivenUp(() -> stream.flush(Async.timeout(20)));
                assertThat(Memory.resident() - memory).isLessThan(100 << 20);

                for (Coroutine<?> each : inLine) each.cancel();
                writer.cancel();
                for (Coroutine<?> each : inLine) assertThat(failureOf(each)).isInstanceOf(AsyncCancellation.class);
                assertThat(failureOf(writer)).isInstanceOf(AsyncCancellation.class);
                isGivenUp(() -> stream.write(bytes("x"), Async.timeout(20)));
                Path path = Files.write(Files.createTempFile("half-open", ""), new byte[3 << 20]);
                try (var file = AsyncFile.open(path, StandardOpenOption.READ)) {
                    isGivenUp(() -> file.sendTo(stream, 0, 3 << 20, Async.timeout(20)));
                }
                Files.delete(path);
                isGivenUp(() -> stream.shutdownOutput(Async.timeout(20)));
                stream.close();
            });
        }
    }

    @Test
    @Tag("E40")
    @Tag("F38")
    void packetsVanish_readAndWriteGiveUpWithTheTokenAndMemoryIsBounded() throws Exception {
        passes(GivesUp.class, "");
    }

    /** Connects, and closes, when nobody answers any more. */
    static final class ComesAndGoes {
        private ComesAndGoes() {}

        public static void main(String[] arguments) throws Exception {
            play(far -> {
                once(far);
                Runs.settle();
                int descriptors = descriptors();
                for (int i = 0; i < 5; i++) once(far);
                Runs.settle();
                assertThat(descriptors()).as("descriptors").isLessThanOrEqualTo(descriptors + 2);
            });
        }

        private static void once(FarPeer far) {
            var streams = new ArrayList<TcpStream>();
            for (int i = 0; i < 20; i++) streams.add(connected());
            Async.blocking(far::vanish);
            var waiting = new ArrayList<Coroutine<?>>();
            for (TcpStream stream : streams) {
                waiting.add(Async.spawn(() -> read(stream, 1)));
                waiting.add(Async.spawn(() -> stream.write(ByteBuffer.allocate(8 << 20))));
                waiting.add(Async.spawn(() -> stream.shutdownOutput()));
            }
            Async.delay(1);
            assertThat(waiting).noneMatch(Coroutine::isCompleted);
            streams.forEach(TcpStream::close);
            for (Coroutine<?> each : waiting)
                assertThat(failureOf(each))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining(FarPeer.ADDRESS);

            for (int i = 0; i < 20; i++)
                isGivenUp(() -> TcpStream.connect(FarPeer.HOST, FarPeer.PORT, Async.timeout(2)));
            Coroutine<?> connecting = Async.spawn(() -> TcpStream.connect(FarPeer.HOST, FarPeer.PORT));
            Async.delay(2);
            assertThat(connecting.isCompleted()).isFalse();
            connecting.cancel();
            assertThat(failureOf(connecting)).isInstanceOf(AsyncCancellation.class);
            Async.blocking(far::reappear);
        }
    }

    @Test
    @Tag("E38")
    @Tag("E40")
    @Tag("F5")
    void packetsVanish_closeWakesWhoWaitsAndConnectGivesUpAndDescriptorsAreFlat() throws Exception {
        passes(ComesAndGoes.class, "");
    }

    /** The network is away for a moment. */
    static final class ShortOutage {
        private ShortOutage() {}

        public static void main(String[] arguments) throws Exception {
            play(far -> {
                TcpStream stream = connected();
                Async.blocking(far::vanish);
                byte[] sent = new byte[24 << 20];
                new java.util.Random(5).nextBytes(sent);
                ByteBuffer got = ByteBuffer.allocate(sent.length);
                Coroutine<?> reader = Async.spawn(() -> {
                    while (got.hasRemaining()) assertThat(stream.read(got)).isPositive();
                });
                Coroutine<?> writer = stuckWriter(stream, ByteBuffer.wrap(sent));
                Async.blocking(far::reappear);
                Async.await(writer);
                Async.await(reader);
                assertThat(java.util.Arrays.equals(got.array(), sent)).isTrue();
                stream.close();
            });
        }
    }

    @Test
    @Tag("E32")
    void packetsVanishForAMoment_nothingIsLost() throws Exception {
        passes(ShortOutage.class, "");
    }

    // ---- when the system gives up

    private static void timesOut(ThrowingCallable call, String operation) {
        assertThatThrownBy(call).satisfies(e -> isTimeOut(e, operation));
    }

    private static void isTimeOut(Throwable failure, String operation) {
        assertThat(failure)
                .isInstanceOf(InputOutputException.class)
                .hasMessage(operation + " " + FarPeer.ADDRESS + ": ETIMEDOUT (connection timed out)");
        assertThat(((InputOutputException) failure).errno()).isEqualTo("ETIMEDOUT");
    }

    /** Waits until the system has had enough. */
    static final class TimesOut {
        private TimesOut() {}

        public static void main(String[] arguments) throws Exception {
            play(far -> {
                TcpStream both = connected();
                TcpStream onlyRead = connected();
                TcpStream onlyWritten = connected();
                TcpStream sent = connected();
                Async.blocking(far::vanish);
                var all = List.<Coroutine<?>>of(
                        Async.spawn(() -> readAndWrite(both)),
                        Async.spawn(() -> readOnly(onlyRead)),
                        Async.spawn(() -> writeOnly(onlyWritten)),
                        Async.spawn(() -> send(sent)),
                        Async.spawn(() -> timesOut(() -> TcpStream.connect(FarPeer.HOST, FarPeer.PORT), "connect to")));
                for (Coroutine<?> each : all) Async.await(each);
                for (TcpStream stream : List.of(both, onlyRead, onlyWritten, sent)) {
                    // always, not once
                    timesOut(() -> read(stream, 1), "read from");
                    timesOut(() -> stream.tryRead(ByteBuffer.allocate(1)), "read from");
                    timesOut(() -> stream.write(bytes("x")), "write to");
                    timesOut(() -> stream.write(bytes("x"), bytes("y")), "write to");
                    stream.close();
                }
            });
        }

        private static void readAndWrite(TcpStream stream) {
            Coroutine<?> reader = Async.spawn(() -> read(stream, 1));
            Coroutine<?> writer = Async.spawn(() -> stream.write(ByteBuffer.allocate(32 << 20)));
            isTimeOut(failureOf(reader), "read from");
            isTimeOut(failureOf(writer), "write to");
        }

        private static void readOnly(TcpStream stream) {
            stream.write(bytes("the system has something to send again and again"));
            timesOut(() -> read(stream, 1), "read from");
        }

        /** Who writes is told; who reads only afterwards must not take it for the end of the stream. */
        private static void writeOnly(TcpStream stream) {
            timesOut(
                    () -> {
                        while (true) {
                            stream.write(bytes("x"));
                            Async.delay(10);
                        }
                    },
                    "write to");
        }

        private static void send(TcpStream stream) throws Exception {
            Path path = Files.write(Files.createTempFile("half-open", ""), new byte[32 << 20]);
            try (var file = AsyncFile.open(path, StandardOpenOption.READ)) {
                assertThatThrownBy(() -> file.sendTo(stream, 0, 32 << 20))
                        .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                                .isEqualTo("ETIMEDOUT"));
            }
            Files.delete(path);
        }
    }

    @Test
    @Tag("F5")
    @Tag("E39")
    void packetsVanishForTooLong_everyCallFailsWithETIMEDOUTAndNamesThePeer() throws Exception {
        passes(TimesOut.class, IMPATIENT);
    }

    /** Only waits for a message. */
    static final class KeptAlive {
        private KeptAlive() {}

        public static void main(String[] arguments) throws Exception {
            Duration second = Duration.ofSeconds(1);
            play(far -> {
                TcpStream usual = connected();
                TcpStream quick = connected();
                usual.keepAlive(second);
                quick.keepAlive(second, second, 2);
                Async.blocking(far::vanish);
                Coroutine<?> waiting = Async.spawn(() -> read(usual, 1));
                timesOut(() -> read(quick, 1), "read from");
                timesOut(() -> quick.write(bytes("x")), "write to");
                assertThat(waiting.isCompleted()).isFalse();
                isTimeOut(failureOf(waiting), "read from");
                quick.close();
                usual.close();
            });
        }
    }

    @Test
    @Tag("F5")
    void packetsVanishWhileIdle_keepAliveFindsOut() throws Exception {
        passes(KeptAlive.class, "");
    }

    /** The peer has been started anew. */
    static final class LeakedHandle {
        private LeakedHandle() {}

        public static void main(String[] arguments) throws Exception {
            play(far -> {
                TcpStream stream = connected();
                TcpStream onlyWritten = connected();
                Async.blocking(far::vanish);
                Async.blocking(far::forget);
                Async.blocking(far::reappear);
                Coroutine<?> reader = Async.spawn(() -> read(stream, 1));
                Coroutine<?> writer = Async.spawn(() -> stream.write(ByteBuffer.allocate(8 << 20)));
                isReset(failureOf(reader));
                isReset(failureOf(writer));
                Throwable first = null;
                while (first == null) {
                    first = failureOf(Async.spawn(() -> onlyWritten.write(bytes("x"))));
                    Async.delay(1);
                }
                isReset(first);
                isReset(failureOf(Async.spawn(() -> read(onlyWritten, 1))));
                stream.close();
                onlyWritten.close();
                connected().close();
            });
        }

        private static void isReset(Throwable failure) {
            assertThat(failure).isInstanceOf(InputOutputException.class).hasMessageContaining(FarPeer.ADDRESS);
            assertThat(((InputOutputException) failure).errno()).isEqualTo("ECONNRESET");
        }
    }

    @Test
    @Tag("F5")
    @Tag("E39")
    void peerRestartedWhilePacketsVanished_whoWaitsIsToldOfTheReset() throws Exception {
        passes(LeakedHandle.class, "");
    }
}
