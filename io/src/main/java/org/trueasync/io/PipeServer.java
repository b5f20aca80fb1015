package org.trueasync.io;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.trueasync.Completable;
import org.trueasync.internal.io.ListenCore;
import org.trueasync.internal.text.Printable;
import org.trueasync.spi.ListenHandle;

/**
 * Listens on a Unix socket, for connections from this machine by users who may write to its file. Accepting suspends
 * only the calling coroutine. Loop thread only, except {@code isClosed} and {@code path}: on another thread accepting
 * and closing throw an {@link org.trueasync.AsyncException}.
 *
 * <p>Listening creates the file; closing, or the end of the runtime, removes it. A file that a killed server has left
 * is replaced if it is a socket of this user and no server answers on it. Any other file is left alone, and no symbolic
 * link is followed or replaced.
 */
public final class PipeServer implements AutoCloseable {
    /**
     * How to listen.
     *
     * @param permissions of the socket's file, exactly these, whatever the umask; a client needs write permission to
     *     connect
     * @param backlog connections that the system keeps waiting, >= 1
     */
    public record Options(Set<PosixFilePermission> permissions, int backlog) {
        /** Only this user may connect ({@code rw-------}), 511 waiting connections. */
        public static final Options DEFAULT = new Options(PosixFilePermissions.fromString("rw-------"), 511);

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if the backlog is less than 1
         */
        public Options {
            permissions = Set.copyOf(permissions);
            if (backlog < 1) throw new IllegalArgumentException("backlog must be >= 1, got " + backlog);
        }

        /**
         * Returns the same options with other permissions.
         *
         * @param rights as {@code ls} shows them, {@code "rw-rw----"}
         * @throws IllegalArgumentException if the text has another form
         */
        public Options withPermissions(String rights) {
            if (!Objects.requireNonNull(rights, "rights").matches("([r-][w-][x-]){3}"))
                throw new IllegalArgumentException(
                        "permissions must be like rwxr-x---, got '" + Printable.of(rights) + "'");
            return new Options(PosixFilePermissions.fromString(rights), backlog);
        }

        private int mode() {
            int mode = 0;
            for (char right : PosixFilePermissions.toString(permissions).toCharArray())
                mode = mode << 1 | (right == '-' ? 0 : 1);
            return mode;
        }
    }

    private final ListenCore core;

    private PipeServer(ListenCore core) {
        this.core = core;
    }

    /**
     * Listens; only this user may connect, and the system keeps 511 waiting connections. Suspends only if there is a
     * file with this name already, to find out whether a server answers on it.
     *
     * @param path of the file to create, 107 bytes at most (macOS: 103) as an absolute path; its folder must exist
     * @throws org.trueasync.InputOutputException if the system refuses; {@code EADDRINUSE} if there is a file that is
     *     not replaced, and the message says why
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static PipeServer listen(Path path) {
        return listen(path, Options.DEFAULT);
    }

    /**
     * As {@link #listen(Path)} with options.
     *
     * @param path of the file to create
     * @param options permissions and backlog
     */
    public static PipeServer listen(Path path, Options options) {
        Objects.requireNonNull(options, "options");
        return new PipeServer(
                ListenCore.on(path, options.mode(), new ListenHandle.Options(options.backlog(), false, false)));
    }

    /**
     * Accepts the next connection; suspends this coroutine while there is none. If there are many, other coroutines
     * still get their turns. Several coroutines may wait; they are served in the order of their calls. If descriptors,
     * or memory for sockets, have run out, this waits until there are some again.
     *
     * @throws org.trueasync.InputOutputException if the server is closed, before or while waiting, or the system
     *     reports another error
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no connection is lost
     */
    public Pipe accept() {
        return new Pipe(core.accept(null));
    }

    /**
     * As {@link #accept()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public Pipe accept(Completable<?> cancellation) {
        return new Pipe(core.accept(Objects.requireNonNull(cancellation, "cancellation")));
    }

    /** The socket's file, absolute. Any thread, also after {@link #close}. */
    public Path path() {
        return ((UnixDomainSocketAddress) core.localAddress()).getPath();
    }

    /** True after {@link #close} and after the end of the runtime. Any thread; another thread may see it late. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /**
     * Stops listening, and removes the file if it is still the one that this server created. Coroutines that wait in
     * {@link #accept} get an {@link org.trueasync.InputOutputException}. Idempotent.
     */
    @Override
    public void close() {
        core.close();
    }
}
