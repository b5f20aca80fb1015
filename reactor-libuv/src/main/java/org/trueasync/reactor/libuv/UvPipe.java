package org.trueasync.reactor.libuv;

import java.nio.file.Path;
import org.trueasync.InputOutputException;

/** A connection over a Unix socket, or one end of a child's standard stream: {@code uv_pipe_t}. */
final class UvPipe extends UvStream {
    private final String name;

    private UvPipe(UvReactor reactor, Listener listener, String name) {
        super(reactor, listener, UvLayouts.PIPE_SIZE);
        this.name = name;
    }

    /**
     * Returns an initialised handle that is not connected yet. Then either {@link #connected(boolean, boolean)} or
     * {@link #abandon} must follow, or an attempt to connect.
     *
     * @param operation for the message of a failure
     * @param name for messages
     */
    static UvPipe unconnected(UvReactor reactor, String operation, String name, Listener listener) {
        var pipe = new UvPipe(reactor, listener, name);
        int status = pipe.initialised(Uv.pipeInit(reactor.loop, pipe.address, 0));
        if (status < 0) throw UvErrors.exception(operation, name, status);
        return pipe;
    }

    /** Returns a stream that connects. */
    static UvPipe connecting(UvReactor reactor, Path path, Listener listener) {
        // the address first: a path that is too long throws, and no handle must be left then
        try (UnixPath address = new UnixPath(path)) {
            UvPipe pipe = unconnected(reactor, "connect to", path.toString(), listener);
            // libuv reports a failure through the callback too
            Uv.pipeConnect(pipe.connectRequest(), pipe.address, address.string(), Upcalls.CONNECTED);
            return pipe;
        }
    }

    /**
     * Returns a stream on a descriptor, a socket or an end of a pipe, which it takes over.
     *
     * @param operation for the message
     * @param name for messages
     * @throws InputOutputException if libuv refuses; the descriptor is closed then
     */
    static UvPipe open(
            UvReactor reactor,
            int descriptor,
            boolean canRead,
            boolean canWrite,
            String operation,
            String name,
            Listener listener) {
        UvPipe pipe;
        try {
            pipe = unconnected(reactor, operation, name, listener);
        } catch (OutOfMemoryError | InputOutputException failed) {
            Libc.close(descriptor);
            throw failed;
        }
        int status = Uv.pipeOpen(pipe.address, descriptor);
        if (status >= 0) {
            pipe.connected(canRead, canWrite);
            return pipe;
        }
        Libc.close(descriptor);
        pipe.abandon();
        throw UvErrors.exception(operation, name, status);
    }

    @Override
    public String toString() {
        return "pipe to " + name + (isClosed() ? ", closed" : "");
    }
}
