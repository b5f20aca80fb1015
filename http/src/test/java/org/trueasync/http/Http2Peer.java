package org.trueasync.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.eclipse.jetty.http2.hpack.HpackException;

/** A client that sends frames of HTTP/2 as they are, good or bad. Fields are packed without a table. */
final class Http2Peer implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int PUSH = 5;
    static final int PING = 6;
    static final int GO_AWAY = 7;
    static final int WINDOW = 8;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    static final int REFUSED = 7;

    /** A frame that has come. */
    record Frame(int type, int flags, int id, byte[] payload) {
        int code() {
            return ByteBuffer.wrap(payload).getInt(type == GO_AWAY ? 4 : 0);
        }

        boolean isLast() {
            return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        }

        @Override
        public String toString() {
            String rest = type == RESET || type == GO_AWAY ? " code " + code() : " " + payload.length + " bytes";
            return "frame " + type + " flags " + flags + " stream " + id + rest;
        }
    }

    /** What has come of a response. */
    static final class Response {
        final Map<String, String> fields = new TreeMap<>();
        final Map<String, String> trailers = new TreeMap<>();
        final ByteArrayOutputStream body = new ByteArrayOutputStream();
        /** The informational ones. */
        final List<String> before = new ArrayList<>();
        /** The code of the reset; -1 if there was none. */
        int reset = -1;

        boolean ended;

        String status() {
            return fields.getOrDefault(":status", "none");
        }

        String text() {
            return body.toString(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return fields + " " + body.size() + " bytes " + trailers + (ended ? " ended" : "") + " reset " + reset;
        }
    }

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final HpackDecoder unpacker = new HpackDecoder(64 * 1024, System::nanoTime);
    /** By stream. */
    final Map<Integer, Response> responses = new TreeMap<>();
    /** Code and last stream of the GOAWAY frames. */
    final List<Frame> goAways = new ArrayList<>();
    /** How much the server lets a stream send, or all of them together by 0. */
    final Map<Integer, Long> windows = new TreeMap<>();

    int pings;
    int settingsReplies;
    boolean closed;

    /** Connects and says nothing. */
    Http2Peer(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        windows.put(0, 65_535L);
    }

    /** Speaks over streams that are connected. */
    Http2Peer(InputStream in, OutputStream out) {
        socket = new Socket();
        this.in = new DataInputStream(in);
        this.out = out;
        windows.put(0, 65_535L);
    }

    /** Connects, and begins as RFC 9113 asks. */
    static Http2Peer open(int port) throws IOException {
        return new Http2Peer(port).begin();
    }

    Http2Peer begin(int... settings) throws IOException {
        raw(PREFACE);
        ByteBuffer values = ByteBuffer.allocate(settings.length * 3);
        for (int i = 0; i < settings.length; i += 2)
            values.putShort((short) settings[i]).putInt(settings[i + 1]);
        return send(SETTINGS, 0, 0, values.array());
    }

    Http2Peer patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
        return this;
    }

    Http2Peer raw(String text) throws IOException {
        return raw(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Http2Peer raw(byte[] bytes) throws IOException {
        out.write(bytes);
        return this;
    }

    static byte[] frame(int type, int flags, int id, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .put((byte) (payload.length >> 8))
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(id)
                .put(payload)
                .array();
    }

    Http2Peer send(int type, int flags, int id, byte[] payload) throws IOException {
        return raw(frame(type, flags, id, payload));
    }

    /** Of names and values in turn. */
    static byte[] fields(String... namesAndValues) {
        var block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i++) {
            byte[] text = namesAndValues[i].getBytes(StandardCharsets.ISO_8859_1);
            if (i % 2 == 0) block.write(0);
            if (text.length < 127) block.write(text.length);
            else {
                block.write(127);
                int rest = text.length - 127;
                for (; rest >= 128; rest >>= 7) block.write(rest & 127 | 128);
                block.write(rest);
            }
            block.writeBytes(text);
        }
        return block.toByteArray();
    }

    static byte[] request(String method, String path, String... more) {
        var all = new ArrayList<>(
                List.of(":method", method, ":scheme", "http", ":path", path, ":authority", "localhost"));
        all.addAll(List.of(more));
        return fields(all.toArray(String[]::new));
    }

    Http2Peer get(int id, String path, String... more) throws IOException {
        return send(HEADERS, END_HEADERS | END_STREAM, id, request("GET", path, more));
    }

    Http2Peer post(int id, String path, String... more) throws IOException {
        return send(HEADERS, END_HEADERS, id, request("POST", path, more));
    }

    Http2Peer data(int id, String text, boolean last) throws IOException {
        return send(DATA, last ? END_STREAM : 0, id, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Http2Peer number(int type, int id, int value) throws IOException {
        return send(type, 0, id, ByteBuffer.allocate(4).putInt(value).array());
    }

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    static URI uri(String scheme, HttpServer server) {
        return URI.create(scheme + "://127.0.0.1:" + server.port() + "/");
    }

    Response of(int id) {
        return responses.computeIfAbsent(id, key -> new Response());
    }

    /** Reads until the response of that stream is complete, or the stream is reset. */
    Response await(int id) throws IOException {
        while (!of(id).ended && of(id).reset < 0) {
            if (next() == null) throw new AssertionError("closed before the end of " + id + ": " + this);
        }
        return of(id);
    }

    /** Reads until the server closes. */
    Http2Peer awaitEnd() throws IOException {
        while (next() != null) {}
        return this;
    }

    /** Sends a ping, and reads until its answer: all that was sent before was seen. */
    Http2Peer settle() throws IOException {
        int before = pings;
        send(PING, 0, 0, new byte[8]);
        while (pings == before) if (next() == null) throw new AssertionError("closed: " + this);
        return this;
    }

    /** Reads a frame, and notes what it says; null at the end. */
    Frame next() throws IOException {
        Frame frame;
        try {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedByte() << 8 | in.readUnsignedByte();
            frame = new Frame(in.readUnsignedByte(), in.readUnsignedByte(), in.readInt(), new byte[length]);
            in.readFully(frame.payload);
        } catch (EOFException | SocketException e) {
            closed = true;
            return null;
        } catch (SocketTimeoutException e) {
            throw new AssertionError("nothing comes; got " + this, e);
        }
        if ((frame.type == HEADERS || frame.type == CONTINUATION) && (frame.flags & END_HEADERS) == 0)
            frame = join(frame);
        note(frame);
        return frame;
    }

    private Frame join(Frame first) throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedByte() << 8 | in.readUnsignedByte();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        if (type != CONTINUATION || in.readInt() != first.id) throw new AssertionError("no continuation");
        byte[] more = new byte[length];
        in.readFully(more);
        byte[] both = ByteBuffer.allocate(first.payload.length + length)
                .put(first.payload)
                .put(more)
                .array();
        var joined = new Frame(HEADERS, first.flags | flags & END_HEADERS, first.id, both);
        return (flags & END_HEADERS) == 0 ? join(joined) : joined;
    }

    private void note(Frame frame) throws IOException {
        switch (frame.type) {
            case DATA -> of(frame.id).body.writeBytes(frame.payload);
            case HEADERS -> noteFields(frame);
            case RESET -> of(frame.id).reset = frame.code();
            case GO_AWAY -> goAways.add(frame);
            case WINDOW -> windows.merge(frame.id, (long) frame.code(), Long::sum);
            case PING -> {
                if (frame.flags == ACK) pings++;
            }
            case SETTINGS -> {
                if (frame.flags == ACK) settingsReplies++;
            }
            default -> throw new AssertionError("unknown " + frame);
        }
        if (frame.isLast()) of(frame.id).ended = true;
    }

    private void noteFields(Frame frame) {
        MetaData got;
        try {
            got = unpacker.decode(ByteBuffer.wrap(frame.payload));
        } catch (HpackException e) {
            throw new AssertionError(e);
        }
        Response response = of(frame.id);
        if (got instanceof MetaData.Response head) {
            if (head.getStatus() < 200) {
                response.before.add(Integer.toString(head.getStatus()));
                return;
            }
            response.fields.put(":status", Integer.toString(head.getStatus()));
            for (HttpField field : got) response.fields.put(field.getLowerCaseName(), field.getValue());
        } else if (got instanceof MetaData.Request asked)
            response.fields.put(":path", asked.getHttpURI().getPath());
        else for (HttpField field : got) response.trailers.put(field.getLowerCaseName(), field.getValue());
    }

    /** The code of the last GOAWAY; -1 if there was none. */
    int goAway() {
        return goAways.isEmpty() ? -1 : goAways.getLast().code();
    }

    /** Sends nothing more. */
    Http2Peer end() throws IOException {
        socket.shutdownOutput();
        return this;
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

    @Override
    public String toString() {
        return responses + " " + goAways + (closed ? " closed" : "");
    }
}
