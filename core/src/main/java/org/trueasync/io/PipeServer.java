package org.trueasync.io;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.trueasync.Completable;
import org.trueasync.internal.io.ListenCore;
import org.trueasync.spi.ListenHandle;

/**
 * Listens on a Unix socket: connections from this machine only, from those who may write to its file. Only the coroutine that accepts is
 * suspended. Loop thread only, except {@code isClosed} and {@code path}: on another thread accepting and closing throw an {@link org.trueasync.AsyncException}; what
 * never changes may be
 * asked for on any thread.
 *
 * <p>The file is made by listening and removed by closing, or when the runtime ends. One that a killed server has left is replaced, if it is a socket
 * of this user and nobody answers on it; anything else is left alone, and no symbolic link is followed or replaced.
 */
public final class PipeServer implements AutoCloseable {
    /**
     * How to listen.
     *
     * @param permissions of the socket's file, exactly these whatever the umask; connecting takes the right to write
     * @param backlog connections that the system keeps waiting, >= 1
     */
    public record Options(Set<PosixFilePermission> permissions, int backlog) {
        /** For this user alone ({@code rw-------}), 511 waiting connections. */
        public static final Options DEFAULT = new Options(PosixFilePermissions.fromString("rw-------"), 511);

        /** Checks the range. */
        public Options {
            permissions = Set.copyOf(permissions);
            if (backlog < 1) throw new IllegalArgumentException("backlog must be >= 1, got " + backlog);
        }

        /**
         * The same with other permissions.
         *
         * @param rights as {@code ls} shows them, {@code "rw-rw----"}
         * @throws IllegalArgumentException if that is not their form
         */
        public Options withPermissions(String rights) {
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
     * Listens, with a file that only this user may connect to, and room for 511 waiting connections.
     *
     * @param path of the file that is made, 107 bytes at most (macOS: 103) when it is made absolute; its folder exists
     * @throws org.trueasync.InputOutputException if the system refuses; {@code EADDRINUSE} if there is a file that is not replaced, saying why
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static PipeServer listen(Path path) {
        return listen(path, Options.DEFAULT);
    }

    /**
     * As {@link #listen(Path)} with options.
     *
     * @param path of the file that is made
     * @param options permissions and backlog
     */
    public static PipeServer listen(Path path, Options options) {
        Objects.requireNonNull(options, "options");
        return new PipeServer(
                ListenCore.on(path, options.mode(), new ListenHandle.Options(options.backlog(), false, false)));
    }

    /**
     * The next connection; suspends this coroutine while there is none, and lets the others run now and then while there are many. Several
     * coroutines may wait; they are served in the order of arrival. When the process is out of descriptors it waits until there are some again.
     *
     * @throws org.trueasync.InputOutputException if the server is or becomes closed, or the system fails otherwise
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

    /** The file that it listens on, absolute. Any thread, also after the end. */
    public Path path() {
        return ((UnixDomainSocketAddress) core.localAddress()).getPath();
    }

    /** True after {@link #close} and after the end of the runtime. Any thread; another thread may see it late. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /**
     * Stops listening and removes the file, if it is still the one that was made; whoever waits in {@link #accept} gets an {@link
     * org.trueasync.InputOutputException}. Again does nothing.
     */
    @Override
    public void close() {
        core.close();
    }
}
