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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.trueasync.bench.ParentWatch;

/**
 * The client of every server: {@code LoadClient PORT CONNECTIONS WARM_UP_MS WINDOW_MS PROTOCOL}. While it exchanges
 * messages, it polls without sleeping: otherwise the server's writes would pay for waking another cpu, and a quicker
 * server would pay more often.
 *
 * <p>It prints {@code WARM} after the warm-up. Then, for each line on its standard input, it exchanges messages for 50
 * ms, prints {@code START}, waits for another line, exchanges messages for the window, and prints
 * {@code DONE <messages> <nanoseconds>}. Between two windows it sends nothing to the server, so that several servers
 * can take turns on one cpu.
 */
public final class LoadClient {

    /** More than any answer has. */
    private static final int MAX_ANSWER_BYTES = 4_096;

    private static final long SETTLE_MILLIS = 50;

    /** The messages that are sent and expected. */
    public enum Protocol {
        /** Sends 64 bytes and gets as many back. */
        ECHO("x".repeat(64)) {
            @Override
            boolean isWhole(ByteBuffer received) {
                return received.position() == request.length();
            }
        },
        /** Sends a request by HTTP 1.1 and gets a text of five bytes. */
        HTTP("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") {
            private static final int TEXT = 5;
            // where the status begins, after "HTTP/1.1 "
            private static final int STATUS = 9;

            @Override
            boolean isWhole(ByteBuffer received) {
                int end = received.position() - TEXT;
                if (end - 4 <= STATUS || received.getInt(end - 4) != 0x0d0a0d0a) return false;
                if (received.get(STATUS) != '2') throw new IllegalStateException("the status of an answer is not 2xx");
                return true;
            }
        };

        final String request;

        Protocol(String request) {
            this.request = request;
        }

        /** True if a whole answer has come. */
        abstract boolean isWhole(ByteBuffer received);
    }

    private final Selector selector;
    private final Protocol protocol;
    private long messages;

    private LoadClient(Selector selector, Protocol protocol) {
        this.selector = selector;
        this.protocol = protocol;
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        int connections = Integer.parseInt(arguments[1]);
        try (Selector selector = Selector.open()) {
            var client = new LoadClient(selector, Protocol.valueOf(arguments[4]));
            client.connect(port, connections);
            client.exchange(Long.parseLong(arguments[2]));
            printLine("WARM");
            // the driver ends this process: to close connections would be work for a server whose cpu time is being
            // read
            while (true) {
                ParentWatch.awaitLine();
                client.exchange(SETTLE_MILLIS);
                printLine("START");
                ParentWatch.awaitLine();
                long start = System.nanoTime();
                long done = client.exchange(Long.parseLong(arguments[3]));
                printLine("DONE " + done + " " + (System.nanoTime() - start));
            }
        }
    }

    private void connect(int port, int connections) throws IOException {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
            var connection = new Connection(channel, protocol, request(), ByteBuffer.allocateDirect(MAX_ANSWER_BYTES));
            channel.register(selector, SelectionKey.OP_READ, connection);
            all.add(connection);
        }
        for (Connection connection : all) {
            connection.send();
        }
    }

    private ByteBuffer request() {
        byte[] bytes = protocol.request.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** Sends and receives for that many milliseconds; returns how many answers came. */
    private long exchange(long millis) throws IOException {
        long before = messages;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() - end < 0) {
            selector.selectNow(this::ready);
        }
        return messages - before;
    }

    private void ready(SelectionKey key) {
        try {
            if (((Connection) key.attachment()).receive()) {
                messages++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void printLine(String line) {
        System.out.println(line);
        System.out.flush();
    }

    record Connection(SocketChannel channel, Protocol protocol, ByteBuffer request, ByteBuffer buffer) {

        void send() throws IOException {
            request.rewind();
            channel.write(request);
            if (request.hasRemaining()) {
                throw new IOException("a message did not fit into an empty socket buffer");
            }
            buffer.clear();
        }

        /** Receives bytes. True if they complete an answer; then this method has sent the next message. */
        boolean receive() throws IOException {
            if (channel.read(buffer) < 0) {
                throw new IOException("the server closed a connection");
            }
            if (!protocol.isWhole(buffer)) {
                if (!buffer.hasRemaining()) {
                    throw new IOException("an answer has more than " + buffer.capacity() + " bytes");
                }
                return false;
            }
            send();
            return true;
        }
    }
}
