package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/** TCP as coroutines see it, on whatever reactor. */
public abstract class TcpConformance extends StreamConformance {
    private static final long HOUR = 3_600_000;

    protected TcpConformance(ReactorKit kit) {
        super(kit);
    }

    @Override
    protected void require() {
        kit.requireNetwork();
    }

    @Override
    protected Ends open() {
        return Pair.open();
    }

    private record Pair(TcpServer server, TcpStream client, TcpStream peer) implements Ends {
        static Pair open() {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<TcpStream> accepted = Async.spawn(() -> server.accept());
            TcpStream client = TcpStream.connect("127.0.0.1", server.port());
            return new Pair(server, client, Async.await(accepted));
        }

        @Override
        public TcpStream near() {
            return client;
        }

        @Override
        public TcpStream far() {
            return peer;
        }

        @Override
        public void shutdownNear() {
            client.shutdownOutput();
        }

        @Override
        public void close() {
            client.close();
            peer.close();
            server.close();
        }
    }

    private void withPair(Throwing body) {
        clean(() -> {
            try (Pair pair = Pair.open()) {
                body.run(pair);
            }
        });
    }

    /** With peers that are not on the loop. */
    private void onSockets(Body body) {
        kit.requireSockets();
        clean(body);
    }

    private interface Throwing {
        void run(Pair pair) throws Exception;
    }

    @Test
    @Tag("E38")
    @Tag("F5")
    void closedLocally_everyReaderAndWriterWakesWithAnError() {
        withPair(pair -> {
            var readers = List.<Coroutine<?>>of(
                    Async.spawn(() -> read(pair.client, 10)), Async.spawn(() -> read(pair.client, 10)));
            Coroutine<?> writer = parkedWriter(pair.client);
            Coroutine<?> inLine = Async.spawn(() -> pair.client.write(bytes("next in line")));
            Async.suspend();
            pair.client.close();
            for (Coroutine<?> waiter : List.of(readers.get(0), readers.get(1), writer, inLine)) {
                assertThat(failureOf(waiter))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("127.0.0.1");
            }
            assertThat(pair.client.isClosed()).isTrue();
            pair.client.close();
        });
    }

