package org.trueasync.io;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.process.ChildStart;

/**
 * A child process whose streams the caller reads and writes. Loop thread only, except {@code isAlive}, {@code pid}, {@code stderr}, {@code stdin}, {@code stdout} and
 * {@code toHandle}.
 *
 * <p>A child that writes more than a pipe holds (64 KiB) waits until that is read: read its output, and its errors, while it runs. It goes on
 * living when the run ends; close it, in {@code try}-with-resources for instance, where it must not.
 */
public final class ChildProcess implements AutoCloseable {
    private final ChildStart started;
    private final @Nullable Pipe stdin;
    private final @Nullable Pipe stdout;
    private final @Nullable Pipe stderr;

    ChildProcess(ChildStart started) {
        this.started = started;
        this.stdin = pipe(started.input());
        this.stdout = pipe(started.output());
        this.stderr = pipe(started.error());
    }

    private static @Nullable Pipe pipe(@Nullable StreamCore core) {
        return core == null ? null : new Pipe(core);
    }

    /** The system's number of the process. It may be another one's once the child has ended. */
    public long pid() {
        return started.child().pid();
    }

    /** The JDK's view of the process; empty once it has ended. */
    public Optional<ProcessHandle> toHandle() {
        return ProcessHandle.of(pid());
    }

    /**
     * What the child reads; closing it is the end of its input.
     *
     * @throws IllegalStateException if its input was redirected
     */
    public Pipe stdin() {
        return require(stdin, "input");
    }

    /**
     * What the child writes as its output.
     *
     * @throws IllegalStateException if its output was redirected
     */
    public Pipe stdout() {
        return require(stdout, "output");
    }

    /**
     * What the child writes as its errors.
     *
     * @throws IllegalStateException if its errors were redirected
     */
    public Pipe stderr() {
        return require(stderr, "error output");
    }

    private Pipe require(@Nullable Pipe pipe, String what) {
        if (pipe == null)
            throw new IllegalStateException(
                    "the " + what + " of " + started.child().shown() + " was redirected");
        return pipe;
    }

    /**
     * Waits until the child has ended; what it has written can still be read. Afterwards returns at once. Several may wait.
     *
     * @return what it ended with, 0 to 255; 128 + signal if one killed it
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the child goes on
     */
    public int await() {
        return started.await(null);
    }

    /**
     * As {@link #await()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; the child goes on
     */
    public int await(Completable<?> cancellation) {
        return started.await(java.util.Objects.requireNonNull(cancellation, "cancellation"));
    }

    /** True until the child's end has been seen. */
    public boolean isAlive() {
        return !started.child().hasEnded();
    }

    /**
     * What the child ended with, as {@link #await()} has it.
     *
     * @throws IllegalStateException while it is alive
     */
    public int exitCode() {
        if (isAlive()) throw new IllegalStateException(started.child().shown() + " has not ended; use await()");
        return started.child().status();
    }

    /**
     * Sends a signal.
     *
     * @param signal which
     * @return false if the child has ended already; nobody else is ever met
     * @throws org.trueasync.InputOutputException if the system refuses
     */
    public boolean kill(Signal signal) {
        return started.kill(signal.number());
    }

    /** Leaves the child to itself: our ends of its pipes are closed, it goes on, and is reaped when it ends. Nothing can be asked of it any more. */
    public void detach() {
        started.detach();
    }

    /**
     * Ends the child, if it has not ended, and what it has started: with SIGTERM, after {@link Exec#grace} with SIGKILL; suspends until it has
     * been reaped. Then closes our ends of its pipes. Again does nothing.
     */
    @Override
    public void close() {
        started.close();
    }

    @Override
    public String toString() {
        return "child process " + started.child().shown()
                + (isAlive() ? "" : ", exit status " + started.child().status());
    }
}
