package org.trueasync.internal.http.routes;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;

/**
 * A method, a pattern of paths, and what answers them.
 *
 * @param method null for any
 * @param isMount whether it stands for the path of the pattern and everything below
 */
public record Route<H>(
        @Nullable String method, String pattern, boolean isMount, List<String> names, boolean hasTail, H handler) {
    private static final String REST = "...";

    /**
     * Makes a route.
     *
     * @throws IllegalArgumentException if the pattern is malformed
     */
    public static <H> Route<H> of(@Nullable String method, String pattern, boolean isMount, H handler) {
        Objects.requireNonNull(pattern, "pattern");
        if (!pattern.isEmpty() && !pattern.startsWith("/"))
            throw new IllegalArgumentException("a pattern must begin with a slash, got " + Checks.quoted(pattern));
        List<String> segments = segments(pattern);
        var names = new ArrayList<String>();
        boolean tail = false;
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            boolean last = i == segments.size() - 1;
            if (tail) throw new IllegalArgumentException("nothing may stand behind {...}, got '" + pattern + "'");
            if (isParameter(segment)) {
                tail = isTail(segment);
                String name = segment.substring(1, segment.length() - (tail ? REST.length() + 1 : 1));
                if (name.isEmpty() || name.indexOf('{') >= 0 || name.indexOf('}') >= 0 || names.contains(name))
                    throw new IllegalArgumentException(
                            "each {} of a pattern needs a name of its own, got '" + pattern + "'");
                names.add(name);
            } else literal(segment, last, pattern);
        }
        if (isMount && tail)
            throw new IllegalArgumentException("a prefix may not end with {...}, got '" + pattern + "'");
        if (isMount) names.add(REST);
        return new Route<>(method, pattern, isMount, List.copyOf(names), tail || isMount, handler);
    }

    private static void literal(String segment, boolean last, String pattern) {
        if (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0)
            throw new IllegalArgumentException(
                    "{name} must be a whole segment between two slashes, got '" + pattern + "'");
        if (segment.indexOf('%') >= 0 || segment.indexOf('?') >= 0 || segment.indexOf('#') >= 0)
            throw new IllegalArgumentException(
                    "a pattern is written without escapes and without a query, got '" + pattern + "'");
        if ((segment.isEmpty() && !last) || segment.equals(".") || segment.equals(".."))
            throw new IllegalArgumentException(
                    "a pattern may have no empty segment but the last, and no dot segment, got '" + pattern + "'");
    }

    static List<String> segments(String pattern) {
        return pattern.isEmpty() ? List.of() : List.of(pattern.substring(1).split("/", -1));
    }

    static boolean isParameter(String segment) {
        return segment.length() >= 2 && segment.startsWith("{") && segment.endsWith("}");
    }

    static boolean isTail(String segment) {
        return isParameter(segment) && segment.endsWith(REST + "}");
    }

    @Override
    public String toString() {
        return (method == null ? "*" : method) + " " + pattern + (isMount ? "/**" : "");
    }
}