    @Test
    @Tag("E38")
    void serverClosed_everyAccepterWakesWithAnError() {
        clean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            var accepters = List.<Coroutine<?>>of(
                    Async.spawn(() -> server.accept()),
                    Async.spawn(() -> server.accept()),
                    Async.spawn(() -> server.accept()));
            Async.suspend();
            server.close();
            server.close();
            assertThat(accepters).allSatisfy(a -> assertThat(failureOf(a))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("closed"));
            assertThatThrownBy(server::accept).isInstanceOf(InputOutputException.class);
        });
    }

    @Test
    @Tag("E38")
    void closedInTheTurnInWhichBytesCame_readerThatGotThemKeepsThem() {
        withPair(pair -> {
            Coroutine<String> reader = Async.spawn(() -> read(pair.client, 10));
            Async.suspend();
            pair.peer.write(bytes("abc"));
            awaitQueued(kit, reader);
            pair.client.close();
            assertThat(Async.await(reader)).isEqualTo("abc");
        });
    }

    @Test
    @Tag("E39")
    @Tag("F5")
    void writerParkedOnAFullBuffer_wakesWhenThePeerResets() {
        onSockets(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            try (SocketChannel client = SocketChannel.open(new InetSocketAddress("127.0.0.1", server.port()))) {
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
                TcpStream stream = server.accept();
                Coroutine<?> reader = Async.spawn(() -> read(stream, 10));
                Coroutine<?> writer = parkedWriter(stream);
                client.close();
                assertThat(failureOf(writer))
                        .isInstanceOf(InputOutputException.class)
                        .satisfies(e ->
                                assertThat(((InputOutputException) e).errno()).isIn("ECONNRESET", "EPIPE"));
                assertThat(failureOf(reader)).isInstanceOf(InputOutputException.class);
                stream.close();
            }
            server.close();
        });
    }

    @Test
    @Tag("F5")
    void peerCloses_readerSeesTheEndAndWriterTheError() {
        withPair(pair -> {
            Coroutine<String> reader = Async.spawn(() -> read(pair.client, 10));
            Coroutine<?> writer = parkedWriter(pair.client);
            pair.peer.close();
            assertThat(failureOf(writer)).isInstanceOf(InputOutputException.class);
            // unread bytes at the peer make it a reset
            assertThat(reader.isCompleted() || failureOf(reader) != null).isTrue();
            failureOf(reader);
        });
    }

    @Test
    @Tag("E40")
    @Tag("F36")
    void readCancelledInTheTurnInWhichBytesCame_nothingIsLost() {
        withPair(pair -> {
            Coroutine<?> first = Async.spawn(() -> read(pair.client, 4));
            Async.suspend();
            pair.peer.write(bytes("0123456789"));
            awaitQueued(kit, first);
            first.cancel();
            assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);
            assertThat(readFully(pair.client, 10)).isEqualTo("0123456789");
        });
    }

    @Test
    @Tag("E40")
    @Tag("F2")
    @Tag("F36")
    void readCancelledAfterBytesCame_nextReaderInLineGetsThem() {
        withPair(pair -> {
            Coroutine<?> first = Async.spawn(() -> read(pair.client, 100));
            Coroutine<String> second = Async.spawn(() -> read(pair.client, 100));
            Async.suspend();
            pair.peer.write(bytes("for whoever is left"));
            awaitQueued(kit, first);
            first.cancel();
            assertThat(Async.await(second)).isEqualTo("for whoever is left");
            assertThat(first.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F36")
    void readCancelledAgainAndAgain_streamIsComplete() {
        withPair(pair -> {
            int total = 200_000;
            var sent = new byte[total];
            for (int i = 0; i < total; i++) sent[i] = (byte) (i * 31 + i / 256);
            Async.spawn(() -> {
                for (int at = 0; at < total; at += 1_000) {
                    pair.peer.write(ByteBuffer.wrap(sent, at, 1_000));
                    Async.suspend();
                }
            });
            ByteBuffer got = ByteBuffer.allocate(total);
            for (int round = 0; got.hasRemaining(); round++) {
                ByteBuffer part = ByteBuffer.allocate(1 + round * 37 % 3_000);
                Coroutine<?> reader = Async.spawn(() -> pair.client.read(part));
                for (int i = 0; i < round % 4; i++) Async.suspend();
                if (round % 3 != 0) reader.cancel();
                failureOf(reader);
                got.put(part.flip());
                assertThat(round).isLessThan(1_000_000);
            }
            assertThat(Arrays.equals(got.array(), sent)).isTrue();
        });
    }

    @Test
    @Tag("E40")
    void writeCancelled_laterWritesStillWorkInOrder() {
        withPair(pair -> {
            Coroutine<?> writer = parkedWriter(pair.client);
            Coroutine<?> inLine =
                    Async.spawn(() -> pair.client.write(ByteBuffer.wrap("never".getBytes(StandardCharsets.UTF_8))));
            Async.suspend();
            inLine.cancel();
            Coroutine<?> last = Async.spawn(() -> {
                pair.client.write(bytes("the last words"));
                pair.client.shutdownOutput();
            });
            Async.suspend();
            writer.cancel();
            var tail = new StringBuilder();
            ByteBuffer into = ByteBuffer.allocate(1 << 16);
            while (pair.peer.read(into) >= 0) {
                for (int i = 0; i < into.position(); i++) if (into.get(i) != 0) tail.append((char) into.get(i));
                into.clear();
            }
            assertThat(tail.toString()).isEqualTo("the last words");
            assertThat(failureOf(last)).isNull();
            assertThat(writer.isCancelled()).isTrue();
            assertThat(inLine.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F2")
    void acceptCancelledAfterAConnectionCame_nextInLineGetsIt() {
        onSockets(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> first = Async.spawn(() -> server.accept());
            Coroutine<TcpStream> second = Async.spawn(() -> server.accept());
            Async.suspend();
            SocketChannel client = connectFromThread(server, first);
            first.cancel();
            TcpStream accepted = Async.await(second);
            assertThat(first.isCancelled()).isTrue();
            client.close();
            accepted.close();
            server.close();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F2")
    void acceptCancelledAfterAConnectionCame_laterAcceptGetsIt() {
        onSockets(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> first = Async.spawn(() -> server.accept());
            Async.suspend();
            SocketChannel client = connectFromThread(server, first);
            first.cancel();
            failureOf(first);
            TcpStream accepted = server.accept();
            client.close();
            accepted.close();
            server.close();
        });
    }

    /** Connects; returns when the accepter has been woken and before it runs. */
    private SocketChannel connectFromThread(TcpServer server, Coroutine<?> accepter) {
        int port = server.port();
        var channel = new AtomicReference<SocketChannel>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                channel.set(SocketChannel.open(new InetSocketAddress("127.0.0.1", port)));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        // no coroutine runs meanwhile
        while (thread.isAlive()) Thread.onSpinWait();
        awaitQueued(kit, accepter);
        return channel.get();
    }

    @Test
    @Tag("E40")
    void connectCancelled_attemptIsGivenUp() {
        clean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> connecting = Async.spawn(() -> TcpStream.connect("127.0.0.1", server.port()));
            Async.suspend();
            connecting.cancel();
            assertThat(failureOf(connecting)).isInstanceOf(AsyncCancellation.class);
            server.close();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F38")
    void tokenFires_readAcceptAndWriteGiveUpAndTheHandleStaysUsable() {
        withPair(pair -> {
            assertThatThrownBy(() -> pair.client.read(ByteBuffer.allocate(1), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThatThrownBy(() -> pair.server.accept(Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            pair.peer.write(bytes("x"));
            assertThat(read(pair.client, 10)).isEqualTo("x");
            TcpStream other = TcpStream.connect("127.0.0.1", pair.server.port(), Async.timeout(HOUR));
            pair.server.accept(Async.timeout(HOUR)).close();
            assertThat(read(other, 1)).isEqualTo("end");
            other.close();
            Coroutine<?> writer = parkedWriter(pair.client);
            assertThatThrownBy(() -> pair.client.write(bytes("y"), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            writer.cancel();
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("E32")
    @Tag("F74")
    void concurrentWrites_eachArrivesWholeAndInOrder() {
        withPair(pair -> {
            int writers = 8;
            int length = 300_000;
            for (int w = 0; w < writers; w++) {
                byte[] block = new byte[length];
                Arrays.fill(block, (byte) ('a' + w));
                Async.spawn(() -> pair.client.write(ByteBuffer.wrap(block)));
            }
            String all = readFully(pair.peer, writers * length);
            assertThat(all).hasSize(writers * length);
            for (int w = 0; w < writers; w++) {
                char expected = (char) ('a' + w);
                assertThat(all.substring(w * length, (w + 1) * length).chars().allMatch(c -> c == expected))
                        .as("block " + w)
                        .isTrue();
            }
        });
    }

    @Test
    @Tag("F3")
    @Tag("F4")
    void readersServedInArrivalOrder_alsoAfterOneInTheMiddleLeft() {
        withPair(pair -> {
            var got = new ArrayList<String>();
            var readers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                int me = i;
                readers.add(Async.spawn(() -> got.add(me + read(pair.client, 1))));
            }
            Async.suspend();
            readers.get(2).cancel();
            pair.peer.write(bytes("wxyz"));
            readers.forEach(TestRun::failureOf);
            assertThat(got).containsExactly("0w", "1x", "3y", "4z");
        });
    }

    @Test
    @Tag("F3")
    @Tag("F4")
    void accepterWokenAndNotRunYet_nobodyTakesItsConnection() {
        onSockets(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<TcpStream> first = Async.spawn(() -> server.accept());
            Async.suspend();
            SocketChannel client = connectFromThread(server, first);
            // runs before 'first' does
            Coroutine<TcpStream> late = Async.spawn(() -> server.accept()).asHighPriority();
            Async.suspend();
            for (int i = 0; i < 5; i++) Async.delay(1);
            assertThat(first.isCompleted()).as("woken first, served first").isTrue();
            assertThat(late.isCompleted()).isFalse();
            late.cancel();
            client.close();
            Async.await(first).close();
            server.close();
        });
    }

    @Test
    @Tag("F4")
    void severalAccepters_everyConnectionIsTakenInArrivalOrder() {
        onSockets(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            var order = new ArrayList<Integer>();
            var accepters = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 4; i++) {
                int me = i;
                accepters.add(Async.spawn(() -> {
                    TcpStream accepted = server.accept();
                    order.add(me);
                    accepted.close();
                }));
            }
            Async.suspend();
            // all four are there before the loop looks
            var clients = new ArrayList<SocketChannel>();
            for (int i = 0; i < 4; i++)
                clients.add(SocketChannel.open(new InetSocketAddress("127.0.0.1", server.port())));
            accepters.forEach(Async::await);
            assertThat(order).containsExactly(0, 1, 2, 3);
            for (SocketChannel client : clients) client.close();
            server.close();
        });
    }

    @Test
    @Tag("F20")
    void onlySocketsAwaited_noDeadlockIsReported() {
        onSockets(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            int port = server.port();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    SocketChannel.open(new InetSocketAddress("127.0.0.1", port)).close();
                } catch (IOException e) {
                    // the accept below will tell
                }
            });
            TcpStream stream = server.accept();
            assertThat(read(stream, 1)).isEqualTo("end");
            stream.close();
            server.close();
        });
    }

    @Test
    @Tag("F21")
    void openButIdleHandles_doNotKeepTheRunAlive() {
        kit.requireNetwork();
        run.run(() -> {
            Pair.open();
        });
    }

    @Test
    @Tag("F27")
    @Tag("E40")
    void shutdownWhileEverybodyWaitsOnSockets_runEndsAndFinallyRuns() {
        kit.requireNetwork();
        var unwound = new ArrayList<String>();
        run.run(() -> {
            Pair pair = Pair.open();
            Async.spawn(() -> {
                try {
                    read(pair.client, 1);
                } finally {
                    unwound.add("reader");
                    pair.client.close();
                }
            });
            Async.spawn(() -> {
                try {
                    pair.server.accept();
                } finally {
                    unwound.add("accepter");
                    Async.protect(() -> Async.delay(1));
                    pair.server.close();
                }
            });
            Async.suspend();
            Async.gracefulShutdown();
        });
        assertThat(unwound).containsExactlyInAnyOrder("reader", "accepter");
    }
}
