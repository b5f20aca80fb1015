package org.trueasync.spi;

/**
 * A watched descriptor; who shares it is the business of those above. Handle and descriptor may be closed in either order: a reactor that would
 * be harmed by a descriptor that its owner closes watches a duplicate, which costs one descriptor more.
 *
 * <p>Loop thread only.
 */
public interface PollHandle {
    /** Interest and readiness: there is something to read, or the end of it. */
    int READABLE = 1;

    /** Interest and readiness: there is room to write. */
    int WRITABLE = 2;

    /** Readiness only: the peer has gone. */
    int DISCONNECT = 4;

    /**
     * Sets what is watched; replaces what was watched before. Level-triggered: what is ready is reported each turn until it is not, or is not
     * watched.
     *
     * @param interest {@link #READABLE}, {@link #WRITABLE}, both, or 0 to watch nothing
     * @throws org.trueasync.PollException if the system refuses
     */
    void watch(int interest);

    /** Stops watching for good; the descriptor itself stays open. Idempotent. */
    void close();

    /** Told what is ready. Called on the loop thread. */
    interface Listener {
        /**
         * Something that is watched is ready.
         *
         * @param ready a mask of {@link #READABLE}, {@link #WRITABLE} and {@link #DISCONNECT}
         */
        void onReady(int ready);

        /**
         * The descriptor can't be watched any more; every waiter must know.
         *
         * @param error why
         */
        void onError(SystemError error);
    }
}
