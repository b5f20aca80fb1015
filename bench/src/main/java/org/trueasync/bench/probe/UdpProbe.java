package org.trueasync.bench.probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.bench.ProcessClock;
import org.trueasync.io.UdpSocket;

/**
 * Exchanges datagrams between pairs of sockets on the loopback interface, in one process: {@code UdpProbe PEER MILLIS}.
 * One socket of a pair sends a datagram, the other sends it back, so that each pair has one in flight. For each line
 * that comes it makes one pass and prints {@code UDP} and, for each of {@link UdpSuite#LOADS}, the cpu time of a
 * datagram in microseconds and the number of datagrams per second. Each load is measured for {@code MILLIS} ms.
 *
 * <p>There is a coroutine or a virtual thread for each socket. The floor is one platform thread that makes the calls of
 * both sides in turn: on loopback a datagram can be received as soon as it has been sent.
 */
public final class UdpProbe {
    private static final String HOST = "127.0.0.1";
    /** Exchanges between two readings of the clock. */
    private static final int BATCH = 16;

    private final long nanos;

    private final ProcessClock clock = new ProcessClock(ProcessHandle.current().pid());

    private UdpProbe(long nanos) throws IOException {
        this.nanos = nanos;
    }

    public static void main(String[] arguments) throws Exception {
        Peer peer = Peer.valueOf(arguments[0]);
        var probe = new UdpProbe(Long.parseLong(arguments[1]) * 1_000_000);
        switch (peer) {
            case OURS -> Async.runtime().reactor("libuv").run(probe::coroutines);
            case OURS_ON_NIO -> Async.runtime().reactor("nio").run(probe::coroutines);
            case VIRTUAL_THREADS -> probe.passes(UdpProbe::virtualThreads);
            default -> probe.passes(UdpProbe::oneThread);
        }
    }

    /** Exchanges datagrams until the clock shows {@code end}; returns how many were sent and received. */
    private interface Exchange {
        long run(UdpSuite.Load load, long end) throws Exception;
    }

    private void coroutines() throws Exception {
        while (true) {
            Async.blocking(ParentWatch::awaitLine);
            pass(UdpProbe::ours);
        }
    }

    private void passes(Exchange exchange) throws Exception {
        while (true) {
            ParentWatch.awaitLine();
            pass(exchange);
        }
    }

    private void pass(Exchange exchange) throws Exception {
        var line = new StringBuilder("UDP");
        for (UdpSuite.Load load : UdpSuite.LOADS) {
            long cpu = clock.nanos();
            long begin = System.nanoTime();
            double datagrams = exchange.run(load, begin + nanos);
            double seconds = (System.nanoTime() - begin) / 1e9;
            line.append(' ')
                    .append((clock.nanos() - cpu) / 1e3 / datagrams)
                    .append(' ')
                    .append(datagrams / seconds);
        }
        System.out.println(line);
    }

    /** The operations of both kinds of socket. */
    private interface Socket extends AutoCloseable {
        void send(ByteBuffer datagram, InetSocketAddress to) throws IOException;

        InetSocketAddress receive(ByteBuffer into) throws IOException;

        @Override
        void close() throws IOException;
    }

    private record Ours(UdpSocket socket) implements Socket {
        @Override
        public void send(ByteBuffer datagram, InetSocketAddress to) {
            socket.send(datagram, to);
        }

        @Override
        public InetSocketAddress receive(ByteBuffer into) {
            return socket.receive(into);
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    private record Blocking(DatagramChannel channel) implements Socket {
        static Blocking open() throws IOException {
            return new Blocking(
                    DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        }

        @Override
        public void send(ByteBuffer datagram, InetSocketAddress to) throws IOException {
            channel.send(datagram, to);
        }

        @Override
        public InetSocketAddress receive(ByteBuffer into) throws IOException {
            return (InetSocketAddress) channel.receive(into);
        }

        InetSocketAddress address() throws IOException {
            return (InetSocketAddress) channel.getLocalAddress();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Exchanges datagrams until the end, then sends an empty one to say so. */
    private static long ask(Socket socket, InetSocketAddress to, int size, long end) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        long datagrams = 0;
        do {
            for (int i = 0; i < BATCH; i++) {
                socket.send(buffer.clear(), to);
                socket.receive(buffer.clear());
            }
            datagrams += 2 * BATCH;
        } while (System.nanoTime() - end < 0);
        socket.send(buffer.limit(0).position(0), to);
        return datagrams;
    }

    private static void echo(Socket socket, int size) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        while (true) {
            InetSocketAddress from = socket.receive(buffer.clear());
            if (buffer.flip().limit() == 0) return;
            socket.send(buffer, from);
        }
    }

    private static long ours(UdpSuite.Load load, long end) {
        var pairs = new ArrayList<Coroutine<Long>>();
        for (int i = 0; i < load.pairs(); i++) {
            pairs.add(Async.spawn(() -> {
                try (var server = new Ours(UdpSocket.bind(HOST, 0));
                        var client = new Ours(UdpSocket.bind(HOST, 0))) {
                    Coroutine<?> echo = Async.spawn(() -> echo(server, load.size()));
                    long datagrams = ask(client, server.socket().localAddress(), load.size(), end);
                    Async.await(echo);
                    return datagrams;
                }
            }));
        }
        long sum = 0;
        for (Coroutine<Long> pair : pairs) sum += Async.await(pair);
        return sum;
    }

    private static long virtualThreads(UdpSuite.Load load, long end) throws Exception {
        long[] datagrams = new long[load.pairs()];
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < load.pairs(); i++) {
            int pair = i;
            threads.add(Thread.startVirtualThread(() -> {
                try (var server = Blocking.open();
                        var client = Blocking.open()) {
                    Thread echo = Thread.startVirtualThread(() -> {
                        try {
                            echo(server, load.size());
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    datagrams[pair] = ask(client, server.address(), load.size(), end);
                    echo.join();
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        long sum = 0;
        for (long each : datagrams) {
            if (each == 0) throw new IllegalStateException("a pair has failed; see above");
            sum += each;
        }
        return sum;
    }

    private record Pair(Blocking server, InetSocketAddress address, Blocking client) {}

    private static long oneThread(UdpSuite.Load load, long end) throws IOException {
        List<Pair> pairs = new ArrayList<>();
        try {
            for (int i = 0; i < load.pairs(); i++) {
                var server = Blocking.open();
                pairs.add(new Pair(server, server.address(), Blocking.open()));
            }
            return askInTurn(pairs, load.size(), end);
        } finally {
            for (Pair pair : pairs) {
                pair.server().close();
                pair.client().close();
            }
        }
    }

    private static long askInTurn(List<Pair> pairs, int size, long end) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        long datagrams = 0;
        do {
            for (int i = 0; i < BATCH; i++) {
                for (Pair pair : pairs) {
                    pair.client().send(buffer.clear(), pair.address());
                    InetSocketAddress from = pair.server().receive(buffer.clear());
                    pair.server().send(buffer.flip(), from);
                    pair.client().receive(buffer.clear());
                }
            }
            datagrams += 2L * BATCH * pairs.size();
        } while (System.nanoTime() - end < 0);
        return datagrams;
    }
}
