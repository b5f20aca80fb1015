package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/** A watched folder; sub-folders are not watched. Loop thread only. */
public interface WatchHandle {
    /** Stops watching. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /**
     * Something has changed.
     *
     * @param name the entry's, see {@link Listener#onChange}; null also for "more than was told: look for yourself"
     * @param renamed it has come, gone or changed its name
     * @param changed its content or attributes have changed
     */
    record Change(@Nullable String name, boolean renamed, boolean changed) {}

    /** Told what has changed. Called on the loop thread. */
    interface Listener {
        /**
         * Something has changed.
         *
         * @param name the entry's name within the folder; null if the system does not say, or if it is the folder itself: one that is renamed then has
         *     been deleted or moved away, and nothing more may be told
         * @param renamed it has come, gone or changed its name
         * @param changed its content or attributes have changed
         */
        void onChange(@Nullable String name, boolean renamed, boolean changed);

        /** The system had more to tell than it could keep: look for yourself. Watching goes on. */
        void onOverflow();

        /**
         * Nothing more will be told.
         *
         * @param error why
         */
        void onError(SystemError error);
    }
}
