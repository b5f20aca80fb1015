package org.trueasync.reactor.nio;

import org.trueasync.InputOutputException;

/** What all handles of a loop share: they are counted and closed once, and {@link #finished} is their last call. */
abstract class NioHandle {
    /*
     * Life: constructor (counted) -> open -> close(), once -> finished() in a later turn, or at the reactor's end: the
     * descriptor is closed, the listener is told, and the handle is not counted any more.
     */
    final NioReactor reactor;

    /** Index in the reactor's list. */
    int place;

    private boolean closed;

    NioHandle(NioReactor reactor) {
        this.reactor = reactor;
    }

    public final boolean isClosed() {
        return closed;
    }

    public void close() {
        if (closed) return;
        reactor.requireLoopThread("close");
        closed = true;
        release();
        reactor.closing(this);
    }

    /** Releases what the handle holds. Called once; must not throw. */
    abstract void release();

    /** Tells the listener that the handle is closed. The last call, in a turn after {@link #release}. */
    void finished() {}

    /** Called at the end of a turn, after {@link NioReactor#defer}, unless the handle is closed. */
    void runDeferred() {}

    /** Throws if the handle is closed; for calls that can't return an error. */
    final void requireOpen(String operation) {
        if (closed) throw new InputOutputException(operation + ": " + NioErrors.CLOSED, NioErrors.CLOSED.errno());
    }
}
