package org.trueasync.spi;

/**
 * A watched descriptor, with one watch for all its waiters. Handle and descriptor may be closed in either order. The
 * reactor watches a duplicate if it would be harmed when the owner closes the descriptor first. That costs one more
 * descriptor.
 *
 * <p>Loop thread only.
 */
public interface PollHandle {
    /** Interest and readiness: there is something to read, or the end of the stream. */
    int READABLE = 1;

    /** Interest and readiness: there is room to write. */
    int WRITABLE = 2;

    /** Readiness only: the peer has disconnected. */
    int DISCONNECT = 4;

    /**
     * Sets what is watched; replaces what was watched before. Level-triggered: readiness is reported in each turn until
     * it is gone or not watched any more. That holds for a disconnected peer and for a pending error too.
     *
     * @param interest {@link #READABLE}, {@link #WRITABLE}, both, or 0 to watch nothing
     * @throws org.trueasync.PollException if the system refuses, or the handle is closed
     * @throws IllegalArgumentException if the interest is something else
     */
    void watch(int interest);

    /** Stops watching for good; the descriptor itself stays open. Idempotent. */
    void close();

    /** Receives readiness. Called on the loop thread. */
    interface Listener {
        /**
         * Called when something that is watched is ready.
         *
         * @param ready a mask of {@link #READABLE}, {@link #WRITABLE} and {@link #DISCONNECT}
         */
        void onReady(int ready);

        /**
         * Called when the descriptor can't be watched any more; every waiter must get the error.
         *
         * @param error why
         */
        void onError(SystemError error);
    }
}
