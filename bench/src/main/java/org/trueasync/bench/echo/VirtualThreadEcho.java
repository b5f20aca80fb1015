package org.trueasync.bench.echo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** An echo server with blocking sockets of the JDK, and a virtual thread for each connection, on one carrier. */
final class VirtualThreadEcho implements EchoServer {

    @Override
    public void serve(int port, Runnable listening) throws InterruptedException {
        Thread.startVirtualThread(() -> acceptAll(port, listening)).join();
    }

    private static void acceptAll(int port, Runnable listening) {
        try (var server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress())) {
            listening.run();
            while (true) {
                Socket socket = server.accept();
                Thread.startVirtualThread(() -> echo(socket));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Echoes until the peer closes; blocks. */
    static void echo(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
