package org.trueasync.reactor.libuv;

/**
 * Wakes a libuv loop that waits in the system. It is a native handle, which also keeps {@code uv_run} waiting when no
 * other one is open. Each ring ends a waiting turn; several may end the same one.
 */
sealed interface Bell permits EventBell, AsyncBell {
    /**
     * Returns the bell for this system, not open yet.
     *
     * @param reactor allocates the bell's native handle
     */
    static Bell of(UvReactor reactor) {
        return Platform.MAC ? new AsyncBell(reactor) : new EventBell(reactor);
    }

    /**
     * Makes the loop watch the bell. Loop thread.
     *
     * @return negative if it failed; nothing is left open then
     */
    int open(long loop);

    /** Rings, with one system call that does not block. Any thread, between {@link #open} and {@link #close}. */
    void ring();

    /** Closes the bell; libuv releases it in its next turn. Loop thread. */
    void close();
}
