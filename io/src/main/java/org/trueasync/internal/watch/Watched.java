package org.trueasync.internal.watch;

/** What a watcher watches: a file or a tree of folders. */
interface Watched {
    /** Begins to watch; may suspend. */
    void begin();

    /** Stops watching. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. */
    boolean isClosed();
}
