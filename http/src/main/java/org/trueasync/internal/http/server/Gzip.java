package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.trueasync.internal.http.message.Fields;

/** Compresses the body of a response (RFC 1952). It can be used again. Loop thread. */
final class Gzip {
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int TRAILER = 8;
    private static final int FIRST = 4 * 1024;
    /** What is larger is sent without a copy. */
    private static final int LARGEST_KEPT = Http1Wire.COPIED;

    /** All coroutines of the loop wait meanwhile. The usual level takes 2.5 times as long for a sixth less. */
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);

    private final CRC32 sum = new CRC32();
    private byte[] packed = new byte[FIRST];
    private int size;
    private long count;

    /** Makes it ready for another body. */
    void begin() {
        deflater.reset();
        sum.reset();
        count = 0;
    }

    /**
     * Takes a part of the body; returns what is to be sent now, valid until the next call; a large one also after it.
     *
     * @param flushes whether the peer shall be able to read all of it
     */
    ByteBuffer part(ByteBuffer plain, boolean flushes) {
        start();
        sum.update(plain.duplicate());
        count += plain.remaining();
        deflater.setInput(plain);
        drain(flushes ? Deflater.SYNC_FLUSH : Deflater.NO_FLUSH);
        return ByteBuffer.wrap(packed, 0, size);
    }

    /** Ends the body; returns what is to be sent last. */
    ByteBuffer end() {
        start();
        deflater.finish();
        drain(Deflater.NO_FLUSH);
        room(TRAILER);
        ByteBuffer.wrap(packed, size, TRAILER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) sum.getValue())
                .putInt((int) count);
        return ByteBuffer.wrap(packed, 0, size + TRAILER);
    }

    private void start() {
        // a large part may still be on its way, if another coroutine writes too
        if (packed.length > LARGEST_KEPT) packed = new byte[FIRST];
        size = 0;
        if (count > 0 || deflater.getBytesWritten() > 0) return;
        System.arraycopy(HEAD, 0, packed, 0, HEAD.length);
        size = HEAD.length;
    }

    private void drain(int mode) {
        int got;
        do {
            room(512);
            int free = packed.length - size;
            got = deflater.deflate(packed, size, free, mode);
            size += got;
            if (got < free) return;
        } while (got > 0);
    }

    private void room(int more) {
        if (packed.length - size < more) packed = Arrays.copyOf(packed, 2 * packed.length);
    }

    /** Gives its memory back. */
    void close() {
        deflater.end();
    }

    // ---- what is compressed

    /** Returns whether a body may be compressed, and it is worth it. */
    static boolean suits(int status, Fields response) {
        if (status == 204 || status == 206 || status == 304) return false;
        String type = response.get(HttpHeader.CONTENT_TYPE);
        if (type == null || !isText(type)) return false;
        for (HttpField field : response) {
            HttpHeader header = field.getHeader();
            if (header == HttpHeader.CONTENT_ENCODING || header == HttpHeader.CONTENT_RANGE) return false;
            if (header == HttpHeader.CACHE_CONTROL && field.contains("no-transform")) return false;
        }
        return true;
    }

    private static boolean isText(String contentType) {
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        if (type.startsWith("text/"))
            return !type.equals("text/event-stream"); // each event goes out at once, by itself
        return switch (type) {
            case "application/json",
                    "application/javascript",
                    "application/xml",
                    "application/wasm",
                    "application/x-ndjson",
                    "application/graphql" -> true;
            default -> type.endsWith("+json") || type.endsWith("+xml");
        };
    }
}
