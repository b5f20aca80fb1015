package org.trueasync.spi;

import org.jspecify.annotations.Nullable;
import org.trueasync.CompositeException;

/**
 * Combines errors that were thrown one after the other. Allocates nothing for a single error, and never throws. The
 * later error is lost only if memory is missing, or if the first one is an error of the JVM that refuses suppressed
 * errors.
 */
final class Errors {
    private Errors() {}

    /**
     * Returns the first error with the next one as suppressed; if it refuses suppressed errors, a
     * {@link CompositeException} of both.
     *
     * @param first null if there is none so far
     * @param next the later error; may be the same object
     */
    static Throwable combine(@Nullable Throwable first, Throwable next) {
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
            return first; // the first error matters most
        }
    }

    private static boolean carries(Throwable error, Throwable other) {
        for (Throwable suppressed : error.getSuppressed()) if (suppressed == other) return true;
        return false;
    }
}
