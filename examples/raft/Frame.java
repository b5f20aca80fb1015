package raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.trueasync.InputOutputException;
import org.trueasync.io.TcpStream;

/** A row of texts: a message, or a record of the journal. It has a checksum, so that a torn record is recognised. */
record Frame(List<String> fields) {
    private static final int HEAD = 8;
    private static final int LONGEST = 64 << 20;

    static Frame of(Object... fields) {
        return new Frame(Arrays.stream(fields).map(String::valueOf).toList());
    }

    Frame with(List<String> more) {
        var all = new ArrayList<>(fields);
        all.addAll(more);
        return new Frame(all);
    }

    String text(int field) {
        return fields.get(field);
    }

    long number(int field) {
        return Long.parseLong(fields.get(field));
    }

    List<String> from(int field) {
        return fields.subList(field, fields.size());
    }

    ByteBuffer encode() {
        List<byte[]> texts = fields.stream().map(text -> text.getBytes(UTF_8)).toList();
        int length = texts.stream().mapToInt(text -> 4 + text.length).sum();
        var buffer = ByteBuffer.allocate(HEAD + length).position(HEAD);
        for (byte[] text : texts) buffer.putInt(text.length).put(text);
        return buffer.putInt(0, length).putInt(4, checksum(buffer.flip().slice(HEAD, length)));
    }

    /** Reads the next frame; null if there is no whole one. A lost write may have left zeros, which are none. */
    static Frame decode(ByteBuffer from) {
        if (from.remaining() < HEAD) return null;
        int length = from.getInt();
        int checksum = from.getInt();
        if (length <= 0 || length > from.remaining()) return null;
        var payload = from.slice(from.position(), length);
        if (checksum(payload.duplicate()) != checksum) return null;
        from.position(from.position() + length);
        var fields = new ArrayList<String>();
        while (payload.hasRemaining()) {
            byte[] text = new byte[payload.getInt()];
            payload.get(text);
            fields.add(new String(text, UTF_8));
        }
        return new Frame(fields);
    }

    /** Waits for a message; null at the end of the stream. */
    static Frame read(TcpStream stream) {
        var head = ByteBuffer.allocate(HEAD);
        if (!fill(stream, head)) return null;
        int length = head.getInt(0);
        if (length <= 0 || length > LONGEST) throw new InputOutputException("no message: " + length, "EBADMSG");
        var whole = ByteBuffer.allocate(HEAD + length).put(head.flip());
        Frame frame = fill(stream, whole) ? decode(whole.flip()) : null;
        if (frame == null) throw new InputOutputException("a message is torn", "EBADMSG");
        return frame;
    }

    private static boolean fill(TcpStream stream, ByteBuffer buffer) {
        while (buffer.hasRemaining()) if (stream.read(buffer) < 0) return false;
        return true;
    }

    private static int checksum(ByteBuffer bytes) {
        var sum = new CRC32();
        sum.update(bytes);
        return (int) sum.getValue();
    }
}
