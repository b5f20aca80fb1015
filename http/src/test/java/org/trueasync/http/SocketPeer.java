package org.trueasync.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A client of a WebSocket that sends what it is told, be it right or wrong. */
final class SocketPeer implements AutoCloseable {
    static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    static final int TEXT = 0x81;
    static final int BINARY = 0x82;
    static final int CLOSE = 0x88;
    static final int PING = 0x89;
    static final int PONG = 0x8a;

    private static final Random RANDOM = new Random(1);

    final Socket socket;
    final String head;
    private final DataInputStream in;

    /** Opens a socket; the server must agree. */
    SocketPeer(int port, String... fields) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        send(request(fields).getBytes(StandardCharsets.ISO_8859_1));
        var text = new StringBuilder();
        while (!text.toString().endsWith("\r\n\r\n")) text.append((char) in.readUnsignedByte());
        head = text.toString();
        if (!head.startsWith("HTTP/1.1 101 ")) throw new AssertionError(head);
    }

    static String request(String... fields) {
        var text = new StringBuilder("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\n");
        for (String field : fields) text.append(field).append("\r\n");
        return text.append("\r\n").toString();
    }

    SocketPeer send(byte[]... parts) throws IOException {
        for (byte[] part : parts) socket.getOutputStream().write(part);
        return this;
    }

    /** A frame with a mask. */
    static byte[] frame(int first, byte[] payload) {
        return frame(first, payload, payload.length < 126 ? 0 : payload.length <= 0xffff ? 2 : 8);
    }

    static byte[] frame(int first, String text) {
        return frame(first, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A frame whose length is written in 0, 2 or 8 bytes more. */
    static byte[] frame(int first, byte[] payload, int lengthBytes) {
        var frame = ByteBuffer.allocate(2 + lengthBytes + 4 + payload.length);
        frame.put((byte) first);
        frame.put((byte) (0x80 | (lengthBytes == 0 ? payload.length : lengthBytes == 2 ? 126 : 127)));
        if (lengthBytes == 2) frame.putShort((short) payload.length);
        if (lengthBytes == 8) frame.putLong(payload.length);
        var key = new byte[4];
        RANDOM.nextBytes(key);
        frame.put(key);
        for (int i = 0; i < payload.length; i++) frame.put((byte) (payload[i] ^ key[i & 3]));
        return frame.array();
    }

    static byte[] close(int code, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        return frame(
                CLOSE,
                ByteBuffer.allocate(2 + text.length)
                        .putShort((short) code)
                        .put(text)
                        .array());
    }

    static byte[] bytes(int... values) {
        var bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) bytes[i] = (byte) values[i];
        return bytes;
    }

    static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) all.writeBytes(part);
        return all.toByteArray();
    }

    /** A frame of the server; its first byte, and what it carries. */
    record Frame(int first, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        int code() {
            return payload.length < 2 ? 1005 : (payload[0] & 0xff) << 8 | payload[1] & 0xff;
        }

        @Override
        public String toString() {
            return switch (first) {
                case TEXT -> "text " + (payload.length > 80 ? payload.length : text());
                case BINARY -> "binary " + (payload.length > 80 ? payload.length : Arrays.toString(payload));
                case CLOSE -> "close " + code();
                case PING -> "ping " + text();
                case PONG -> "pong " + text();
                default -> Integer.toHexString(first) + " " + payload.length;
            };
        }
    }

    /** Waits for a frame; null at the end of the connection. */
    @Nullable
    Frame read() throws IOException {
        try {
            int first = in.readUnsignedByte();
            int second = in.readUnsignedByte();
            if (second > 127) throw new AssertionError("a server must not mask");
            long length = second == 126 ? in.readUnsignedShort() : second == 127 ? in.readLong() : second;
            var payload = new byte[(int) length];
            in.readFully(payload);
            return new Frame(first, payload);
        } catch (EOFException | SocketException e) {
            return null;
        }
    }

    /** All frames until the server closes, or sends a close frame. */
    String readAll() throws IOException {
        var all = new StringBuilder();
        while (true) {
            Frame next = read();
            all.append(all.isEmpty() ? "" : ", ").append(next == null ? "end" : next.toString());
            if (next == null || next.first == CLOSE) return all.toString();
        }
    }

    /** Closes it so that the other side gets a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
