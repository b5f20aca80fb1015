package org.trueasync.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A peer that sends bytes as they are, in a coroutine or on another thread. Text stands for its Latin-1 bytes. */
final class Raw implements AutoCloseable {
    private final Socket socket;

    Raw(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
    }

    /** Gives up reading after that time. */
    Raw patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
        return this;
    }

    /** Sends a text, and reads all that comes until the server closes. */
    static String exchange(int port, String text) throws IOException {
        try (var peer = new Raw(port)) {
            return peer.send(text).readAll();
        }
    }

    Raw send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Closes the output alone. */
    Raw end() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Closes it so that the other side gets a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Reads until the server closes. */
    String readAll() throws IOException {
        var all = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(all);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the server does not close; got " + all.toString(StandardCharsets.ISO_8859_1), e);
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    /** Reads until the bytes so far end with a text. */
    String readUntil(String end) throws IOException {
        InputStream in = socket.getInputStream();
        var text = new StringBuilder();
        while (!text.toString().endsWith(end)) {
            int next;
            try {
                next = in.read();
            } catch (SocketTimeoutException e) {
                throw new AssertionError("no " + end + " after " + text, e);
            }
            if (next < 0) throw new AssertionError("the server has closed after " + text);
            text.append((char) next);
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
