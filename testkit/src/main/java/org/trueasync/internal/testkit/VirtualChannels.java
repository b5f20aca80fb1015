package org.trueasync.internal.testkit;

import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** Makes the JDK's channels and selectors of a simulated host. */
final class VirtualChannels extends SelectorProvider {
    private final NetworkStack stack;

    VirtualChannels(NetworkStack stack) {
        this.stack = stack;
    }

    @Override
    public SocketChannel openSocketChannel() {
        return new VirtualSocketChannel(this, stack, new SocketStream(stack));
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) {
        requireInternet(family);
        return openSocketChannel();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
        return new VirtualServerChannel(this, stack);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) {
        requireInternet(family);
        return openServerSocketChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel() {
        return new VirtualDatagramChannel(this, stack);
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) {
        requireInternet(family);
        return openDatagramChannel();
    }

    private static void requireInternet(ProtocolFamily family) {
        if (family != StandardProtocolFamily.INET && family != StandardProtocolFamily.INET6)
            throw new UnsupportedOperationException(
                    "a simulated host has no channels of the family " + family + ": use UnixServer and UnixStream");
    }

    @Override
    public AbstractSelector openSelector() {
        return new VirtualSelector(this, stack);
    }

    @Override
    public Pipe openPipe() {
        throw new UnsupportedOperationException("a simulated host has no java.nio pipes: use a queue or a Channel");
    }
}
