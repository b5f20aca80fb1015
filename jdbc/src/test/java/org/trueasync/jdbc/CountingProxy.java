package org.trueasync.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a server and counts round trips: how often a client sends something after it has received. */
final class CountingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger roundTrips = new AtomicInteger();
    private final int port;

    CountingProxy(int port) throws IOException {
        this.port = port;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    int roundTrips() {
        return roundTrips.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                var server = new Socket(InetAddress.getLoopbackAddress(), port);
                for (Socket one : List.of(client, server)) one.setTcpNoDelay(true);
                sockets.addAll(List.of(client, server));
                var clientsTurn = new AtomicBoolean(true);
                Thread.ofPlatform().daemon().start(() -> pass(client, server, clientsTurn, true));
                Thread.ofPlatform().daemon().start(() -> pass(server, client, clientsTurn, false));
            }
        } catch (IOException closed) {
            // the end
        }
    }

    private void pass(Socket from, Socket to, AtomicBoolean clientsTurn, boolean request) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            var buffer = new byte[16 * 1024];
            for (int count; (count = in.read(buffer)) > 0; ) {
                if (request && clientsTurn.getAndSet(false)) roundTrips.incrementAndGet();
                if (!request) clientsTurn.set(true);
                out.write(buffer, 0, count);
            }
        } catch (IOException closed) {
            // the end
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket one : sockets) one.close();
    }
}
