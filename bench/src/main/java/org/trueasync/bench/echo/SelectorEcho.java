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

/** The floor: one thread, one selector, a direct buffer for each connection and nothing else. */
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
        for (SocketChannel one = server.accept(); one != null; one = server.accept()) {
            one.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
            one.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(BUFFER));
        }
    }

    /** A message fits into any socket buffer that was emptied by the message before, so the write never waits. */
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
