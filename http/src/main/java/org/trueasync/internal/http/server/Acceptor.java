package org.trueasync.internal.http.server;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;
import org.trueasync.io.ByteStream;
import org.trueasync.io.PipeServer;
import org.trueasync.io.TcpServer;
import org.trueasync.spi.ListenHandle;

/**
 * A place where a server listens.
 *
 * @param settings what is spoken there
 * @param tcp null for a Unix socket
 * @param pipe null for TCP
 */
record Acceptor(
        ListenerSettings settings,
        @Nullable TcpServer tcp,
        @Nullable PipeServer pipe) {
    /** Begins to listen. Suspends only to look up a name, or to ask who listens on a file already. */
    static Acceptor listen(ListenerSettings settings) {
        if (settings.file != null)
            return new Acceptor(settings, null, PipeServer.listen(settings.file, settings.fileOptions));
        var options = new ListenHandle.Options(settings.backlog, false, false);
        return new Acceptor(
                settings,
                settings.onEachCore
                        ? TcpServer.listenOnEachCore(settings.host, settings.port, options)
                        : TcpServer.listen(settings.host, settings.port, options),
                null);
    }

    ByteStream accept() {
        return pipe != null ? pipe.accept() : required().accept();
    }

    private TcpServer required() {
        if (tcp == null) throw new AssertionError("neither TCP nor a file");
        return tcp;
    }

    SocketAddress address() {
        return pipe != null
                ? UnixDomainSocketAddress.of(pipe.path())
                : required().localAddress();
    }

    boolean isClosed() {
        return pipe != null ? pipe.isClosed() : required().isClosed();
    }

    void close() {
        if (pipe != null) pipe.close();
        else required().close();
    }
}
