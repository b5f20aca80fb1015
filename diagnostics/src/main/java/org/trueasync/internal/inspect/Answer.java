package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;

/** Answers one question about this process, on a thread of its own. */
@FunctionalInterface
interface Answer {
    /**
     * Writes the answer, in whole lines.
     *
     * @throws IOException if whoever has asked is gone
     * @throws InterruptedException if the answer is not wanted any more
     */
    void write(Writer out) throws IOException, InterruptedException;
}
