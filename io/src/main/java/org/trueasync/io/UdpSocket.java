package org.trueasync.io;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.UdpCore;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;

/**
 * A UDP socket. Each datagram arrives whole: once, several times, late or not at all. Receiving and sending suspend
 * only the calling coroutine. Several coroutines may receive, in the order of their calls; several may send, one after
 * another. Loop thread only: on another thread every method but {@link #localAddress}, {@link #isClosed} and
 * {@link #toString} throws an {@link org.trueasync.AsyncException}.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="udp" :
 * try (var socket = UdpSocket.bind("127.0.0.1", 0)) {
 *     socket.send(question, server);
 *     var from = socket.receive(answer, timeout(1_000));
 * }
 * }
 */
public final class UdpSocket implements AutoCloseable {
    private final UdpCore core;

    private UdpSocket(UdpCore core) {
        this.core = core;
    }

    /**
     * Binds to a local address. Suspends only to look up a name.
     *
     * @param host name or literal of a local address; {@code 0.0.0.0} for all of IPv4, {@code ::} for all
     * @param port 0 to 65535; 0 for any free one, see {@link #localAddress}
     * @throws org.trueasync.InputOutputException if the system refuses: address in use, no permission; the message
     *     names address and errno
     * @throws org.trueasync.DnsException if the name is not known
     * @throws IllegalArgumentException if the port is out of range or the host is blank
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static UdpSocket bind(String host, int port) {
        return bind(host, port, UdpHandle.Options.DEFAULT);
    }

    /**
     * As {@link #bind(String, int)} with options.
     *
     * @param host name or literal of a local address
     * @param port 0 to 65535
     * @param options address sharing
     */
    public static UdpSocket bind(String host, int port, UdpHandle.Options options) {
        return new UdpSocket(UdpCore.bind(host, port, options));
    }

    // ---- any peer

    /**
     * Sends one datagram; waits only while the system has no room for it. A sent datagram may still get lost.
     *
     * @param datagram all remaining bytes, 0 to 65507 over IPv4; position moves to limit
     * @param to resolved address of the receiver
     * @throws IllegalArgumentException if the address is not resolved, or its port is 0
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the datagram was not sent
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system: too long
     *     ({@code EMSGSIZE}), unreachable, not permitted (see {@link #broadcast}), or the socket is connected to
     *     another peer ({@code EISCONN})
     */
    public void send(ByteBuffer datagram, InetSocketAddress to) {
        core.send(datagram, to, null);
    }

    /**
     * As {@link #send(ByteBuffer, InetSocketAddress)}; gives up when the token ends.
     *
     * @param datagram position moves to limit
     * @param to resolved address of the receiver
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; the datagram was not sent
     */
    public void send(ByteBuffer datagram, InetSocketAddress to, Completable<?> cancellation) {
        core.send(datagram, to, CoreStream.required(cancellation));
    }

    /**
     * Receives one datagram; while there is none, only this coroutine waits. If there are always some, other coroutines
     * still get their turns.
     *
     * @param into filled from position towards limit; position moves by the datagram's length, which may be 0
     * @return the sender's address
     * @throws IllegalArgumentException if {@code into} is read-only or has no room
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no datagram is lost
     * @throws org.trueasync.InputOutputException {@code EMSGSIZE} if the datagram is longer than the room in
     *     {@code into}; the message names both lengths. The part that did not fit is lost, the buffer's content must
     *     not be used, and position stays. Also if closed meanwhile, or if the system reports an error: an unreachable
     *     peer of a connected socket, for instance; the socket stays usable then
     */
    public InetSocketAddress receive(ByteBuffer into) {
        return core.receive(into, null);
    }

    /**
     * As {@link #receive(ByteBuffer)}; gives up when the token ends.
     *
     * @param into filled from position towards limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; no datagram is lost
     */
    public InetSocketAddress receive(ByteBuffer into, Completable<?> cancellation) {
        return core.receive(into, CoreStream.required(cancellation));
    }

    // ---- one peer

    /**
     * Sets the only peer: datagrams of others are not received any more, and the system reports if this peer is
     * unreachable. A further call sets another peer. Suspends only to look up a name.
     *
     * @param host name or literal
     * @param port 1 to 65535
     * @throws org.trueasync.DnsException if the name is not known
     * @throws IllegalArgumentException if the port is out of range or the host is blank
     * @throws org.trueasync.AsyncCancellation if cancelled during the look-up
     * @throws org.trueasync.InputOutputException if closed before or meanwhile, or refused by the system
     */
    public void connect(String host, int port) {
        core.connect(host, port, null);
    }

    /**
     * As {@link #connect(String, int)}; gives up when the token ends.
     *
     * @param host name or literal
     * @param port 1 to 65535
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public void connect(String host, int port, Completable<?> cancellation) {
        core.connect(host, port, CoreStream.required(cancellation));
    }

    /**
     * As {@link #receive(ByteBuffer)}, from the connected peer.
     *
     * @param into filled from position towards limit
     * @return the datagram's length, which may be 0
     * @throws org.trueasync.InputOutputException as for {@link #receive(ByteBuffer)}; {@code ENOTCONN} before
     *     {@link #connect}; {@code ECONNREFUSED} if no socket has received an earlier datagram
     */
    public int read(ByteBuffer into) {
        return core.read(into, null);
    }

    /**
     * As {@link #read(ByteBuffer)}; gives up when the token ends.
     *
     * @param into filled from position towards limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; no datagram is lost
     */
    public int read(ByteBuffer into, Completable<?> cancellation) {
        return core.read(into, CoreStream.required(cancellation));
    }

