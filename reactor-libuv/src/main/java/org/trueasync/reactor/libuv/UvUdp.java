package org.trueasync.reactor.libuv;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;

/** A UDP socket. */
final class UvUdp extends UvHandle implements UdpHandle {
    /*
     * Not uv_udp_recv_start: that takes datagrams before a coroutine asks for them, and we would have to keep them.
     * libuv makes and binds the socket, a uv_poll reports when it is ready, and the caller receives and sends, with
     * recvfrom and sendto.
     *
     * The poll is level-triggered, but the SPI wants one report until receive() has found nothing. So if a turn finds
     * the socket readable after the report, the poll stops watching for that (else the loop would spin). A caller that
     * takes everything at once causes no further system call. Room to write is watched for only between a send() that
     * found none and the report.
     *
     * Two native handles in one block: the udp handle, which owns the descriptor, and the poll. The poll is closed
     * first.
     */
    private static final long POLL = UvLayouts.UDP_SIZE + 15 & -16;

    private static final long SIZE = POLL + UvLayouts.POLL_SIZE;

    private final Listener listener;
    private final int family;
    private final int socket;
    private final InetSocketAddress local;
    private @Nullable InetSocketAddress remote;
    private int watched;
    private boolean reported = true;
    private boolean wantsRoom;
    private boolean polling;
    private int nativeOpen = 1;

