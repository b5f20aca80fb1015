package org.trueasync.internal.error;

import java.time.Duration;

/** Lengths of time in the messages of errors. */
public final class Lengths {
    private Lengths() {}

    /** Returns a length in milliseconds, from 1,000,000 s on as {@link Duration#toString} does. */
    public static String shown(Duration length) {
        return length.toSeconds() < 1_000_000 ? length.toMillis() + " ms" : length.toString();
    }
}
