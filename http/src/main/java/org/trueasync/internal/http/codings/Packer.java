package org.trueasync.internal.http.codings;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.trueasync.internal.http.message.Coding;
import org.trueasync.internal.http.message.Fields;

/** Compresses the body of a response. It can be used again. Loop thread. */
public abstract class Packer {
    private static final int FIRST = 4 * 1024;
    /** What is larger is sent without a copy. */
    private static final int LARGEST_KEPT = 16 * 1024;

    private byte[] packed = new byte[FIRST];
    private int size;

    Packer() {}

    /** Which coding it makes. */
    public abstract Coding coding();

    /** Makes it ready for another body. */
    public abstract void begin();

    /**
     * Takes a part of the body; returns what is to be sent now, valid until the next call; a large one also after it.
     *
     * @param flushes whether the peer shall be able to read all of it
     */
    public final ByteBuffer part(ByteBuffer plain, boolean flushes) {
        // a large part may still be on its way, if another coroutine writes too
        if (packed.length > LARGEST_KEPT) packed = new byte[FIRST];
        size = 0;
        pack(plain, flushes);
        return ByteBuffer.wrap(packed, 0, size);
    }

    /** Ends the body; returns what is to be sent last. */
    public final ByteBuffer end() {
        if (packed.length > LARGEST_KEPT) packed = new byte[FIRST];
        size = 0;
        finish();
        return ByteBuffer.wrap(packed, 0, size);
    }

    /** Gives its memory back. */
    public abstract void close();

    abstract void pack(ByteBuffer plain, boolean flushes);

    abstract void finish();

    // ---- for those who pack

    /** Makes room behind what is packed; returns an array with that room from {@link #size} on. */
    final byte[] room(int more) {
        if (packed.length - size < more) packed = Arrays.copyOf(packed, Math.max(2 * packed.length, size + more));
        return packed;
    }

    final int size() {
        return size;
    }

    final void packed(int count) {
        size += count;
    }

    final void put(ByteBuffer bytes) {
        int count = bytes.remaining();
        bytes.get(room(count), size, count);
        size += count;
    }

    // ---- what is compressed

    /** Returns whether a body may be compressed, and it is worth it. */
    public static boolean suits(int status, Fields response) {
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
                    "application/graphql",
                    "image/vnd.microsoft.icon" -> true;
            default -> type.endsWith("+json") || type.endsWith("+xml");
        };
    }
}
