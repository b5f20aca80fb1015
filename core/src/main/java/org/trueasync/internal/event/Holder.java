package org.trueasync.internal.event;

import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;

/**
 * A coroutine, as what it holds refers to it: one object for all mutexes and permits of a coroutine. A search for stuck
 * coroutines empties it for a moment: that something knows its holder can't end the holder's wait.
 */
public final class Holder {
    /** Null only during a search, and afterwards while the coroutine is not yet back from it. */
    public @Nullable Coroutine<?> coroutine;

    public Holder(Coroutine<?> coroutine) {
        this.coroutine = coroutine;
    }
}
