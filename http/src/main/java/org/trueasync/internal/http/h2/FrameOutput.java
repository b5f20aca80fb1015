package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.Flags;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.frames.PrefaceFrame;
import org.eclipse.jetty.http2.hpack.HpackEncoder;
import org.eclipse.jetty.http2.hpack.HpackException;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.internal.http.message.Fields;

/**
 * Frames on their way out. They are packed at once and in order, so that the peer's table of fields agrees, and are
 * written by one coroutine: nothing that happens to the others can cut a frame. Loop thread.
 */
final class FrameOutput {
    /** Whoever has a body to send waits beyond that many bytes. */
    private static final int ENOUGH = 64 * 1024;

    private static final int FIRST = 2 * 1024;
    private static final int KEPT = 16 * 1024;
    private static final int HEADER = 9;

    private final HpackEncoder packer = new HpackEncoder();
    private ByteBuffer waiting = ByteBuffer.allocate(FIRST);
    /** Given to the writer, or free if it writes nothing. */
    private ByteBuffer other = ByteBuffer.allocate(FIRST);

    private int frameBytes = 16 * 1024;
    private final Waiters writer = new Waiters();
    private final Waiters room = new Waiters();
    private boolean ended;

    /** Begins to write, in place of a writer that waits; null if there is one. */
    private @Nullable Runnable start;

    FrameOutput() {
        packer.setTableCapacity(packer.getMaxTableCapacity());
        packer.setMaxHeaderListSize(Integer.MAX_VALUE); // beyond one its table would have what is not sent
    }

    /**
     * Puts the client's preface first. Heads may have pseudo-fields.
     *
     * @param whenToWrite called each time there is something to write
     */
    void ofClient(Runnable whenToWrite) {
        start = whenToWrite;
        waiting.put(PrefaceFrame.PREFACE_BYTES);
        packer.setValidateEncoding(false); // of names, which were checked
    }

    // ---- for the writer

    /** Returns what is to be written now; null if there is nothing. */
    @Nullable
    ByteBuffer take() {
        if (waiting.position() == 0) return null;
        ByteBuffer taken = waiting.flip();
        waiting = other;
        other = taken;
        return taken;
    }

    /** Called when what was taken has been written. */
    void written() {
        if (other.capacity() > KEPT) other = ByteBuffer.allocate(FIRST);
        else other.clear();
        room.wake();
    }

    /** Waits for something to write, or to be woken. */
    void await() {
        writer.await();
    }

    void wakeWriter() {
        if (start == null) writer.wake();
        else start.run();
    }

    // ---- for the others

    /** True if so much waits that more shall wait outside. */
    boolean isFull() {
        return !ended && waiting.position() >= ENOUGH;
    }

    void awaitRoom() {
        room.await();
    }

    /** Called when nothing is written any more. */
    void end() {
        ended = true;
        written();
        wakeWriter();
    }

    boolean isEnded() {
        return ended;
    }

    /** The largest frame that the peer takes. */
    int frameBytes() {
        return frameBytes;
    }

    void frameBytes(int bytes) {
        frameBytes = Math.min(bytes, ENOUGH);
    }

    /**
     * How large a table of fields the peer keeps.
     *
     * @param bytes an unsigned value
     */
    void tableBytes(int bytes) {
        int capacity = bytes < 0 ? 4096 : Math.min(bytes, 4096);
        packer.setMaxTableCapacity(capacity);
        packer.setTableCapacity(capacity);
    }

    void settings(int... idsAndValues) {
        begin(idsAndValues.length * 3, FrameType.SETTINGS, 0, 0);
        for (int i = 0; i < idsAndValues.length; i += 2)
            waiting.putShort((short) idsAndValues[i]).putInt(idsAndValues[i + 1]);
        wakeWriter();
    }

    void settingsReply() {
        begin(0, FrameType.SETTINGS, Flags.ACK, 0);
        wakeWriter();
    }

    void ping(byte[] payload, boolean isReply) {
        begin(payload.length, FrameType.PING, isReply ? Flags.ACK : 0, 0);
        waiting.put(payload);
        wakeWriter();
    }

    void widen(int id, int bytes) {
        begin(4, FrameType.WINDOW_UPDATE, 0, id);
        waiting.putInt(bytes);
        wakeWriter();
    }

    void reset(int id, int code) {
        begin(4, FrameType.RST_STREAM, 0, id);
        waiting.putInt(code);
        wakeWriter();
    }

    void goAway(int last, int code, byte[] text) {
        begin(8 + text.length, FrameType.GO_AWAY, 0, 0);
        waiting.putInt(last).putInt(code).put(text);
        wakeWriter();
    }

    /** A part of a body, taken from a buffer; at most as long as the largest frame. */
    void data(int id, ByteBuffer from, int length, boolean last) {
        begin(length, FrameType.DATA, last ? Flags.END_STREAM : 0, id);
        int limit = from.limit();
        waiting.put(from.limit(from.position() + length));
        from.limit(limit);
        wakeWriter();
    }

    /**
     * A head, or the fields behind a body.
     *
     * @param status of a response's head; else 0
     */
    void fields(int id, int status, Fields fields, boolean last) {
        HttpFields.Mutable all = HttpFields.build(fields.size());
        int most = 64;
        for (int i = 0; i < fields.size(); i++) {
            HttpField field = fields.at(i);
            all.add(field);
            String value = field.getValue();
            // no code of a character has more than 30 bits
            most += 16 + 4 * (field.getName().length() + (value == null ? 0 : value.length()));
        }
        begin(0, FrameType.HEADERS, Flags.END_HEADERS | (last ? Flags.END_STREAM : 0), id);
        reserve(most);
        int start = waiting.position();
        try {
            packer.encode(
                    waiting,
                    status == 0
                            ? new MetaData(HttpVersion.HTTP_2, all)
                            : new MetaData.Response(status, null, HttpVersion.HTTP_2, all));
        } catch (HpackException e) {
            waiting.position(start - HEADER);
            throw new AsyncException("these fields can't be sent: " + e.getMessage(), e);
        }
        int length = waiting.position() - start;
        if (length <= frameBytes) length(start - HEADER, length);
        else split(id, start, length);
        wakeWriter();
    }

    /** Makes several frames of a block of fields that is too long for one. */
    private void split(int id, int start, int length) {
        byte[] block = new byte[length];
        waiting.get(start, block);
        waiting.position(start);
        length(start - HEADER, frameBytes);
        waiting.put(start - HEADER + 4, (byte) (waiting.get(start - HEADER + 4) & ~Flags.END_HEADERS));
        waiting.put(block, 0, frameBytes);
        for (int done = frameBytes; done < length; ) {
            int part = Math.min(frameBytes, length - done);
            begin(part, FrameType.CONTINUATION, done + part == length ? Flags.END_HEADERS : 0, id);
            waiting.put(block, done, part);
            done += part;
        }
    }

    private void begin(int length, FrameType type, int flags, int id) {
        reserve(HEADER + length);
        int at = waiting.position();
        waiting.position(at + 3);
        waiting.put((byte) type.getType()).put((byte) flags).putInt(id);
        length(at, length);
    }

    private void length(int at, int length) {
        waiting.put(at, (byte) (length >> 16)).put(at + 1, (byte) (length >> 8)).put(at + 2, (byte) length);
    }

    private void reserve(int bytes) {
        if (waiting.remaining() >= bytes) return;
        int needed = waiting.position() + bytes;
        waiting = ByteBuffer.allocate(Math.max(needed, 2 * waiting.capacity())).put(waiting.flip());
    }
}
