package org.trueasync;

import java.util.Objects;
import org.trueasync.internal.run.CapturingOut;

/**
 * Captures what one coroutine prints to {@link System#out}, however often it is suspended meanwhile.
 *
 * <p>Loop thread only.
 */
public final class Output {
    private Output() {}

    /**
     * Runs a body and returns what it printed to {@link System#out} instead of printing it. Captures nest. The output
     * of other coroutines and threads goes where it always goes, also that of coroutines that the body spawns. If the
     * body throws, what it printed is lost.
     *
     * @param body what prints
     * @return the text, in the charset of {@code System.out}
     * @throws X what the body throws, unchanged
     * @throws AsyncException outside a coroutine
     */
    public static <X extends Throwable> String capture(VoidSection<X> body) throws X {
        return CapturingOut.capture(Objects.requireNonNull(body, "body"));
    }
}
