package org.trueasync.internal.streams;

import java.io.BufferedInputStream;
import java.io.InputStream;

/**
 * What stands in for {@code System.in}: buffered as the JDK's own is, so that marks and reads of single bytes are what they were. It stays there after
 * the run; other threads read through it as before.
 */
final class StandardInput extends BufferedInputStream {
    private StandardInput(InputStream real) {
        super(new HelpedInput(real, "standard input", () -> false));
    }

    /** Again if somebody has replaced {@code System.in} since. */
    static synchronized void install() {
        InputStream now = System.in;
        if (now != null && !(now instanceof StandardInput)) System.setIn(new StandardInput(now));
    }
}
