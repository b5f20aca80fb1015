package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.runClean;
import static org.trueasync.io.TlsRuns.client;
import static org.trueasync.io.TlsRuns.readFully;
import static org.trueasync.io.TlsRuns.server;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;

/**
 * TLS over a connection that tears, cuts and slows down: nothing is lost, and nothing that is missing is taken for the
 * end.
 */
@Tag("deep")
public abstract class TlsTornConformance {
    @BeforeAll
    static void certificates() {
        TlsCertificates.requireOpenssl();
        TlsCertificates.folder();
    }

    /** Between a client and a server: passes bytes on in pieces, and cuts both connections after so many. */
    private static final class Between implements AutoCloseable {
        final TcpServer front = TcpServer.listen("127.0.0.1", 0);
        private final int target;
        private final int piece;
        private final long[] left;
        final long[] passed = new long[2];

        Between(int target, int piece, long toServer, long toClient) {
            this.target = target;
            this.piece = piece;
            this.left = new long[] {toServer, toClient};
            Async.spawn(this::serve);
        }

        private void serve() {
            try {
                try (TcpStream client = front.accept();
                        TcpStream server = TcpStream.connect("127.0.0.1", target)) {
                    Coroutine<?> back = Async.spawn(() -> pass(server, client, 1));
                    pass(client, server, 0);
                    Async.await(back);
                }
            } catch (InputOutputException closed) {
                if (!front.isClosed()) throw closed;
            }
        }

        private void pass(TcpStream from, TcpStream to, int direction) {
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            try {
                boolean more = true;
                while (more && from.read(buffer.clear()) >= 0) {
                    buffer.flip();
                    int end = buffer.limit();
                    while (more && buffer.position() < end) {
                        int length = (int) Math.min(Math.min(piece, end - buffer.position()), left[direction]);
                        to.write(buffer.limit(buffer.position() + length));
                        passed[direction] += length;
                        left[direction] -= length;
                        more = left[direction] > 0;
                        Async.suspend(); // the other end is to see each piece alone
                    }
                }
                if (!more) from.close();
                if (!more) to.close();
                else to.shutdownOutput();
            } catch (InputOutputException gone) {
                from.close();
                to.close();
            }
        }

        @Override
        public void close() {
            front.close();
        }
    }

    private static final long ALL = Long.MAX_VALUE;

    @ParameterizedTest
    @CsvSource({"TLSv1.3,1", "TLSv1.2,1", "TLSv1.3,2", "TLSv1.3,7", "TLSv1.2,5"})
    void everythingComesInPieces_isPutTogether(String version, int piece) {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Async.spawn(() -> TlsRuns.echo(server.accept().tls(server())));
            try (Between between = new Between(server.port(), piece, ALL, ALL);
                    TlsStream tls =
                            TcpStream.connect("127.0.0.1", between.front.port()).tls(client().protocols(version))) {
                for (int length : new int[] {1, 100, 3000}) {
                    byte[] sent = new byte[length];
                    new Random(length).nextBytes(sent);
                    tls.write(ByteBuffer.wrap(sent));
                    ByteBuffer got = ByteBuffer.allocate(length);
                    while (got.hasRemaining()) assertThat(tls.read(got)).isPositive();
                    assertThat(got.array()).isEqualTo(sent);
                }
                tls.shutdownOutput();
                assertThat(tls.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            server.close();
        });
    }

