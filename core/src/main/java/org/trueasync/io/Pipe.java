package org.trueasync.io;

import java.nio.file.Path;
import org.trueasync.Completable;
import org.trueasync.internal.io.Connecting;
import org.trueasync.internal.io.StreamCore;

/**
 * Bytes between processes of one machine: a connection over a Unix socket, or one end of a child's standard stream.
 *
 * <p>Loop thread only.
 */
public final class Pipe extends CoreStream<StreamCore> {
    Pipe(StreamCore core) {
        super(core);
    }

    /**
     * Connects to the Unix socket that a server listens on; suspends this coroutine until the connection stands.
     *
     * @param path the socket's file, 107 bytes at most (macOS: 103) when it is made absolute
     * @throws org.trueasync.InputOutputException if it can't be done: nobody listens, no permission; names path and errno
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the attempt is given up
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
     * Tells the peer that nothing more will be written: it reads the end of the stream after all writes that were called earlier, those included that
     * still wait. Returns when the system has sent them. Reading goes on. Again waits for the same, and asks for nothing new.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; what the system was asked for already goes on
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; names peer and errno
     */
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
