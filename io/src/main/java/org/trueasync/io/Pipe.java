package org.trueasync.io;

import java.nio.file.Path;
import org.trueasync.Completable;
import org.trueasync.internal.io.Connecting;
import org.trueasync.internal.io.StreamCore;

/**
 * A byte stream between processes of one machine: a connection over a Unix socket, or this process's end of a pipe to a
 * child.
 *
 * <p>Loop thread only, except {@code isClosed}.
 */
public final class Pipe extends CoreStream<StreamCore> {
    Pipe(StreamCore core) {
        super(core);
    }

    /**
     * Connects to a Unix socket; suspends this coroutine until the connection is established, also while the server's
     * backlog is full.
     *
     * @param path the socket's file, 107 bytes at most (macOS: 103) when it is made absolute
     * @throws org.trueasync.InputOutputException if the system refuses: no server listens, no permission; the message
     *     names path and errno
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the attempt is ended
     */
    public static Pipe connect(Path path) {
        return new Pipe(Connecting.to(path, null));
    }

    /**
     * As {@link #connect(Path)}; gives up when the token ends.
     *
     * @param path the socket's file
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public static Pipe connect(Path path, Completable<?> cancellation) {
        return new Pipe(Connecting.to(path, required(cancellation)));
    }

    /**
     * Ends the output: the peer reads the end of the stream after all writes that were called earlier, also pending
     * ones. Returns when the system has done that. Reading goes on. Further calls only wait for the same end.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; if the system has begun the shutdown, it goes
     *     on
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; the message names peer
     *     and errno
     */
    @Override
    public void shutdownOutput() {
        core.shutdownOutput(null);
    }

    /**
     * As {@link #shutdownOutput()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public void shutdownOutput(Completable<?> cancellation) {
        core.shutdownOutput(required(cancellation));
    }

    @Override
    public String toString() {
        return "pipe to " + core.peer() + (isClosed() ? ", closed" : "");
    }
}
