package org.trueasync.spi;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A bound UDP socket. The listener learns when the socket can receive or send, and the caller then does it. Datagrams
 * stay in the system's buffer until they are received. Loop thread only.
 */
public interface UdpHandle {
    /** The address that the socket is bound to, with the real port. */
    InetSocketAddress localAddress();

    /** The only peer, after {@link #connect}; null before. */
    @Nullable
    InetSocketAddress remoteAddress();

    /**
     * Receives one waiting datagram. If there is none, {@link Listener#onReadable} is called when one comes.
     *
     * @param into position moves by the bytes put in; the part of the datagram that does not fit is lost
     * @return the datagram's sender and length; null if none waits
     * @throws org.trueasync.InputOutputException if this handle is closed, or the system reports an error: an
     *     unreachable peer of a connected socket, for instance; the socket then stays usable
     */
    @Nullable
    Received receive(ByteBuffer into);

    /**
     * Sends one datagram of all remaining bytes, if the system takes it now. If not, {@link Listener#onWritable} is
     * called when the system may take it.
     *
     * @param datagram position moves to limit if the system has taken it; otherwise it stays
     * @param to the receiver; null for the connected peer
     * @return true if the system has taken it
     * @throws org.trueasync.InputOutputException if this handle is closed, or the system refuses the datagram: too
     *     long, not permitted, unreachable
     */
    boolean send(ByteBuffer datagram, @Nullable InetSocketAddress to);

    /**
     * Sets the only peer: datagrams of others are not received, and errors of this peer are reported.
     *
     * @param remote the peer's address, resolved
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError connect(InetSocketAddress remote);

    /**
     * Joins a multicast group, to receive its datagrams.
     *
     * @param group a multicast address
     * @param on the interface; null for the system's choice
     * @param source the only sender to receive from; null for all
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError join(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source);

    /**
     * Undoes a {@link #join} with the same arguments.
     *
     * @param group the group
     * @param on as it was joined
     * @param source as it was joined
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError leave(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source);

    /**
     * Sets the interface that multicast datagrams are sent on.
     *
     * @param out the interface
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError multicastInterface(NetworkInterface out);

    /**
     * Sets how many hops multicast datagrams may take.
     *
     * @param hops 0 to 255
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError multicastHops(int hops);

    /**
     * Sets whether multicast datagrams are also received on the host that sends them.
     *
     * @param on true to receive them, the system's default
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError multicastLoop(boolean on);

    /**
     * Sets whether broadcasts may be sent.
     *
     * @param on true to allow them; the system's default is false
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError broadcast(boolean on);

    /** Closes at once. {@link Listener#onClosed} follows. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /** Receives the events of the socket. Called on the loop thread. */
    interface Listener {
        /**
         * Called when a datagram, or an error, waits. Not repeated until {@link UdpHandle#receive} has returned null.
         */
        void onReadable();

        /** Called when {@link UdpHandle#send} may succeed. Not repeated until it has returned false again. */
        void onWritable();

        /** Called last, once, when the handle is closed and its memory freed. */
        default void onClosed() {}
    }

    /**
     * A received datagram.
     *
     * @param from the sender
     * @param length bytes of the whole datagram, which may be more than the buffer had room for
     */
    record Received(InetSocketAddress from, int length) {}

    /**
     * How to bind.
     *
     * @param reuseAddress true if several sockets may bind the same address, as receivers of one group do
     * @param ipv6Only true if an IPv6 socket takes no IPv4 datagrams
     */
    record Options(boolean reuseAddress, boolean ipv6Only) {
        /** Address not shared, IPv4 accepted on IPv6 sockets. */
        public static final Options DEFAULT = new Options(false, false);
    }
}
