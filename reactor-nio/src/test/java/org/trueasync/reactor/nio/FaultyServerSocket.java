package org.trueasync.reactor.nio;

import static org.trueasync.reactor.nio.FaultyCalls.call;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A listening socket whose calls may fail. */
final class FaultyServerSocket extends ServerSocketChannel {
    final ServerSocketChannel real;

    FaultyServerSocket(SelectorProvider provider, ServerSocketChannel real) {
        super(provider);
        this.real = real;
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        call("ServerSocketChannel.bind", () -> real.bind(local, backlog));
        return this;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        call("ServerSocketChannel.setOption", () -> real.setOption(name, value));
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return real.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return real.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
        return real.socket();
    }

    @Override
    public SocketChannel accept() throws IOException {
        SocketChannel accepted = call("ServerSocketChannel.accept", real::accept);
        return accepted == null ? null : new FaultySocket(provider(), accepted);
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return call("ServerSocketChannel.getLocalAddress", real::getLocalAddress);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        call("ServerSocketChannel.close", () -> {
            real.close();
            return null;
        });
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        call("ServerSocketChannel.configureBlocking", () -> real.configureBlocking(block));
    }
}
