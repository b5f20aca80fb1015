package org.trueasync.reactor.libuv;

/**
 * What wakes a libuv loop that waits in the system: a native handle, which also keeps {@code uv_run} waiting when no other one is open. Each ring ends one waiting turn,
 * several may end the same one.
 */
sealed interface Bell permits EventBell, AsyncBell {
    /**
     * The one for this system, not open yet.
     *
     * @param reactor its memory lives as long as the bell
     */
    static Bell of(UvReactor reactor) {
        return Platform.MAC ? new AsyncBell(reactor) : new EventBell(reactor);
    }

    /**
     * Has the loop watch it. Loop thread.
     *
     * @return negative if it failed; nothing is left open then
     */
    int open(long loop);

    /** One system call that does not block. Any thread, between {@link #open} and {@link #close}. */
    void ring();

    /** Loop thread; libuv lets it go in its next turn. */
    void close();
}
