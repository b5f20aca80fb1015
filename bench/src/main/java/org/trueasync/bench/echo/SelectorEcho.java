package org.trueasync.bench.echo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The floor of the echo servers. It has one thread, one selector, a direct buffer for each connection, and nothing
 * else.
 */
final class SelectorEcho implements EchoServer {

    @Override
    public void serve(int port, Runnable listening) throws IOException {
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG)
                    .configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            listening.run();
            while (true) {
                selector.select(SelectorEcho::ready);
            }
        }
    }

    private static void ready(SelectionKey key) {
        try {
            if (key.channel() instanceof ServerSocketChannel server) {
                accept(server, key.selector());
            } else {
                echo(key, (SocketChannel) key.channel());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void accept(ServerSocketChannel server, Selector selector) throws IOException {
        for (SocketChannel peer = server.accept(); peer != null; peer = server.accept()) {
            peer.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
            peer.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(BUFFER));
        }
    }

    /**
     * Sends back what one read returns. One write takes all of it: a message fits into an empty socket buffer, and the
     * buffer is empty, because the client sends a message only when it has the answer to the one before.
     */
    private static void echo(SelectionKey key, SocketChannel channel) throws IOException {
        var buffer = (ByteBuffer) key.attachment();
        buffer.clear();
        if (channel.read(buffer) < 0) {
            channel.close();
            return;
        }
        buffer.flip();
        channel.write(buffer);
    }
}
