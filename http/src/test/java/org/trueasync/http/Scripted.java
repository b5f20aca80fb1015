package org.trueasync.http;

import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.Coroutine;

/** A server that says what a script tells it to, on the loop of the test. Text stands for its Latin-1 bytes. */
final class Scripted implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    private final List<Coroutine<?>> serving = new ArrayList<>();
    private int accepted;

    /** What one connection does. */
    @FunctionalInterface
    interface Script {
        void serve(Peer peer) throws Exception;
    }

    Scripted(Script script) throws IOException {
        spawn(() -> accept(script));
    }

    private void accept(Script script) {
        try {
            while (true) {
                Socket socket = listener.accept();
                accepted++;
                var peer = new Peer(socket, accepted);
                serving.add(spawn(() -> serve(script, peer)));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void serve(Script script, Peer peer) throws Exception {
        try (peer.socket) {
            script.serve(peer);
        } catch (IOException e) {
            // the client has gone
        }
    }

    int accepted() {
        return accepted;
    }

    int port() {
        return listener.getLocalPort();
    }

    String origin() {
        return "http://127.0.0.1:" + port();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Coroutine<?> one : serving) one.cancel();
    }

    /** A connection. It is closed when the script ends. */
    static final class Peer {
        final Socket socket;
        /** Of the connection, from 1. */
        final int number;

        Peer(Socket socket, int number) throws IOException {
            this.socket = socket;
            this.number = number;
            socket.setTcpNoDelay(true);
        }

        /** Reads a head. */
        String head() throws IOException {
            return readUntil("\r\n\r\n");
        }

        String readUntil(String end) throws IOException {
            InputStream in = socket.getInputStream();
            var text = new StringBuilder();
            while (text.indexOf(end, Math.max(0, text.length() - end.length())) < 0) {
                int next = in.read();
                if (next < 0) throw new IOException("the client has closed after " + text);
                text.append((char) next);
            }
            return text.toString();
        }

        Peer send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return this;
        }

        /** Reads and says nothing, until the client closes. */
        void silence() throws IOException {
            while (socket.getInputStream().read() >= 0) {}
        }

        /** Closes it so that the client gets a reset. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
