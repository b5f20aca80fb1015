package org.trueasync.io;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.process.ChildStart;

/**
 * A child process whose streams the caller reads and writes. Loop thread only, except {@code isAlive}, {@code pid},
 * {@code stderr}, {@code stdin}, {@code stdout} and {@code toHandle}.
 *
 * <p>Read the child's standard output and standard error while it runs: a child that has filled a pipe (64 KiB) waits
 * until some of that is read.
 *
 * <p>A child may outlive the run. If it must not, close this object, in {@code try}-with-resources for instance.
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

    /** The process id. Once the child has ended, the system may give the id to another process. */
    public long pid() {
        return started.child().pid();
    }

    /**
     * The JDK's view of the process with this {@link #pid}; empty if there is none. Call this while the child is alive:
     * afterwards the id may belong to another process.
     */
    public Optional<ProcessHandle> toHandle() {
        return ProcessHandle.of(pid());
    }

    /**
     * The pipe to the child's standard input. Closing it ends the input.
     *
     * @throws IllegalStateException if the input was redirected
     */
    public Pipe stdin() {
        return require(stdin, "input");
    }

    /**
     * The pipe from the child's standard output.
     *
     * @throws IllegalStateException if the output was redirected
     */
    public Pipe stdout() {
        return require(stdout, "output");
    }

    /**
     * The pipe from the child's standard error.
     *
     * @throws IllegalStateException if standard error was redirected
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
     * Waits until the child has ended; returns at once if it has. Its output can still be read afterwards. Several
     * coroutines may wait.
     *
     * @return its exit status, 0 to 255; 128 + signal if a signal killed it; -1 if other code in this process has
     *     reaped it
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

    /**
     * True until the runtime has seen the child's end; it does not see the end of a detached child. Any thread; another
     * thread may see it late.
     */
    public boolean isAlive() {
        return !started.child().hasEnded();
    }

    /**
     * The exit status, as {@link #await()} returns it.
     *
     * @throws IllegalStateException while the child is alive
     */
    public int exitCode() {
        if (isAlive()) throw new IllegalStateException(started.child().shown() + " has not ended; use await()");
        return started.child().status();
    }

    /**
     * Sends a signal to the child, and never to a later process with its id.
     *
     * @param signal the signal
     * @return false if the child has ended already
     * @throws org.trueasync.InputOutputException if the system refuses, or the child was detached before
     */
    public boolean kill(Signal signal) {
        return started.kill(signal.number());
    }

    /**
     * Detaches the child: closes this process's ends of its pipes. The child goes on and is reaped when it ends, but
     * can't be awaited or signalled any more.
     */
    public void detach() {
        started.detach();
    }

    /**
     * Ends the child and the processes that it has started: with SIGTERM first, after {@link Exec#grace} with SIGKILL.
     * Suspends until all of them have ended, or until about 2 s after SIGKILL; a cancellation does not end this wait.
     * Then closes this process's ends of its pipes. If the child has ended or was detached, only the pipes are closed.
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
