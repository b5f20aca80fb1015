package org.trueasync.internal.bridge;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A run, as seen by the objects that were made in it: it says which threads may use them. */
public interface Owner {
    /**
     * Fails unless called on the loop thread, or when the run has ended and nothing changes any more.
     *
     * @param call for the message
     */
    void requireLoopThreadOrEnd(String call);

    /** Returns the run on the calling thread; null if there is none. */
    static @Nullable Owner here() {
        Supplier<? extends @Nullable Owner> finder = Finder.installed;
        return finder == null ? null : finder.get();
    }

    /**
     * Installs the finder. Called once, when the kernel is initialised; before that nothing runs.
     *
     * @param finder finds the run on the calling thread
     */
    static void install(Supplier<? extends @Nullable Owner> finder) {
        Finder.installed = finder;
    }

    /** Holds the finder that {@link #here} asks. */
    final class Finder {
        private static volatile @Nullable Supplier<? extends @Nullable Owner> installed;

        private Finder() {}
    }
}
