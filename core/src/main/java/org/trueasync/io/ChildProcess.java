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
 * <p>Read the child's output and its errors while it runs: once it has written more than a pipe holds (64 KiB), it waits until that is read.
 *
 * <p>A child outlives the run. If it must not, close it, in {@code try}-with-resources for instance.
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

    /** The system's number of the process. Once the child has ended, the system may give the number to another process. */
    public long pid() {
        return started.child().pid();
    }

    /**
     * The JDK's view of the process with this {@link #pid}; empty if there is none. Ask while the child is alive: afterwards the number may be
     * another process's.
     */
    public Optional<ProcessHandle> toHandle() {
        return ProcessHandle.of(pid());
    }

    /**
     * The pipe that the child reads from. Closing it ends the child's input.
     *
     * @throws IllegalStateException if its input was redirected
     */
    public Pipe stdin() {
        return require(stdin, "input");
    }

    /**
     * The pipe that the child writes its output to.
     *
     * @throws IllegalStateException if its output was redirected
     */
    public Pipe stdout() {
        return require(stdout, "output");
    }

    /**
     * The pipe that the child writes its errors to.
     *
     * @throws IllegalStateException if its errors were redirected
     */
    public Pipe stderr() {
        return require(stderr, "error output");
    }

    private Pipe require(@Nullable Pipe pipe, String what) {
        if (pipe == null)
            throw new IllegalStateException(
                    "the " + what + " of " + started.child().shown()
                            + " was redirected, so there is no pipe; start the child without that redirection");
        return pipe;
    }

    /**
     * Waits until the child has ended; returns at once if it has. What it has written can still be read. Several coroutines may wait.
     *
     * @return its exit status, 0 to 255; 128 + signal if a signal killed it; -1 if other code in this process has reaped it
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the child goes on
     * @throws org.trueasync.InputOutputException if the child was detached before its end was seen
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
     * The exit status, as {@link #await()} returns it.
     *
     * @throws IllegalStateException while it is alive
     */
    public int exitCode() {
        if (isAlive()) throw new IllegalStateException(started.child().shown() + " has not ended; use await()");
        return started.child().status();
    }

    /**
     * Sends a signal to the child, and never to a later process with its number.
     *
     * @param signal which
     * @return false if the child has ended already
     * @throws org.trueasync.InputOutputException if the system refuses, or the child was detached before
     */
    public boolean kill(Signal signal) {
        return started.kill(signal.number());
    }

    /** Leaves the child to itself: closes our ends of its pipes. The child goes on and is reaped when it ends, but can't be awaited or signalled any more. */
    public void detach() {
        started.detach();
    }

    /**
     * Ends the child and the processes that it has started: with SIGTERM first, after {@link Exec#grace} with SIGKILL. Suspends until the child
     * has been reaped, or until it is clear that not even SIGKILL ends it. Then closes our ends of its pipes. Of a child that has ended or was
     * detached only the pipes are closed.
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
