package org.trueasync.spi;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A bound UDP socket. It tells when something can be done, and the caller does it: datagrams stay with the system, bounded by its buffer, until
 * somebody takes them. Loop thread only.
 */
public interface UdpHandle {
    /** The address it is bound to, with the real port. */
    InetSocketAddress localAddress();

    /** The only peer, after {@link #connect}; null before. */
    @Nullable
    InetSocketAddress remoteAddress();

    /**
     * Takes one datagram that waits. If there is none, {@link Listener#onReadable} is called when one comes.
     *
     * @param into position moves by what was put in; what does not fit is lost with the datagram
     * @return where it came from and how long it was; null if none waits
     * @throws org.trueasync.InputOutputException if the system reports an error, an unreachable peer of a connected socket for instance; the
     *     socket stays usable
     */
    @Nullable
    Received receive(ByteBuffer into);

    /**
     * Sends one datagram of all remaining bytes, if the system takes it now. If not, {@link Listener#onWritable} is called when it may.
     *
     * @param datagram position moves to limit if it was taken; if not it stays
     * @param to the receiver; null for the connected peer
     * @return true if the system has taken it
     * @throws org.trueasync.InputOutputException if the system refuses it: too long, not permitted, unreachable
     */
    boolean send(ByteBuffer datagram, @Nullable InetSocketAddress to);

    /**
     * Sets the only peer: others' datagrams are not received, and errors of this one are reported.
     *
     * @param remote resolved
     * @return null, or why it can't
     */
    @Nullable
    SystemError connect(InetSocketAddress remote);

    /**
     * Receives what is sent to a group.
     *
     * @param group a multicast address
     * @param on where; null for the system's choice
     * @param source whose datagrams alone; null for everybody's
     * @return null, or why it can't
     */
    @Nullable
    SystemError join(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source);

    /**
     * Takes a {@link #join} with the same arguments back.
     *
     * @param group the group
     * @param on as it was joined
     * @param source as it was joined
     * @return null, or why it can't
     */
    @Nullable
    SystemError leave(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source);

    /**
     * Where multicast datagrams leave.
     *
     * @param out the interface
     * @return null, or why it can't
     */
    @Nullable
    SystemError multicastInterface(NetworkInterface out);

    /**
     * How many hops multicast datagrams may take.
     *
     * @param hops 0 to 255
     * @return null, or why it can't
     */
    @Nullable
    SystemError multicastHops(int hops);

    /**
     * Whether multicast datagrams are received on the host that sends them.
     *
     * @param on true, the system's default
     * @return null, or why it can't
     */
    @Nullable
    SystemError multicastLoop(boolean on);

    /**
     * Whether broadcasts may be sent.
     *
     * @param on false, the system's default
     * @return null, or why it can't
     */
    @Nullable
    SystemError broadcast(boolean on);

    /** Closes at once. {@link Listener#onClosed} follows. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /** Told what can be done. Called on the loop thread. */
    interface Listener {
        /** A datagram, or an error, waits. Not repeated until {@link UdpHandle#receive} has returned null. */
        void onReadable();

        /** {@link UdpHandle#send} may succeed. Not repeated until it has returned false again. */
        void onWritable();

        /** The handle is closed and its memory given back; the last call. */
        default void onClosed() {}
    }

    /**
     * A datagram that was taken.
     *
     * @param from who sent it
     * @param length of the whole datagram, which may be more than there was room for
     */
    record Received(InetSocketAddress from, int length) {}

    /**
     * How to bind.
     *
     * @param reuseAddress several sockets may bind the same address, as receivers of one group do
     * @param ipv6Only an IPv6 socket takes no IPv4 datagrams
     */
    record Options(boolean reuseAddress, boolean ipv6Only) {
        /** Nothing special. */
        public static final Options DEFAULT = new Options(false, false);
    }
}
