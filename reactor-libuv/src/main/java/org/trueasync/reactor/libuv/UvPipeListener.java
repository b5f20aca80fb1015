package org.trueasync.reactor.libuv;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.StreamHandle;

/** A listening Unix socket and its file. */
final class UvPipeListener extends UvListener {
    private final Path path;
    private @Nullable SocketFile file;

    UvPipeListener(UvReactor reactor, Path path, int permissions, Options options, Listener listener) {
        super(reactor, UvLayouts.PIPE_SIZE, path.toString(), listener);
        this.path = path;
        int status = Uv.pipeInit(reactor.loop, address, 0);
        if (status < 0) {
            discard();
            require(status);
        }
        opened();
        try {
            // not uv_pipe_bind: the permissions must be set before the file exists
            int socket = require(UnixCalls.socket(reactor.errno()));
            status = Uv.pipeOpen(address, socket);
            if (status < 0) Libc.close(socket);
            require(status);
            file = SocketFile.bind(reactor.errno(), socket, path, permissions);
            begin(socket, path.toString(), options);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    @Override
    public UnixDomainSocketAddress localAddress() {
        return UnixDomainSocketAddress.of(path);
    }

    @Override
    StreamHandle stream(int connection, StreamHandle.Listener streamListener) {
        return UvPipe.open(reactor, connection, true, true, "accept on", path.toString(), streamListener);
    }

    @Override
    void beforeClose() {
        // the file first, so that no client finds it and is refused
        if (file != null) file.remove();
        super.beforeClose();
    }
}
