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
 * The terminal that the process was started on. Reading a key, and writing to a stopped terminal, suspend only the
 * calling coroutine. Typed bytes go to the next reader of the terminal, which may be {@code System.in}; so read in one
 * way only.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="tty" :
 * try (var keys = Tty.stdin()) {
 *     keys.raw(true);
 *     keys.read(key);
 * }
 * }
 *
 * <p>Loop thread only, except {@code isClosed}.
 */
public final class Tty extends CoreStream<StreamCore> {
    /** The waits for SIGWINCH of the coroutines in {@link #awaitResize}. */
    private final List<Completable<Signal>> resizes = new ArrayList<>(1);

    private Tty(StreamCore core) {
        super(core);
    }

    /**
     * Opens standard input.
     *
     * @throws org.trueasync.InputOutputException {@code ENOTTY} if it is not a terminal but a file or a pipe; check
     *     {@link #isTerminal} first
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static Tty stdin() {
        return new Tty(Terminals.open(0, "Tty.stdin"));
    }

    /**
     * Opens standard output.
     *
     * @throws org.trueasync.InputOutputException {@code ENOTTY} if it is not a terminal but a file or a pipe; check
     *     {@link #isTerminal} first
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static Tty stdout() {
        return new Tty(Terminals.open(1, "Tty.stdout"));
    }

    /**
     * Opens standard error.
     *
     * @throws org.trueasync.InputOutputException {@code ENOTTY} if it is not a terminal but a file or a pipe; check
     *     {@link #isTerminal} first
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static Tty stderr() {
        return new Tty(Terminals.open(2, "Tty.stderr"));
    }

    /**
     * True if one of the process's standard streams is a terminal.
     *
     * @param descriptor 0: input, 1: output, 2: error
     * @throws IllegalArgumentException if it is another number
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static boolean isTerminal(int descriptor) {
        return Terminals.isTerminal(descriptor);
    }

    /**
     * The terminal's size now.
     *
     * @return columns and rows; null if the system does not know them; always null on the reactor 'nio'
     * @throws org.trueasync.InputOutputException if closed
     */
    public TerminalHandle.@Nullable Size size() {
        return terminal("size", "ask for the size of").size();
    }

    /**
     * Waits until the size differs from a known one; returns at once if it differs already, so that no change is
     * missed. Uses {@code SIGWINCH}, see {@link Signals}.
     *
     * @param known a result of {@link #size}
     * @return the new size; null if the system does not know it: at once if {@code known} is a size, else at the next
     *     signal
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if closed before or meanwhile
     */
    public TerminalHandle.@Nullable Size awaitResize(TerminalHandle.@Nullable Size known) {
        return awaitOtherSize(known, null);
    }

    /**
     * As {@link #awaitResize(org.trueasync.spi.TerminalHandle.Size)}; gives up when the token ends.
     *
     * @param known a result of {@link #size}
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public TerminalHandle.@Nullable Size awaitResize(TerminalHandle.@Nullable Size known, Completable<?> cancellation) {
        return awaitOtherSize(known, required(cancellation));
    }

    private TerminalHandle.@Nullable Size awaitOtherSize(
            TerminalHandle.@Nullable Size known, @Nullable Completable<?> token) {
        Awaiting.markUsed(token);
        while (true) {
            // the wait for the signal begins before the size is read, so a change in between is noticed
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
            // close() has cancelled the wait
            throw new InputOutputException(core.peer() + " was closed while waiting on it", "", e);
        }
    }

    @Override
    public void close() {
        super.close();
        for (Completable<Signal> resize : List.copyOf(resizes)) resize.cancel();
    }

    /**
     * Sets the mode. In raw mode each key arrives at once and is not echoed, and Ctrl-C is the byte 3, not a signal;
     * otherwise the system edits lines first. The original mode is restored when this object is closed, and when the
     * JVM ends, unless it is killed.
     *
     * @param on true for raw mode
     * @throws org.trueasync.InputOutputException if closed, or if the system refuses; the reactor 'nio' always refuses
     *     raw mode
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
