package org.trueasync.io;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.io.Terminals;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TerminalHandle;

/**
 * The terminal that the process was started on. Reading a key and writing to a terminal that is stopped suspend only the calling coroutine. What
 * has been typed and not read belongs to whoever reads next, {@code System.in} included; so read in one way only.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="tty" :
 * try (var keys = Tty.stdin()) {
 *     keys.raw(true);
 *     keys.read(key);
 * }
 * }
 *
 * <p>Loop thread only.
 */
public final class Tty extends CoreStream<StreamCore> {
    /** What those wait for who wait for another size. */
    private final List<Completable<Signal>> resizes = new ArrayList<>(1);

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
     * Waits until the size is another one than that; returns at once if it is one already, so that no change is missed. Uses {@code SIGWINCH}, see
     * {@link Signals}.
     *
     * @param known as {@link #size} told it
     * @return the new size; where the system tells none, null at the next signal
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if closed meanwhile
     */
    public TerminalHandle.@Nullable Size awaitResize(TerminalHandle.@Nullable Size known) {
        return otherSize(known, null);
    }

    /**
     * As {@link #awaitResize(org.trueasync.spi.TerminalHandle.Size)}; gives up when the token ends.
     *
     * @param known as {@link #size} told it
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public TerminalHandle.@Nullable Size awaitResize(TerminalHandle.@Nullable Size known, Completable<?> cancellation) {
        return otherSize(known, required(cancellation));
    }

    private TerminalHandle.@Nullable Size otherSize(
            TerminalHandle.@Nullable Size known, @Nullable Completable<?> token) {
        Awaiting.markUsed(token);
        while (true) {
            // first the signal, then the look: what happens in between is noticed
            Completable<Signal> resize = Signals.next(Signal.SIGWINCH);
            resizes.add(resize);
            try {
                TerminalHandle.Size now = size();
                if (!Objects.equals(now, known)) return now;
                awaitSignal(resize, token);
                if (now == null) return null;
            } finally {
                resizes.remove(resize);
                resize.cancel();
            }
        }
    }

    private void awaitSignal(Completable<Signal> resize, @Nullable Completable<?> token) {
        try {
            Awaiting.one(resize, token);
        } catch (AsyncCancellation e) {
            if (!isClosed()) throw e;
            // it was close() that cancelled it
            throw new InputOutputException(core.peer() + " was closed while waiting on it", "", e);
        }
    }

    @Override
    public void close() {
        super.close();
        for (Completable<Signal> resize : List.copyOf(resizes)) resize.cancel();
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
