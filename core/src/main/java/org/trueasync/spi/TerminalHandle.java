package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/**
 * A terminal, as a stream with a size and a mode. Closing it leaves the descriptor that it was made of open, and the terminal in its first mode.
 *
 * <p>Loop thread only.
 */
public interface TerminalHandle extends StreamHandle {
    /**
     * Sets whether each key arrives at once and unseen (raw), or lines are edited by the system first.
     *
     * @param raw true for raw mode
     * @return null, or why it can't
     */
    @Nullable
    SystemError setRaw(boolean raw);

    /** Columns and rows now; null if the system can't tell. */
    @Nullable
    Size size();

    /**
     * How much fits on a terminal.
     *
     * @param columns characters in a line, >= 0
     * @param rows lines, >= 0
     */
    record Size(int columns, int rows) {}
}
