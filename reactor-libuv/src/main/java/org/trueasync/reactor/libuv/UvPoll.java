package org.trueasync.reactor.libuv;

import org.trueasync.PollException;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.SystemError;

/** A watched descriptor: {@code uv_poll_t}, whose event masks have the values of {@link PollHandle}. */
final class UvPoll extends UvHandle implements PollHandle {
    /*
     * libuv aborts the process when epoll refuses a descriptor, which epoll does if the owner has closed it; and if the
     * number is used again, libuv confuses the old watcher and the new one. We can't know what the owner does. So we
     * watch a duplicate, which is ours: it stays valid until the native handle is closed. The price is one descriptor
     * for each poll, and that a connection ends only when both its owner and this handle have closed their descriptors.
     */
    private final int descriptor;
    private final int duplicate;
    private final Listener listener;
    private int interest;

    private UvPoll(UvReactor reactor, int descriptor, int duplicate, Listener listener) {
        this.descriptor = descriptor;
        this.duplicate = duplicate;
        this.listener = listener;
        super(reactor, UvLayouts.POLL_SIZE);
    }

    static UvPoll open(UvReactor reactor, int descriptor, Listener listener) {
        int duplicate = SocketCalls.duplicate(reactor.errno(), descriptor);
        if (duplicate < 0) throw refused(descriptor, duplicate);
        UvPoll poll;
        try {
            poll = new UvPoll(reactor, descriptor, duplicate, listener);
        } catch (OutOfMemoryError full) {
            Libc.close(duplicate);
            throw full;
        }
        int status = Uv.pollInit(reactor.loop, poll.address, duplicate);
        if (status < 0) {
            poll.discard();
            Libc.close(duplicate);
            throw refused(descriptor, status);
        }
        poll.opened();
        return poll;
    }

    private static PollException refused(int descriptor, int status) {
        SystemError error = UvErrors.of(status);
        return new PollException(
                "poll of descriptor " + descriptor + ": " + error + UvErrors.hint(error), error.errno());
    }

    @Override
    public void watch(int wanted) {
        if ((wanted & ~(READABLE | WRITABLE)) != 0)
            throw new IllegalArgumentException("interest must be made of READABLE and WRITABLE, got " + wanted);
        if (isClosed())
            throw new PollException(
                    "poll of descriptor " + descriptor + ": " + UvErrors.CLOSED, UvErrors.CLOSED.errno());
        assert reactor.isLoopThread() : "poll used off its loop thread";
        if (wanted == interest) return;
        int status = wanted == 0 ? Uv.pollStop(address) : start(wanted);
        if (status < 0) throw refused(descriptor, status);
        interest = wanted;
    }

    private int start(int wanted) {
        return Uv.pollStart(address, wanted | DISCONNECT, Upcalls.POLLED);
    }

    /** libuv has stopped watching. */
    private void failed(int status) {
        interest = 0;
        listener.onError(UvErrors.of(status));
    }

    @Override
    void polled(int status, int events) {
        if (isClosed()) return;
        if (status == -Platform.EBADF) {
            // So libuv reports a pending error (POLLERR): the duplicate is ours and open. The owner gets the error when
            // it reads or writes. libuv has stopped watching; readiness is reported until nobody watches any more.
            int restarted = start(interest);
            if (restarted < 0) failed(restarted);
            else listener.onReady(READABLE | WRITABLE | DISCONNECT);
        } else if (status < 0) {
            failed(status);
        } else {
            listener.onReady(events & (READABLE | WRITABLE | DISCONNECT));
        }
    }

    @Override
    public void close() {
        if (isClosed()) return;
        super.close();
        Libc.close(duplicate); // uv_close has taken it out of epoll already
    }

    @Override
    public String toString() {
        return "poll of descriptor " + descriptor + (isClosed() ? ", closed" : "");
    }
}