    /**
     * As {@link #send(ByteBuffer, InetSocketAddress)}, to the connected peer.
     *
     * @param datagram position moves to limit
     * @throws org.trueasync.InputOutputException as for {@link #send(ByteBuffer, InetSocketAddress)}; {@code ENOTCONN}
     *     before {@link #connect}
     */
    public void write(ByteBuffer datagram) {
        core.write(datagram, null);
    }

    /**
     * As {@link #write(ByteBuffer)}; gives up when the token ends.
     *
     * @param datagram position moves to limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; the datagram was not sent
     */
    public void write(ByteBuffer datagram, Completable<?> cancellation) {
        core.write(datagram, CoreStream.required(cancellation));
    }

    // ---- groups

    /**
     * Joins a multicast group, to receive its datagrams, on the interface that the system chooses.
     *
     * @param group a multicast address
     * @throws IllegalArgumentException if it is no multicast address
     * @throws org.trueasync.InputOutputException if the system refuses
     */
    public void join(InetAddress group) {
        join(group, null, null);
    }

    /**
     * Joins a multicast group, to receive its datagrams.
     *
     * @param group a multicast address
     * @param on the interface; null for the system's choice
     * @param source the only sender to receive from; null for all
     * @throws IllegalArgumentException if it is no multicast address, or the source is of another family
     * @throws org.trueasync.InputOutputException if the system refuses
     */
    public void join(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        UdpHandle handle = core.handle("join", "join a group on");
        requireGroup(group, source);
        check("join group " + group.getHostAddress() + " on", handle.join(group, on, source));
    }

    /**
     * Undoes {@link #join(InetAddress)}.
     *
     * @param group the group
     * @throws org.trueasync.InputOutputException if it was not joined
     */
    public void leave(InetAddress group) {
        leave(group, null, null);
    }

    /**
     * Undoes {@link #join(InetAddress, NetworkInterface, InetAddress)}.
     *
     * @param group as it was joined
     * @param on as it was joined
     * @param source as it was joined
     * @throws org.trueasync.InputOutputException if it was not joined
     */
    public void leave(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        UdpHandle handle = core.handle("leave", "leave a group on");
        requireGroup(group, source);
        check("leave group " + group.getHostAddress() + " on", handle.leave(group, on, source));
    }

    private static void requireGroup(InetAddress group, @Nullable InetAddress source) {
        Objects.requireNonNull(group, "group");
        if (!group.isMulticastAddress())
            throw new IllegalArgumentException("group must be a multicast address, got " + group.getHostAddress());
        if (source != null && source instanceof Inet6Address != group instanceof Inet6Address)
            throw new IllegalArgumentException("source must be of the group's family, got " + source.getHostAddress()
                    + " for " + group.getHostAddress());
    }

    /**
     * Sets the interface that datagrams to groups are sent on.
     *
     * @param out the interface
     * @throws org.trueasync.InputOutputException if closed or refused by the system
     */
    public void multicastInterface(NetworkInterface out) {
        UdpHandle handle = core.handle("multicastInterface", "set the multicast interface of");
        check("set the multicast interface of", handle.multicastInterface(Objects.requireNonNull(out, "out")));
    }

    /**
     * Sets how many hops datagrams to groups may take.
     *
     * @param hops 0 (this host only) to 255; the system's default is 1 (this network only)
     * @throws IllegalArgumentException if it is out of range
     * @throws org.trueasync.InputOutputException if closed or refused by the system
     */
    public void multicastHops(int hops) {
        UdpHandle handle = core.handle("multicastHops", "set the multicast hops of");
        if (hops < 0 || hops > 255) throw new IllegalArgumentException("hops must be 0 to 255, got " + hops);
        check("set the multicast hops of", handle.multicastHops(hops));
    }

    /**
     * Sets whether datagrams to groups are also received on this host.
     *
     * @param on true to receive them, the default
     * @throws org.trueasync.InputOutputException if closed or refused by the system
     */
    public void multicastLoop(boolean on) {
        check(
                "set the multicast loop of",
                core.handle("multicastLoop", "set the multicast loop of").multicastLoop(on));
    }

    /**
     * Sets whether datagrams may be sent to broadcast addresses.
     *
     * @param on true to allow them; the default is false
     * @throws org.trueasync.InputOutputException if closed or refused by the system
     */
    public void broadcast(boolean on) {
        check(
                "set SO_BROADCAST of",
                core.handle("broadcast", "set SO_BROADCAST of").broadcast(on));
    }

    private void check(String operation, @Nullable SystemError error) {
        if (error != null) throw core.error(operation, error);
    }

    // ---- about it

    /** The address that the socket is bound to, with the real port. Any thread, also after {@link #close}. */
    public InetSocketAddress localAddress() {
        return core.localAddress();
    }

    /**
     * The only peer; null before {@link #connect}.
     *
     * @throws org.trueasync.InputOutputException if closed
     */
    public @Nullable InetSocketAddress remoteAddress() {
        return core.remoteAddress();
    }

    /** True after {@link #close} and after the end of the runtime. Any thread; another thread may see it late. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /** Closes at once; waiting coroutines get an {@link org.trueasync.InputOutputException}. Idempotent. */
    @Override
    public void close() {
        core.close();
    }

    @Override
    public String toString() {
        return core.name() + (isClosed() ? ", closed" : "");
    }
}
