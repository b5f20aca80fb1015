package org.trueasync.bench.echo;

import java.nio.ByteBuffer;
import org.trueasync.Async;
import org.trueasync.Scope;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/** Our echo server: a coroutine for each connection, by the public API alone. */
final class TrueAsyncEcho implements EchoServer {
    private final String reactor;

    TrueAsyncEcho(String reactor) {
        this.reactor = reactor;
    }

    @Override
    public void serve(int port, Runnable listening) {
        Async.runtime().reactor(reactor).run(() -> {
            try (TcpServer server = TcpServer.listen(HOST, port);
                    Scope connections = new Scope().reportErrors()) {
                listening.run();
                while (true) {
                    TcpStream stream = server.accept();
                    connections.launch(() -> echo(stream));
                }
            }
        });
    }

    static void echo(TcpStream stream) {
        try (stream) {
            stream.noDelay(true);
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
            while (stream.read(buffer) >= 0) {
                buffer.flip();
                stream.write(buffer);
                buffer.clear();
            }
        }
    }
}
