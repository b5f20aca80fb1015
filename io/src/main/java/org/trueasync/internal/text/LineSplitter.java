package org.trueasync.internal.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits bytes into lines. A line ends at a newline; the last one may have none. Trailing white space of a line is
 * removed, a carriage return included. Empty lines and leading white space stay. The bytes are UTF-8, in which the byte
 * of a newline is part of no other character. Not thread-safe.
 */
public final class LineSplitter {
    private byte[] bytes = new byte[1024];
    private int begin;
    private int end;
    /** There is no newline between {@code begin} and this place. */
    private int searched;

    /** Creates a splitter without bytes. */
    public LineSplitter() {}

    /** Adds the remaining bytes of a buffer behind those that are there. */
    public void add(ByteBuffer more) {
        int count = more.remaining();
        if (end + count > bytes.length) makeRoom(count);
        more.get(bytes, end, count);
        end += count;
    }

    private void makeRoom(int count) {
        int kept = end - begin;
        byte[] to = kept + count <= bytes.length / 2
                ? bytes
                : new byte[Math.max(Math.addExact(kept, count), (int) Math.min(bytes.length * 2L, 1 << 30))];
        System.arraycopy(bytes, begin, to, 0, kept);
        bytes = to;
        searched -= begin;
        begin = 0;
        end = kept;
    }

    /** True if a line that has ended is there. */
    public boolean hasNext() {
        search();
        return searched < end;
    }

    private void search() {
        while (searched < end && bytes[searched] != '\n') searched++;
    }

    /** The next line that has ended; null if there is none. */
    public @Nullable String next() {
        if (!hasNext()) return null;
        String line = text(begin, searched);
        begin = ++searched;
        return line;
    }

    /**
     * The bytes after the last newline, as a line; null if there are none. Called when no more bytes come and
     * {@link #next} has returned null.
     */
    public @Nullable String rest() {
        if (begin == end) return null;
        String line = text(begin, end);
        begin = searched = end;
        return line;
    }

    /**
     * Number of bytes of the next line, as far as it has come. A carriage return at its end does not count, as it may
     * belong to the line end.
     */
    public int nextSize() {
        search();
        return searched - begin - (searched > begin && bytes[searched - 1] == '\r' ? 1 : 0);
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8).stripTrailing();
    }

    /** All lines of a text in UTF-8. */
    public static List<String> of(byte[] text) {
        var lines = new LineSplitter();
        lines.bytes = Arrays.copyOf(text, text.length);
        lines.end = text.length;
        var all = new ArrayList<String>();
        for (String line = lines.next(); line != null; line = lines.next()) all.add(line);
        String last = lines.rest();
        if (last != null) all.add(last);
        return all;
    }
}