    UvUdp(UvReactor reactor, InetSocketAddress wanted, Options options, Listener listener) {
        super(reactor, SIZE);
        this.listener = listener;
        this.family = SocketAddresses.family(wanted);
        int status = Uv.udpInit(reactor.loop, address, family);
        if (status < 0) {
            discard();
            throw UvErrors.exception("bind udp socket", wanted, status);
        }
        opened();
        try {
            socket = require(reactor.descriptorOf(address), wanted);
            SocketAddresses.write(wanted, reactor.socketAddress);
            int flags = options.reuseAddress() ? Uv.UDP_REUSEADDR : 0;
            if (options.ipv6Only() && family == Platform.AF_INET6) flags |= Uv.UDP_IPV6ONLY;
            require(Uv.udpBind(address, reactor.socketAddress, flags), wanted);
            local = reactor.udpAddressOrFail(address, wanted);
            require(Uv.pollInit(reactor.loop, address + POLL, socket), wanted);
            polling = true;
            nativeOpen = 2;
            NativeMemory.setLong(address + POLL + UvLayouts.DATA, id);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private static int require(int status, InetSocketAddress wanted) {
        if (status < 0) throw UvErrors.exception("bind udp socket", wanted, status);
        return status;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return remote;
    }

    // ---- readiness

    /** Sets the events for which the poll watches. */
    private void watch(int interest) {
        int status = tryWatch(interest);
        if (status < 0) throw UvErrors.exception("watch", name(), status);
    }

    private int tryWatch(int interest) {
        if (interest == watched) return 0;
        int status =
                interest == 0 ? Uv.pollStop(address + POLL) : Uv.pollStart(address + POLL, interest, Upcalls.POLLED);
        watched = status < 0 ? 0 : interest;
        return status;
    }

    @Override
    void polled(int status, int events) {
        if (isClosed()) return;
        boolean readable;
        boolean writable;
        if (status < 0) {
            // there is an error, and libuv has stopped watching: receiving or sending throws it
            watched = 0;
            readable = !reported;
            writable = wantsRoom;
        } else {
            readable = (events & PollHandle.READABLE) != 0 && !reported;
            writable = (events & PollHandle.WRITABLE) != 0 && wantsRoom;
        }
        int wanted = wantsRoom && !writable ? PollHandle.WRITABLE : 0;
        // watches on after the first report, as the next receive() probably asks for that again
        if ((readable && status >= 0) || !(reported || readable)) wanted |= PollHandle.READABLE;
        if (tryWatch(wanted) < 0) {
            // whoever waits tries again, and then gets the error if there still is one
            readable = !reported;
            writable = wantsRoom;
        }
        reported |= readable;
        wantsRoom &= !writable;
        if (readable) listener.onReadable();
        if (writable && !isClosed()) listener.onWritable();
    }

    // ---- datagrams

    @Override
    public @Nullable Received receive(ByteBuffer into) {
        requireOpen("receive on " + name());
        assert reactor.isLoopThread() : "udp socket used off its loop thread";
        int length = reactor.datagrams().receive(socket, into);
        if (length == -Platform.EAGAIN) {
            reported = false;
            watch(watched | PollHandle.READABLE);
            return null;
        }
        if (length < 0) throw UvErrors.exception("receive on", name(), length);
        InetSocketAddress from = reactor.datagrams().sender();
        return new Received(from != null ? from : Objects.requireNonNullElse(remote, local), length);
    }

    @Override
    public boolean send(ByteBuffer datagram, @Nullable InetSocketAddress to) {
        requireOpen("send from " + name());
        assert reactor.isLoopThread() : "udp socket used off its loop thread";
        int status = reactor.datagrams().send(socket, family, datagram, to);
        if (status >= 0) return true;
        if (status != -Platform.EAGAIN && status != -Platform.ENOBUFS)
            throw UvErrors.exception(
                    "send " + datagram.remaining() + " bytes from " + name() + " to",
                    SocketAddresses.text(to == null ? remote : to),
                    status);
        wantsRoom = true;
        watch(watched | PollHandle.WRITABLE);
        return false;
    }

    @Override
    public @Nullable SystemError connect(InetSocketAddress peer) {
        SocketAddresses.requireResolved(peer);
        reactor.requireLoopThread("connect");
        if (isClosed()) return UvErrors.CLOSED;
        int status = reactor.datagrams().connect(socket, family, peer);
        if (status < 0) return UvErrors.of(status);
        remote = peer;
        return null;
    }

    // ---- groups and options

    @Override
    public @Nullable SystemError join(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        return membership(true, group, on, source);
    }

    @Override
    public @Nullable SystemError leave(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        return membership(false, group, on, source);
    }

    private @Nullable SystemError membership(
            boolean join, InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        reactor.requireLoopThread(join ? "join" : "leave");
        if (isClosed()) return UvErrors.CLOSED;
        int number = on == null ? 0 : on.getIndex();
        return UvErrors.orNull(reactor.datagrams().membership(socket, join, group, number, source));
    }

    @Override
    public @Nullable SystemError multicastInterface(NetworkInterface out) {
        reactor.requireLoopThread("multicastInterface");
        if (isClosed()) return UvErrors.CLOSED;
        Datagrams datagrams = reactor.datagrams();
        if (family == Platform.AF_INET6) {
            int status = datagrams.option(socket, Platform.IPPROTO_IPV6, Platform.IPV6_MULTICAST_IF, out.getIndex());
            if (status < 0) return UvErrors.of(status);
        }
        return ofBoth(datagrams.multicastInterface4(socket, out.getIndex()));
    }

    @Override
    public @Nullable SystemError multicastHops(int hops) {
        return multicast("multicastHops", Platform.IP_MULTICAST_TTL, Platform.IPV6_MULTICAST_HOPS, hops);
    }

    @Override
    public @Nullable SystemError multicastLoop(boolean on) {
        return multicast("multicastLoop", Platform.IP_MULTICAST_LOOP, Platform.IPV6_MULTICAST_LOOP, on ? 1 : 0);
    }

    private @Nullable SystemError multicast(String call, int option4, int option6, int value) {
        reactor.requireLoopThread(call);
        if (isClosed()) return UvErrors.CLOSED;
        Datagrams datagrams = reactor.datagrams();
        if (family == Platform.AF_INET6) {
            int status = datagrams.option(socket, Platform.IPPROTO_IPV6, option6, value);
            if (status < 0) return UvErrors.of(status);
        }
        return ofBoth(datagrams.option(socket, Platform.IPPROTO_IP, option4, value));
    }

    /**
     * Returns the error of an option for IPv4. An IPv6 socket may reach IPv4 groups too, so it gets both options; if
     * the one for IPv4 fails, that is ignored.
     */
    private @Nullable SystemError ofBoth(int status4) {
        return family == Platform.AF_INET6 ? null : UvErrors.orNull(status4);
    }

    @Override
    public @Nullable SystemError broadcast(boolean on) {
        reactor.requireLoopThread("broadcast");
        if (isClosed()) return UvErrors.CLOSED;
        return UvErrors.orNull(
                reactor.datagrams().option(socket, Platform.SOL_SOCKET, Platform.SO_BROADCAST, on ? 1 : 0));
    }

    // ---- end

    @Override
    void beforeClose() {
        if (polling) Uv.close(address + POLL, Upcalls.CLOSED);
    }

    @Override
    void nativeClosed() {
        if (--nativeOpen > 0) return;
        super.nativeClosed();
        if (polling) listener.onClosed();
    }

    private String name() {
        return "udp socket " + SocketAddresses.text(local);
    }

    @Override
    public String toString() {
        return name() + (isClosed() ? ", closed" : "");
    }
}
