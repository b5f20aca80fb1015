package org.trueasync.reactor.libuv;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.TcpHandle;

/** A listening socket. */
final class UvListener extends UvHandle implements ListenHandle {
    /*
     * Not uv_listen: that accepts connections before anybody asks for them, and, when descriptors run out, accepts and closes all that
     * wait in the backlog, so that peers see a reset. (It also sleeps after each one, unless told not to.) Here libuv makes and binds the
     * socket, listen and accept4 are called directly, and a uv_poll tells when connections wait. So a connection stays in the backlog
     * until accept() asks for it, also while descriptors are short.
     *
     * The poll is level-triggered, but the SPI wants one report until accept() has found nothing. States:
     *
     *   1. watched, not told   a connection comes: onConnection -> 2
     *   2. watched, told       accept() finds none -> 1; another turn finds one still waiting -> 3 (else the loop would spin)
     *   3. unwatched, told     accept() finds none -> 1
     *   4. paused              accept() hit a limit, or the poll failed: unwatched, the reactor resumes it later -> 1
     *
     * Most servers take everything at once and go 1 -> 2 -> 1, which costs no system call.
     *
     * Two native handles in one block: the tcp handle, which owns the descriptor, and the poll. The poll is closed first.
     */
    private static final long POLL = UvLayouts.TCP_SIZE + 15 & -16;
    private static final long SIZE = POLL + UvLayouts.POLL_SIZE;

    private final Listener listener;
    private final int socket;
    private final InetSocketAddress local;
    private boolean watched;
    private boolean told;
    private boolean polling;
    private int nativeOpen = 1;

    UvListener(UvReactor reactor, InetSocketAddress address, Options options, Listener listener) {
        super(reactor, SIZE);
        this.listener = listener;
        int status = Uv.tcpInit(reactor.loop, this.address, SocketAddresses.family(address));
        if (status < 0) {
            discard();
            throw UvErrors.exception("listen on", address, status);
        }
        opened();
        boolean done = false;
        try {
            socket = reactor.descriptorOf(this.address);
            if (options.reusePort()) require(reactor.reusePort(socket), address);
            SocketAddresses.write(address, reactor.socketAddress);
            boolean v6Only = options.ipv6Only() && SocketAddresses.family(address) == Platform.AF_INET6;
            require(Uv.tcpBind(this.address, reactor.socketAddress, v6Only ? Uv.TCP_IPV6ONLY : 0), address);
            // libuv keeps "address in use" back until the next call, which is this one.
            InetSocketAddress bound = reactor.localAddressOrFail(this.address, address);
            require(SocketCalls.listen(reactor.errno(), socket, options.backlog()), address);
            local = bound;
            require(Uv.pollInit(reactor.loop, this.address + POLL, socket), address);
            polling = true;
            nativeOpen = 2;
            NativeMemory.setLong(this.address + POLL + UvLayouts.DATA, id);
            require(watch(), address);
            done = true;
        } finally {
            if (!done) close();
        }
    }

    private static void require(int status, InetSocketAddress address) {
        if (status < 0) throw UvErrors.exception("listen on", address, status);
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    private int watch() {
        told = false;
        if (watched) return 0;
        int status = Uv.pollStart(address + POLL, org.trueasync.spi.PollHandle.READABLE, Upcalls.POLLED);
        watched = status >= 0;
        return status;
    }

    private void unwatch() {
        if (!watched) return;
        watched = false;
        Uv.pollStop(address + POLL);
    }

    @Override
    void polled(int status, int events) {
        if (isClosed()) return;
        if (status < 0) {
            watched = false;
            reactor.pause(this);
            listener.onError(UvErrors.of(status));
        } else if (told) {
            unwatch();
        } else {
            told = true;
            listener.onConnection();
        }
    }

    @Override
    public @Nullable TcpHandle accept(StreamHandle.Listener streamListener) {
        reactor.requireLoopThread("accept");
        if (isClosed()) throw UvErrors.exception("accept on", local, UvErrors.CLOSED);
        int accepted = reactor.accept(socket);
        if (accepted >= 0)
            return UvStream.accepted(reactor, accepted, local, reactor.acceptedAddress(), streamListener);
        if (accepted == -Platform.EAGAIN) {
            if (watch() < 0) pause();
            return null;
        }
        // Whatever it was, the socket is as ready as before; watching it right away might make the loop spin.
        pause();
        throw UvErrors.exception("accept on", local, accepted);
    }

    private void pause() {
        unwatch();
        reactor.pause(this);
    }

    /** The pause is over. */
    void resume() {
        if (!isClosed() && watch() < 0) reactor.pause(this);
    }

    @Override
    void beforeClose() {
        if (polling) Uv.close(address + POLL, Upcalls.CLOSED);
    }

    @Override
    void nativeClosed() {
        if (--nativeOpen == 0) super.nativeClosed();
    }

    @Override
    public String toString() {
        return "listener on " + SocketAddresses.text(local) + (isClosed() ? ", closed" : "");
    }
}
