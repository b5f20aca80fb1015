package org.trueasync.internal.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.http.MultiPartCompliance;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Takes a {@code multipart} body apart (RFC 2046, 7578), as it comes. Jetty's parser does it; what it finds is handed
 * out one by one: {@link Fields} of a part, then {@link ByteBuffer}s of its content, then {@link #END}.
 */
public final class MultipartParser implements MultiPart.Parser.Listener {
    /** The end of a part. */
    public static final Object END = new Object();

    private static final byte[] NOTHING = {};
    private static final int LINE_END = 2;
    private static final int LONGEST_BOUNDARY = 70;

    static {
        Jetty.load();
    }

    private final MultiPart.Parser parser;
    private final ArrayDeque<Object> found = new ArrayDeque<>();
    private Fields fields = new Fields(4);
    private @Nullable String failure;
    private boolean complete;
    private final byte[] delimiter;

    /** The end of what has come, which may be the begin of a delimiter. */
    private byte[] held = NOTHING;

    /** True if the last byte that the parser got is a line feed. */
    private boolean afterLineFeed;

    /**
     * Makes one.
     *
     * @param contentType of the whole body
     * @param maxHeaderBytes of each part
     * @throws IllegalArgumentException if the content type names no good boundary
     */
    public MultipartParser(String contentType, int maxHeaderBytes) {
        String boundary = MultiPart.extractBoundary(contentType);
        if (boundary == null || boundary.isEmpty() || boundary.length() > LONGEST_BOUNDARY)
            throw new IllegalArgumentException("the content type names no boundary of 1 to 70 characters");
        delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        parser = new MultiPart.Parser(boundary, MultiPartCompliance.RFC7578_STRICT, this);
        parser.setPartHeadersMaxLength(maxHeaderBytes);
    }

    /**
     * Goes on with these bytes.
     *
     * @param bytes not changed until what is found in them has been taken; empty at the end of the body
     */
    public void parse(ByteBuffer bytes) {
        boolean last = !bytes.hasRemaining();
        ByteBuffer all = bytes.slice();
        if (held.length > 0)
            all = ByteBuffer.allocate(held.length + bytes.remaining())
                    .put(held)
                    .put(all)
                    .flip();
        int undecided = last ? 0 : undecided(all);
        held = undecided == 0 ? NOTHING : new byte[undecided];
        int end = all.limit() - held.length;
        all.get(end, held).limit(end);
        if (end > 0) afterLineFeed = all.get(end - 1) == '\n';
        if (all.hasRemaining()) feed(all, false);
        if (last) feed(bytes, true);
    }

    /**
     * How many bytes at the end may be the begin of a delimiter. The parser goes wrong if it gets one in two pieces;
     * at the begin of a part, behind the line end of the header, also without its own line end.
     */
    private int undecided(ByteBuffer all) {
        int ofDelimiter = begin(all, all.limit(), 0);
        int before = all.limit() - ofDelimiter;
        int ofPart = begin(all, before, LINE_END);
        boolean isBehindLine = ofPart == before ? afterLineFeed : all.get(before - ofPart - 1) == '\n';
        return isBehindLine ? ofDelimiter + ofPart : ofDelimiter;
    }

    /** How many bytes before that end are what the delimiter begins with, without its first bytes. */
    private int begin(ByteBuffer all, int end, int skipped) {
        int count = Math.min(end, delimiter.length - skipped - 1);
        while (count > 0 && !isBegin(all, end - count, count, skipped)) count--;
        return count;
    }

    private boolean isBegin(ByteBuffer all, int from, int count, int skipped) {
        for (int i = 0; i < count; i++) if (all.get(from + i) != delimiter[skipped + i]) return false;
        return true;
    }

    private void feed(ByteBuffer bytes, boolean last) {
        if (!complete && failure == null) parser.parse(Content.Chunk.from(bytes, last));
    }

    /** Returns what was found next; null if that needs more bytes, or nothing follows. */
    public @Nullable Object next() {
        return found.poll();
    }

    /** True once the last part has ended. */
    public boolean isComplete() {
        return complete;
    }

    /** Why the body is malformed; null if it is not. */
    public @Nullable String failure() {
        return failure;
    }

    // ---- what the parser calls

    @Override
    public void onPartHeader(String name, String value) {
        fields.add(new HttpField(name, value));
    }

    @Override
    public void onPartHeaders() {
        found.add(fields);
        fields = new Fields(4);
    }

    @Override
    public void onPartContent(Content.Chunk chunk) {
        if (chunk.hasRemaining()) found.add(chunk.getByteBuffer());
    }

    @Override
    public void onPartEnd() {
        found.add(END);
    }

    @Override
    public void onComplete() {
        complete = true;
    }

    @Override
    public void onFailure(Throwable error) {
        failure = String.valueOf(error.getMessage());
    }
}
