package org.trueasync.internal.http.message;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a query or a form: {@code a=1&b=2}. */
public final class Queries {
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    private Queries() {}

    /**
     * Reads a query.
     *
     * @param query without the question mark; null for none
     * @throws IllegalArgumentException if it has a malformed escape
     */
    public static Queries of(@Nullable String query) {
        var all = new Queries();
        if (query == null || query.isEmpty()) return all;
        for (String pair : query.split("&")) {
            if (pair.isEmpty()) continue;
            int end = pair.indexOf('=');
            String name = end < 0 ? pair : pair.substring(0, end);
            String value = end < 0 ? "" : pair.substring(end + 1);
            all.values
                    .computeIfAbsent(Escapes.decoded(name, true), n -> new ArrayList<>(1))
                    .add(Escapes.decoded(value, true));
        }
        return all;
    }

    /** All values of a parameter, in order. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns a parameter of a header field's value such as {@code text/html; charset=utf-8}; null if it has none. */
    public static @Nullable String parameter(@Nullable String value, String name) {
        if (value == null) return null;
        int from = value.indexOf(';');
        while (from >= 0) {
            int end = value.indexOf(';', from + 1);
            String part =
                    value.substring(from + 1, end < 0 ? value.length() : end).strip();
            int equal = part.indexOf('=');
            if (equal > 0 && part.substring(0, equal).strip().equalsIgnoreCase(name)) {
                String found = part.substring(equal + 1).strip();
                boolean isQuoted = found.length() >= 2 && found.startsWith("\"") && found.endsWith("\"");
                return isQuoted ? found.substring(1, found.length() - 1) : found;
            }
            from = end;
        }
        return null;
    }
}
