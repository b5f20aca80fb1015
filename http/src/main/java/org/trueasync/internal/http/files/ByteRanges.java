package org.trueasync.internal.http.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a file that a request asks for (RFC 9110, 14). */
final class ByteRanges {
    /** Who asks for more parts gets the whole. */
    private static final int MOST = 16;

    /**
     * A part.
     *
     * @param first of its bytes
     * @param last of its bytes
     */
    record Part(long first, long last) {
        long length() {
            return last - first + 1;
        }

        String of(long size) {
            return "bytes " + first + '-' + last + '/' + size;
        }
    }

    private ByteRanges() {}

    /**
     * Reads a header field {@code Range}.
     *
     * @return the parts, of which no two have a byte in common; none if none of them is in the file; null if the whole
     *     file is to be sent, as the field is malformed or asks for too many parts
     */
    static @Nullable List<Part> parse(String text, long size) {
        if (!text.regionMatches(true, 0, "bytes=", 0, 6)) return null;
        var parts = new ArrayList<Part>(2);
        int count = 0;
        for (String one : text.substring(6).split(",", -1)) {
            String part = one.strip();
            if (part.isEmpty()) continue;
            if (++count > MOST) return null;
            int dash = part.indexOf('-');
            if (dash < 0) return null;
            long first = number(part.substring(0, dash));
            long last = number(part.substring(dash + 1));
            if (first == MALFORMED || last == MALFORMED || (first == ABSENT && last == ABSENT)) return null;
            if (first == ABSENT) {
                if (last > 0 && size > 0) parts.add(new Part(Math.max(0, size - last), size - 1));
            } else if (last != ABSENT && last < first) return null;
            else if (first < size) parts.add(new Part(first, last == ABSENT ? size - 1 : Math.min(last, size - 1)));
        }
        return count == 0 ? null : apart(parts);
    }

    private static final long MALFORMED = -2;
    private static final long ABSENT = -1;

    private static long number(String text) {
        if (text.isEmpty()) return ABSENT;
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) < '0' || text.charAt(i) > '9') return MALFORMED;
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Joins parts that overlap or touch, so that no byte is sent twice; leaves the others in their order. */
    private static List<Part> apart(List<Part> parts) {
        var sorted = new ArrayList<>(parts);
        sorted.sort(Comparator.comparingLong(Part::first));
        var joined = new ArrayList<Part>(sorted.size());
        for (Part part : sorted) {
            Part before = joined.isEmpty() ? null : joined.getLast();
            if (before == null || part.first() > before.last() + 1) joined.add(part);
            else joined.set(joined.size() - 1, new Part(before.first(), Math.max(before.last(), part.last())));
        }
        return joined.size() == parts.size() ? parts : joined;
    }
}
