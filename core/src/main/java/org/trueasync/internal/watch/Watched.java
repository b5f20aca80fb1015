package org.trueasync.internal.watch;

/** What a watcher looks at. */
interface Watched {
    /** Begins to look; may suspend. */
    void begin();

    /** Looks no more. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. */
    boolean isClosed();
}
