package org.trueasync.internal.http.files;

import java.time.Instant;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Dates;
import org.trueasync.internal.http.message.Fields;

/** Conditional requests, in the order of RFC 9110, 13.2.2. */
final class Conditions {
    private Conditions() {}

    /** Returns 0 if the request is to be answered, 304, or 412. */
    static int check(Fields fields, boolean isRead, Version version) {
        if (fields.has(HttpHeader.IF_MATCH)) {
            if (!lists(fields, "If-Match", version, true)) return 412;
        } else if (version.isDated()) {
            Instant since = date(fields, HttpHeader.IF_UNMODIFIED_SINCE);
            if (since != null && version.modified().isAfter(since)) return 412;
        }
        if (fields.has(HttpHeader.IF_NONE_MATCH)) {
            if (lists(fields, "If-None-Match", version, false)) return isRead ? 304 : 412;
        } else if (isRead && version.isDated()) {
            Instant since = date(fields, HttpHeader.IF_MODIFIED_SINCE);
            if (since != null && !version.modified().isAfter(since)) return 304;
        }
        return 0;
    }

    /** Returns whether the ranges that are asked for are those of this version: what {@code If-Range} says. */
    static boolean allowsRanges(Fields fields, Version version) {
        String condition = fields.get(HttpHeader.IF_RANGE);
        if (condition == null) return true;
        if (!version.isStrong()) return false;
        if (condition.startsWith("\"")) return condition.equals(version.tag());
        return version.modified().equals(Dates.parse(condition));
    }

    private static @Nullable Instant date(Fields fields, HttpHeader name) {
        String text = fields.get(name);
        return text == null ? null : Dates.parse(text);
    }

    /** Returns whether a list of entity tags has that of the version. What is no tag ends the list. */
    static boolean lists(Fields fields, String name, Version version, boolean strongly) {
        if (strongly && !version.isStrong()) return fields.all(name).contains("*");
        for (String list : fields.all(name)) {
            if (list.equals("*")) return true;
            int at = 0;
            while (at < list.length()) {
                char c = list.charAt(at);
                if (c == ' ' || c == '\t' || c == ',') {
                    at++;
                    continue;
                }
                boolean isWeak = list.startsWith("W/", at);
                int quote = isWeak ? at + 2 : at;
                int end = list.startsWith("\"", quote) ? list.indexOf('"', quote + 1) : -1;
                if (end < 0) break;
                if (list.substring(quote, end + 1).equals(version.opaque()) && !(strongly && isWeak)) return true;
                at = end + 1;
            }
        }
        return false;
    }
}
