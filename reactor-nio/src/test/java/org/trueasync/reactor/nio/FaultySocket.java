package org.trueasync.reactor.nio;

import static org.trueasync.reactor.nio.FaultyCalls.call;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A connection whose calls may fail. */
final class FaultySocket extends SocketChannel {
    final SocketChannel real;

    FaultySocket(SelectorProvider provider, SocketChannel real) {
        super(provider);
        this.real = real;
    }

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        real.bind(local);
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        call("SocketChannel.setOption", () -> real.setOption(name, value));
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
    public SocketChannel shutdownInput() throws IOException {
        real.shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        call("SocketChannel.shutdownOutput", real::shutdownOutput);
        return this;
    }

    @Override
    public Socket socket() {
        return real.socket();
    }

    @Override
    public boolean isConnected() {
        return real.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return real.isConnectionPending();
    }

    /** As the JDK's, it closes the channel if it fails. */
    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return orClosed("SocketChannel.connect", () -> real.connect(remote));
    }

    @Override
    public boolean finishConnect() throws IOException {
        return orClosed("SocketChannel.finishConnect", real::finishConnect);
    }

    private boolean orClosed(String name, FaultyCalls.Call<Boolean> attempt) throws IOException {
        try {
            return call(name, attempt);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return call("SocketChannel.getRemoteAddress", real::getRemoteAddress);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return call("SocketChannel.read", () -> real.read(into));
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return real.read(into, offset, length);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return call("SocketChannel.write", () -> real.write(from));
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        return call("SocketChannel.write", () -> real.write(from, offset, length));
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return call("SocketChannel.getLocalAddress", real::getLocalAddress);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        call("SocketChannel.close", () -> {
            real.close();
            return null;
        });
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        call("SocketChannel.configureBlocking", () -> real.configureBlocking(block));
    }
}
