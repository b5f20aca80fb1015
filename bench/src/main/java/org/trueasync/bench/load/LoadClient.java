package org.trueasync.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.trueasync.bench.ParentWatch;

/**
 * The client of every server: {@code LoadClient PORT CONNECTIONS INTERVAL_MS WARM_UP_MS WINDOW_MS PROTOCOL}. While it
 * exchanges messages, it polls without sleeping: otherwise the server's writes would pay for waking another cpu, and a
 * quicker server would pay more often.
 *
 * <p>Without an interval each connection sends its next message as soon as its answer is there. With one it sends a
 * message in each interval, the connections one after another; if its answer is not there yet, it leaves its turn out.
 *
 * <p>It prints {@code WARM} after the warm-up. Then, for each line on its standard input, it exchanges messages for 50
 * ms, prints {@code START}, waits for another line, exchanges messages for the window, and prints
 * {@code DONE <messages> <nanoseconds> <p99>}, the latter being the microseconds that 99 % of the messages took at most
 * beside the delay that they had asked for. Between two windows it sends nothing to the server, so that several servers
 * can take turns on one cpu.
 */
public final class LoadClient {
    private static final long SETTLE_MILLIS = 50;

    private final Selector selector;
    private final Protocol protocol;
    private final List<Connection> connections = new ArrayList<>();
    private final Latencies latencies = new Latencies();
    /** Between the turns of two connections; 0: none waits for its turn. */
    private final long nanosBetween;

    private long messages;
    /** When this client last stood still. */
    private long stopped;

    private long nextTurn;
    /** The index of the connection whose turn is next. */
    private int next;

    private LoadClient(Selector selector, Protocol protocol, long nanosBetween) {
        this.selector = selector;
        this.protocol = protocol;
        this.nanosBetween = nanosBetween;
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        int connections = Integer.parseInt(arguments[1]);
        long nanosBetween = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[2])) / connections;
        try (Selector selector = Selector.open()) {
            var client = new LoadClient(selector, Protocol.valueOf(arguments[5]), nanosBetween);
            client.connect(port, connections);
            client.exchange(Long.parseLong(arguments[3]));
            printLine("WARM");
            // the driver ends this process: to close connections would be work for a server whose cpu time is being
            // read
            while (true) {
                ParentWatch.awaitLine();
                client.exchange(SETTLE_MILLIS);
                printLine("START");
                ParentWatch.awaitLine();
                long start = System.nanoTime();
                long done = client.exchange(Long.parseLong(arguments[4]));
                printLine("DONE " + done + " " + (System.nanoTime() - start) + " " + client.latencies.percentile99());
            }
        }
    }

    private void connect(int port, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
            var connection = new Connection(channel, protocol);
            connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
            connections.add(connection);
        }
        if (nanosBetween == 0) {
            for (Connection connection : connections) connection.send();
        }
        nextTurn = System.nanoTime();
        stopped = nextTurn;
    }

    /** Sends and receives for that many milliseconds; returns how many answers came. */
    private long exchange(long millis) throws IOException {
        long before = messages;
        long now = System.nanoTime();
        long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
        // while it stood still no turn was missed
        nextTurn += now - stopped;
        latencies.begin(now);
        while (now - end < 0) {
            selector.selectNow(this::ready);
            now = System.nanoTime();
            if (nanosBetween > 0) takeTurns(now);
        }
        stopped = now;
        return messages - before;
    }

    private void takeTurns(long now) throws IOException {
        for (; nextTurn - now <= 0; nextTurn += nanosBetween) {
            Connection connection = connections.get(next);
            if (!connection.awaitsAnswer) connection.send();
            next = next + 1 < connections.size() ? next + 1 : 0;
        }
    }

    private void ready(SelectionKey key) {
        var connection = (Connection) key.attachment();
        try {
            if (key.isWritable()) connection.sendRest();
            if (key.isReadable() && connection.receive()) {
                messages++;
                latencies.add(connection.sentAt, System.nanoTime() - connection.delayNanos);
                if (nanosBetween == 0) connection.send();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void printLine(String line) {
        System.out.println(line);
        System.out.flush();
    }

    static final class Connection {
        private final SocketChannel channel;
        private final Protocol protocol;
        private final ByteBuffer answer;
        private SelectionKey key;
        /** What did not fit into the socket's buffer; null: nothing. */
        private ByteBuffer rest;

        private boolean awaitsAnswer;
        private long sentAt;
        private long delayNanos;

        Connection(SocketChannel channel, Protocol protocol) {
            this.channel = channel;
            this.protocol = protocol;
            this.answer = ByteBuffer.allocateDirect(protocol.maxAnswer);
        }

        void send() throws IOException {
            int choice = protocol.nextRequest();
            ByteBuffer request = protocol.requests.get(choice).rewind();
            answer.clear();
            awaitsAnswer = true;
            delayNanos = TimeUnit.MILLISECONDS.toNanos(protocol.delayMillis(choice));
            sentAt = System.nanoTime();
            channel.write(request);
            if (request.hasRemaining()) {
                rest = request.slice();
                key.interestOpsOr(SelectionKey.OP_WRITE);
            }
        }

        private void sendRest() throws IOException {
            channel.write(rest);
            if (rest.hasRemaining()) return;
            rest = null;
            key.interestOpsAnd(~SelectionKey.OP_WRITE);
        }

        /** Receives bytes. True if they complete an answer. */
        boolean receive() throws IOException {
            if (channel.read(answer) < 0) {
                throw new IOException("the server closed a connection");
            }
            if (!protocol.isWhole(answer)) {
                if (!answer.hasRemaining()) {
                    throw new IOException("an answer has more than " + answer.capacity() + " bytes");
                }
                return false;
            }
            if (rest != null) throw new IOException("the server answered before it had the whole request");
            awaitsAnswer = false;
            return true;
        }
    }
}
