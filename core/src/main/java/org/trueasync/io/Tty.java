package org.trueasync.io;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.io.Terminals;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TerminalHandle;

/**
 * The terminal that the process was started on. Reading a key and writing to a terminal that is stopped suspend only the calling coroutine. What
 * has been typed and not read belongs to whoever reads next, {@code System.in} included; so read in one way only.
 *
 * <pre>{@code
 * try (var keys = Tty.stdin()) {
 *     keys.raw(true);
 *     keys.read(key);
 * }
 * }</pre>
 */
public final class Tty extends CoreStream {
    private Tty(StreamCore core) {
        super(core);
    }

    /**
     * Standard input.
     *
     * @throws org.trueasync.InputOutputException {@code ENOTTY} if it is no terminal but a file or a pipe; ask {@link #isTerminal} first
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static Tty stdin() {
        return new Tty(Terminals.open(0, "Tty.stdin"));
    }

    /**
     * Standard output.
     *
     * @throws org.trueasync.InputOutputException {@code ENOTTY} if it is no terminal but a file or a pipe; ask {@link #isTerminal} first
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static Tty stdout() {
        return new Tty(Terminals.open(1, "Tty.stdout"));
    }

    /**
     * Standard error.
     *
     * @throws org.trueasync.InputOutputException {@code ENOTTY} if it is no terminal but a file or a pipe; ask {@link #isTerminal} first
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static Tty stderr() {
        return new Tty(Terminals.open(2, "Tty.stderr"));
    }

    /**
     * Whether one of the process's standard streams is a terminal.
     *
     * @param descriptor 0: input, 1: output, 2: error
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static boolean isTerminal(int descriptor) {
        return Terminals.isTerminal(descriptor);
    }

    /**
     * How much fits on it now.
     *
     * @return null if the system does not tell; so always on the reactor 'nio'
     */
    public TerminalHandle.@Nullable Size size() {
        return terminal("size", "ask for the size of").size();
    }

    /**
     * Sets whether each key arrives at once and is not shown (raw), or lines are edited by the system first. In raw mode Ctrl-C is a byte like others
     * (3) and no signal. The first mode comes back when this object is closed, and when the JVM ends otherwise than by being killed.
     *
     * @param on true for raw mode
     * @throws org.trueasync.InputOutputException if the system refuses; on the reactor 'nio' raw mode always is
     */
    public void raw(boolean on) {
        SystemError refused = terminal("raw", "set the mode of").setRaw(on);
        if (refused != null) throw core.error("set the mode of", refused);
    }

    private TerminalHandle terminal(String call, String operation) {
        return (TerminalHandle) core.handle(call, operation);
    }

    @Override
    public String toString() {
        return core.peer() + (isClosed() ? ", closed" : "");
    }
}
