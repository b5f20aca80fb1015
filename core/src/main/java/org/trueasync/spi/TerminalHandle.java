package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/**
 * A terminal, as a stream with a size and a mode. Closing it restores the terminal's original mode and leaves the
 * descriptor open.
 *
 * <p>Loop thread only.
 */
public interface TerminalHandle extends StreamHandle {
    /**
     * Sets the mode. In raw mode each key arrives at once and is not echoed; otherwise the system edits lines first.
     *
     * @param raw true for raw mode
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError setRaw(boolean raw);

    /** The terminal's size now; null if the system does not know it. */
    @Nullable
    Size size();

    /**
     * The size of a terminal.
     *
     * @param columns characters in a line, >= 0
     * @param rows lines, >= 0
     */
    record Size(int columns, int rows) {}
}
