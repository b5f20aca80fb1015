package org.trueasync.reactor.nio;

import org.trueasync.InputOutputException;

/** What all handles of a loop share: they are counted, closed once, and have an end. */
abstract class NioHandle {
    /*
     * Life: constructor (counted) -> open -> close(), once -> finished() in a later turn: what the system held has been given back, the listener
     * hears of it, not counted any more.
     */
    final NioReactor reactor;

    /** Where it is in the reactor's list. */
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

    /** Gives back what the handle holds; called once. Nothing may be thrown. */
    abstract void release();

    /** The last call, in a turn after {@link #release}: tells the listener. */
    void finished() {}

    /** At the end of a turn, after {@link NioReactor#defer}. Not called once the handle is closed. */
    void runDeferred() {}

    /** Refuses a call that has no way to return an error. */
    final void requireOpen(String operation) {
        if (closed) throw new InputOutputException(operation + ": " + NioErrors.CLOSED, NioErrors.CLOSED.errno());
    }
}
