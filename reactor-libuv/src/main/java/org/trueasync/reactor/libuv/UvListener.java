package org.trueasync.reactor.libuv;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.AbstractReactor;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.StreamHandle;

/** A listening socket; base of those of TCP ({@link UvTcpListener}) and of Unix ({@link UvPipeListener}). */
abstract class UvListener extends UvHandle implements ListenHandle, AbstractReactor.Resting {
    /*
     * Not uv_listen: that accepts connections before accept() asks for them, and, when descriptors run out, accepts and
     * closes all that wait in the backlog, so that peers see a reset. (It also sleeps after each one, unless told not
     * to.) Here the bound socket belongs to a handle of libuv, listen and accept4 are called directly, and a uv_poll
     * reports waiting connections. So a connection stays in the backlog until accept() asks for it, also while
     * descriptors are short.
     *
     * The poll is level-triggered, but the SPI wants one report until accept() has found nothing. States:
     *
     *   1. watched, not reported   a connection comes: onConnection -> 2
     *   2. watched, reported       accept() finds none -> 1; another turn still finds one -> 3 (or the loop would spin)
     *   3. unwatched, reported     accept() finds none -> 1
     *   4. resting                 accept() or the poll failed: unwatched, the reactor resumes it later -> 1
     *
     * Most servers take all connections at once and go 1 -> 2 -> 1, which costs no system call.
     *
     * Two native handles in one block: the one that owns the descriptor, and the poll. The poll is closed first.
     */
    private final long poll;
    private final Listener listener;
    /** The address or path, for messages. */
    private String name;

    private int socket = -1;
    private boolean watched;
    private boolean reported;
    private boolean polling;
    private int nativeOpen = 1;

    /**
     * Makes a listener whose owning handle has to be initialised.
     *
     * @param ownerSize size of the handle that will own the descriptor
     */
    UvListener(UvReactor reactor, long ownerSize, String name, Listener listener) {
        super(reactor, pollOffset(ownerSize) + UvLayouts.POLL_SIZE);
        this.poll = address + pollOffset(ownerSize);
        this.name = name;
        this.listener = listener;
    }

    private static long pollOffset(long ownerSize) {
        return ownerSize + 15 & -16;
    }

    /**
     * Listens on a bound socket, which the owning handle will close.
     *
     * @param where its address or path, for messages
     */
    final void begin(int bound, String where, Options options) {
        socket = bound;
        name = where;
        require(SocketCalls.listen(reactor.errno(), socket, options.backlog()));
        require(Uv.pollInit(reactor.loop, poll, socket));
        polling = true;
        nativeOpen = 2;
        NativeMemory.setLong(poll + UvLayouts.DATA, id);
        require(watch());
    }

    final int require(int status) {
        if (status < 0) throw UvErrors.exception("listen on", name, status);
        return status;
    }

    /**
     * Returns a stream on a connection that was accepted.
     *
     * @param connection descriptor, which the stream takes over
     */
    abstract StreamHandle stream(int connection, StreamHandle.Listener streamListener);

    private int watch() {
        reported = false;
        if (watched) return 0;
        int status = Uv.pollStart(poll, PollHandle.READABLE, Upcalls.POLLED);
        watched = status >= 0;
        return status;
    }

    private void unwatch() {
        if (!watched) return;
        watched = false;
        Uv.pollStop(poll);
    }

    @Override
    void polled(int status, int events) {
        if (isClosed()) return;
        if (status < 0) {
            watched = false;
            reactor.rest(this);
            listener.onError(UvErrors.of(status));
        } else if (reported) {
            unwatch();
        } else {
            reported = true;
            listener.onConnection();
        }
    }

    @Override
    public @Nullable StreamHandle accept(StreamHandle.Listener streamListener) {
        reactor.requireLoopThread("accept");
        if (isClosed()) throw UvErrors.exception("accept on", name, UvErrors.CLOSED);
        int accepted = reactor.accept(socket);
        if (accepted == -Platform.EAGAIN) {
            if (watch() < 0) rest();
            return null;
        }
        boolean done = false;
        try {
            if (accepted < 0) throw UvErrors.exception("accept on", name, accepted);
            StreamHandle made = stream(accepted, streamListener);
            done = true;
            return made;
        } catch (OutOfMemoryError full) {
            throw UvErrors.exception("accept on", name, -Platform.ENOMEM);
        } finally {
            // After any error the socket may be as ready as before; to watch it at once might make the loop spin.
            if (!done) rest();
        }
    }

    private void rest() {
        unwatch();
        reactor.rest(this);
    }

    @Override
    public final void resume() {
        if (!isClosed() && watch() < 0) reactor.rest(this);
    }

    @Override
    void beforeClose() {
        if (polling) Uv.close(poll, Upcalls.CLOSED);
    }

    @Override
    void nativeClosed() {
        if (--nativeOpen == 0) super.nativeClosed();
    }

    @Override
    public String toString() {
        return "listener on " + name + (isClosed() ? ", closed" : "");
    }
}
