package org.trueasync.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
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
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    private Raw(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
    }

    /** Over TLS. */
    static Raw secure(int port) throws Exception {
        return new Raw(Keys.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port));
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

    /** Reads and forgets as many bytes, or all until the server closes; returns how many. */
    long skip(long count) throws IOException {
        return socket.getInputStream().readNBytes((int) count).length;
    }

    /** Reads that many bytes. */
    byte[] read(int count) throws IOException {
        return socket.getInputStream().readNBytes(count);
    }

    /** Reads until the bytes so far end with a text. */
    String readUntil(String end) throws IOException {
        var text = new StringBuilder();
        try {
            readInto(text, end);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no " + end + " after " + text, e);
        } catch (EOFException e) {
            throw new AssertionError("the server has closed after " + text, e);
        }
        return text.toString();
    }

    /** As {@link #readUntil}; leaves in the text what has come before an error. */
    void readInto(StringBuilder text, String end) throws IOException {
        InputStream in = socket.getInputStream();
        while (text.length() < end.length() || text.indexOf(end, text.length() - end.length()) < 0) {
            int next = in.read();
            if (next < 0) throw new EOFException();
            text.append((char) next);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
