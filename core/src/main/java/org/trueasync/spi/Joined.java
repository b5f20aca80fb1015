package org.trueasync.spi;

import org.jspecify.annotations.Nullable;
import org.trueasync.CompositeException;

/** Puts errors together that were thrown one after the other, so that none is lost. Takes memory only for the second one, and never throws. */
final class Joined {
    private Joined() {}

    /**
     * The first error with the next one as suppressed; one around both if it refuses to carry others.
     *
     * @param first null if there is none so far
     * @param next may be the same
     */
    static Throwable errors(@Nullable Throwable first, Throwable next) {
        if (first == null || first == next) return next;
        try {
            if (carries(first, next)) return first;
            first.addSuppressed(next);
            if (carries(first, next) || first instanceof VirtualMachineError) return first;
            var both = new CompositeException();
            both.add(first);
            both.add(next);
            return both;
        } catch (Throwable noMemory) {
            return first; // it is what matters
        }
    }

    private static boolean carries(Throwable error, Throwable other) {
        for (Throwable suppressed : error.getSuppressed()) if (suppressed == other) return true;
        return false;
    }
}
