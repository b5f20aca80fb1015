package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/** A watched folder; sub-folders are not watched. Loop thread only. */
public interface WatchHandle {
    /** Stops watching. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /**
     * A change in the folder.
     *
     * @param name the entry's name, see {@link Listener#onChange}; null also after an overflow, when anything may have
     *     changed
     * @param renamed true if the entry was created, deleted or renamed
     * @param changed true if the entry's content or attributes have changed
     */
    record Change(@Nullable String name, boolean renamed, boolean changed) {}

    /** Receives the changes. Called on the loop thread. */
    interface Listener {
        /**
         * Called when something has changed.
         *
         * @param name the entry's name within the folder; null if the system does not name it, or for the folder
         *     itself. If the folder itself is reported as renamed, it was deleted or moved away, and nothing more may
         *     be reported
         * @param renamed true if the entry was created, deleted or renamed
         * @param changed true if the entry's content or attributes have changed
         */
        void onChange(@Nullable String name, boolean renamed, boolean changed);

        /**
         * Called when the system has lost changes, because its queue was full: anything may have changed. Watching goes
         * on.
         */
        void onOverflow();

        /**
         * Called when watching has failed; no more changes will be reported.
         *
         * @param error the system's error
         */
        void onError(SystemError error);
    }
}
