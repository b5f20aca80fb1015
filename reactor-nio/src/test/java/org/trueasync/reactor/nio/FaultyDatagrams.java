package org.trueasync.reactor.nio;

import static org.trueasync.reactor.nio.FaultyCalls.call;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A UDP socket whose calls may fail. */
final class FaultyDatagrams extends DatagramChannel {
    final DatagramChannel real;

    FaultyDatagrams(SelectorProvider provider, DatagramChannel real) {
        super(provider);
        this.real = real;
    }

    @Override
    public DatagramChannel bind(SocketAddress local) throws IOException {
        call("DatagramChannel.bind", () -> real.bind(local));
        return this;
    }

    @Override
    public <T> DatagramChannel setOption(SocketOption<T> name, T value) throws IOException {
        call("DatagramChannel.setOption", () -> real.setOption(name, value));
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
    public DatagramSocket socket() {
        return real.socket();
    }

    @Override
    public boolean isConnected() {
        return real.isConnected();
    }

    @Override
    public DatagramChannel connect(SocketAddress remote) throws IOException {
        call("DatagramChannel.connect", () -> real.connect(remote));
        return this;
    }

    @Override
    public DatagramChannel disconnect() throws IOException {
        real.disconnect();
        return this;
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return real.getRemoteAddress();
    }

    @Override
    public SocketAddress receive(ByteBuffer into) throws IOException {
        return call("DatagramChannel.receive", () -> real.receive(into));
    }

    @Override
    public int send(ByteBuffer from, SocketAddress target) throws IOException {
        return call("DatagramChannel.send", () -> real.send(from, target));
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return real.read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return real.read(into, offset, length);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return call("DatagramChannel.write", () -> real.write(from));
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        return real.write(from, offset, length);
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return call("DatagramChannel.getLocalAddress", real::getLocalAddress);
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface on) throws IOException {
        return call("DatagramChannel.join", () -> real.join(group, on));
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface on, InetAddress source) throws IOException {
        return call("DatagramChannel.join", () -> real.join(group, on, source));
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        call("DatagramChannel.close", () -> {
            real.close();
            return null;
        });
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        call("DatagramChannel.configureBlocking", () -> real.configureBlocking(block));
    }
}
