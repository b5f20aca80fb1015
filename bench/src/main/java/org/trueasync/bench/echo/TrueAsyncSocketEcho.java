package org.trueasync.bench.echo;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.trueasync.Async;
import org.trueasync.Scope;

/** An echo server with blocking sockets of the JDK, and a coroutine for each connection. */
final class TrueAsyncSocketEcho implements EchoServer {
    private final String reactor;

    TrueAsyncSocketEcho(String reactor) {
        this.reactor = reactor;
    }

    @Override
    public void serve(int port, Runnable listening) {
        Async.runtime().reactor(reactor).run(() -> {
            try (var server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
                    Scope connections = new Scope().reportErrors()) {
                listening.run();
                while (true) {
                    Socket socket = server.accept();
                    connections.launch(() -> VirtualThreadEcho.echo(socket));
                }
            }
        });
    }
}
