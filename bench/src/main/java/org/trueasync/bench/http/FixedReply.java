package org.trueasync.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.Scope;
import org.trueasync.ThreadChannel;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/**
 * A server on our own streams that sends the same reply to every request. It has no parser: it takes whatever one read
 * returns for one request.
 */
final class FixedReply {
    private static final byte[] REPLY = ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + HttpServerProcess.TEXT)
            .getBytes(StandardCharsets.US_ASCII);

    private FixedReply() {}

    static void serve(int port) {
        TcpServer server = TcpServer.listen(HttpServerProcess.HOST, port);
        Async.spawn(() -> serve(server));
    }

    /** Serves on several cores, and never returns; calls {@code listening} once all of them listen. */
    static void serveOnCores(int cores, int port, Runnable listening) {
        var ready = new ThreadChannel<Integer>(cores);
        Cores.builder().count(cores).run(() -> {
            TcpServer server = TcpServer.listenOnEachCore(HttpServerProcess.HOST, port);
            int index = Cores.current().index();
            ready.send(index);
            if (index == 0) {
                for (int i = 0; i < cores; i++) ready.receive();
                listening.run();
            }
            serve(server);
        });
    }

    private static void serve(TcpServer server) {
        try (Scope connections = new Scope().reportErrors()) {
            while (true) {
                TcpStream stream = server.accept();
                connections.launch(() -> answer(stream));
            }
        }
    }

    private static void answer(TcpStream stream) {
        try (stream) {
            stream.noDelay(true);
            ByteBuffer request = ByteBuffer.allocateDirect(1_024);
            ByteBuffer reply = ByteBuffer.allocateDirect(REPLY.length).put(REPLY);
            while (stream.read(request.clear()) >= 0) stream.write(reply.flip());
        }
    }
}
