package org.trueasync.bench.echo;

import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.Scope;
import org.trueasync.ThreadChannel;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/** Our echo server on several cores, which share the port; otherwise as {@link TrueAsyncEcho}. */
final class TrueAsyncCoresEcho implements EchoServer {
    private final int cores;

    TrueAsyncCoresEcho(int cores) {
        this.cores = cores;
    }

    @Override
    public void serve(int port, Runnable listening) {
        Async.runtime().reactor("libuv").run(() -> {
            var ready = new ThreadChannel<Integer>(cores);
            Cores.builder().count(cores).run(() -> serveHere(port, ready, listening));
        });
    }

    private void serveHere(int port, ThreadChannel<Integer> ready, Runnable listening) {
        try (TcpServer server = TcpServer.listenOnEachCore(HOST, port);
                Scope connections = new Scope().reportErrors()) {
            int index = Cores.current().index();
            ready.send(index);
            if (index == 0) {
                for (int i = 0; i < cores; i++) ready.receive();
                listening.run();
            }
            while (true) {
                TcpStream stream = server.accept();
                connections.launch(() -> TrueAsyncEcho.echo(stream));
            }
        }
    }
}
