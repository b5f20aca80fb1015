package org.trueasync.internal.streams;

import java.io.BufferedInputStream;
import java.io.InputStream;

/**
 * Replacement of {@code System.in}: buffered as the JDK's own stream is, so marks and reads of single bytes work as
 * there. It stays installed after the run; other threads read through it as before.
 */
final class StandardInput extends BufferedInputStream {
    private StandardInput(InputStream real) {
        super(new HelpedInput(real, "standard input", () -> false));
    }

    /** Replaces {@code System.in}, unless it is replaced already. */
    static synchronized void install() {
        InputStream now = System.in;
        if (now != null && !(now instanceof StandardInput)) System.setIn(new StandardInput(now));
    }
}