    /** How many bytes a conversation has in each direction. */
    private static long[] lengths(String version) {
        var lengths = new long[2];
        TlsOptions options = forgetful(version);
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> serving = Async.spawn(() -> answer(server));
            try (Between between = new Between(server.port(), 1 << 16, ALL, ALL)) {
                ask(between.front.port(), options);
                Async.await(serving);
                Runs.settle();
                System.arraycopy(between.passed, 0, lengths, 0, 2);
            }
            server.close();
        });
        return lengths;
    }

    /** Each handshake in full: ports come again, and a session that is resumed is shorter. */
    private static TlsOptions forgetful(String version) {
        SSLContext context = TlsCertificates.context(null, "ca");
        context.getClientSessionContext().setSessionCacheSize(1);
        return TlsOptions.client(context).protocols(version);
    }

    private static void ask(int port, TlsOptions options) {
        try (TlsStream tls = TcpStream.connect("127.0.0.1", port).tls(options)) {
            tls.write(bytes("question"));
            assertThat(readFully(tls, 100)).isEqualTo("answer");
            tls.shutdownOutput();
        }
    }

    /**
     * Every other byte on each reactor, as a cut is the same to all of them. Signatures differ by some bytes in length.
     */
    private static long first() {
        return Runs.reactor().getClass().getName().contains("Nio") ? 1 : 2;
    }

    private static final Duration TIME_LIMIT = Duration.ofSeconds(100);

    private static void answer(TcpServer server) {
        try (TlsStream tls = server.accept().tls(server())) {
            assertThat(readFully(tls, 8)).isEqualTo("question");
            tls.write(bytes("answer"));
            tls.shutdownOutput();
            assertThat(tls.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void cutAfterEveryByteOnTheWayToTheClient_clientIsTold(String version) {
        long all = lengths(version)[1];
        assertThat(all).isGreaterThan(500);
        TlsOptions options = forgetful(version);
        runClean(Runs.testRun().timeLimit(TIME_LIMIT), () -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            for (long at = first(); at < all - 4; at += 2) {
                Coroutine<?> serving = Async.spawn(() -> answer(server));
                try (Between between = new Between(server.port(), 1 << 16, ALL, at)) {
                    assertThatThrownBy(() -> ask(between.front.port(), options))
                            .as("cut after %d of %d", at, all)
                            .isInstanceOf(InputOutputException.class);
                }
                failureOf(serving);
            }
            server.close();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void cutAfterEveryByteOnTheWayToTheServer_serverIsTold(String version) {
        long all = lengths(version)[0];
        assertThat(all).isGreaterThan(200);
        TlsOptions options = forgetful(version);
        runClean(Runs.testRun().timeLimit(TIME_LIMIT), () -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            for (long at = first(); at < all - 4; at += 2) {
                long cut = at;
                Coroutine<?> serving = Async.spawn(() -> answer(server));
                try (Between between = new Between(server.port(), 1 << 16, cut, ALL)) {
                    Coroutine<?> asking = Async.spawn(() -> {
                        try {
                            ask(between.front.port(), options);
                        } catch (InputOutputException told) {
                            // the client is told too, or has been answered before
                        }
                    });
                    assertThat(failureOf(serving))
                            .as("cut after %d of %d", at, all)
                            .isInstanceOf(InputOutputException.class);
                    Async.await(asking);
                }
            }
            server.close();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void largeTransfersBothWaysAtOnce_arriveWhole(String version) {
        runClean(() -> {
            byte[] there = new byte[8 << 20];
            byte[] back = new byte[8 << 20];
            new Random(1).nextBytes(there);
            new Random(2).nextBytes(back);
            try (TlsRuns.Pair pair = TlsRuns.Pair.open(version)) {
                Coroutine<?> a = Async.spawn(() -> pair.client().write(ByteBuffer.wrap(there)));
                Coroutine<?> b = Async.spawn(() -> pair.peer().write(ByteBuffer.wrap(back)));
                Coroutine<byte[]> c = Async.spawn(() -> read(pair.client(), back.length));
                Coroutine<byte[]> d = Async.spawn(() -> read(pair.peer(), there.length));
                Async.await(a);
                Async.await(b);
                assertThat(Arrays.equals(Async.await(c), back)).isTrue();
                assertThat(Arrays.equals(Async.await(d), there)).isTrue();
            }
        });
    }

    private static byte[] read(TlsStream stream, int length) {
        ByteBuffer got = ByteBuffer.allocate(length);
        while (got.hasRemaining()) assertThat(stream.read(got)).isPositive();
        return got.array();
    }

    @Test
    void peerReadsNothing_writerWaitsAndHasSentNoMoreThanTheSystemHolds() {
        runClean(() -> {
            try (TlsRuns.Pair pair = TlsRuns.Pair.open()) {
                ByteBuffer all = ByteBuffer.allocate(64 << 20);
                Coroutine<?> writer = Async.spawn(() -> pair.client().write(all));
                int before = -1;
                while (all.position() != before) {
                    before = all.position();
                    Runs.settle();
                }
                assertThat(writer.isCompleted()).isFalse();
                assertThat(all.position()).isLessThan(32 << 20);
                writer.cancel();
                assertThat(failureOf(writer)).isInstanceOf(AsyncCancellation.class);
                // what it had begun goes first, in whole records
                int begun = all.position();
                Coroutine<?> next = Async.spawn(() -> pair.client().write(bytes("next")));
                byte[] got = read(pair.peer(), begun + 4);
                assertThat(new String(got, begun, 4, StandardCharsets.UTF_8)).isEqualTo("next");
                Async.await(next);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    @Tag("F36")
    @Tag("E40")
    void readersAndWritersCancelledAtRandomMoments_everyByteThatWasBegunArrivesInOrder(int seed) {
        runClean(Runs.testRun().timeLimit(TIME_LIMIT), () -> {
            var random = new Random(seed);
            try (TlsRuns.Pair pair = TlsRuns.Pair.open(seed % 2 == 0 ? "TLSv1.3" : "TLSv1.2")) {
                int[] written = new int[1];
                Coroutine<?> writing = Async.spawn(() -> {
                    for (int i = 0; i < 100; i++) {
                        ByteBuffer from = ByteBuffer.allocate(1 + random.nextInt(200_000));
                        for (int j = 0; j < from.capacity(); j++) from.put(j, (byte) ((written[0] + j) * 31 >> 3));
                        Coroutine<?> one = Async.spawn(() -> pair.client().write(from));
                        if (random.nextBoolean()) Async.suspend();
                        if (random.nextInt(10) == 0) Async.delay(random.nextInt(2));
                        if (random.nextBoolean()) one.cancel();
                        failureOf(one);
                        written[0] += from.position();
                    }
                    pair.client().shutdownOutput();
                });
                int got = 0;
                while (true) {
                    ByteBuffer into = ByteBuffer.allocate(1 + random.nextInt(50_000));
                    Coroutine<Integer> one = Async.spawn(() -> pair.peer().read(into));
                    if (random.nextBoolean()) Async.suspend();
                    if (random.nextInt(30) == 0) Async.delay(random.nextInt(2));
                    if (random.nextBoolean()) one.cancel();
                    Throwable failure = failureOf(one);
                    for (int i = 0; i < into.position(); i++, got++)
                        if (into.get(i) != (byte) (got * 31 >> 3)) throw new AssertionError("byte " + got);
                    if (failure == null && one.result() < 0) break;
                }
                Async.await(writing);
                assertThat(got).isEqualTo(written[0]);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void handshakesGivenUpAtRandomMoments_nothingIsLeftOpen(int seed) {
        runClean(() -> {
            var random = new Random(seed);
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            for (int i = 0; i < 60; i++) {
                Coroutine<?> accepting =
                        Async.spawn(() -> server.accept().tls(server()).close());
                Coroutine<?> connecting = Async.spawn(() -> TcpStream.connect("127.0.0.1", server.port())
                        .tls(client(), Async.timeout(1 + random.nextInt(20)))
                        .close());
                Async.delay(random.nextInt(8));
                if (random.nextBoolean()) connecting.cancel();
                else accepting.cancel();
                failureOf(connecting);
                accepting.cancel();
                failureOf(accepting);
            }
            server.close();
        });
    }

    @Test
    void manyConnectionsAtOnce_allAreServed() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> accepting = Async.spawn(() -> {
                for (int i = 0; i < 100; i++) {
                    TcpStream tcp = server.accept();
                    Async.spawn(() -> TlsRuns.echo(tcp.tls(server())));
                }
            });
            var asking = new ArrayList<Coroutine<String>>();
            for (int i = 0; i < 100; i++) {
                String text = "number " + i;
                asking.add(Async.spawn(() -> {
                    try (TlsStream tls =
                            TcpStream.connect("127.0.0.1", server.port()).tls(client())) {
                        tls.write(bytes(text));
                        return readFully(tls, text.length());
                    }
                }));
            }
            for (int i = 0; i < 100; i++) assertThat(Async.await(asking.get(i))).isEqualTo("number " + i);
            Async.await(accepting);
            server.close();
        });
    }
}
