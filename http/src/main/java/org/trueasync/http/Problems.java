package org.trueasync.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.HeadWriter;

/** Problem details of an error (RFC 9457). */
final class Problems {
    private Problems() {}

    static byte[] of(@Nullable HttpException error, int status, String text) {
        var members = new LinkedHashMap<String, Object>();
        members.put("title", HeadWriter.reason(status));
        members.put("status", status);
        members.put("detail", text);
        if (error != null) members.putAll(error.members());
        var json = new StringBuilder("{");
        for (Map.Entry<String, Object> member : members.entrySet()) {
            if (json.length() > 1) json.append(',');
            text(json, member.getKey()).append(':');
            if (member.getValue() instanceof Boolean || isNumber(member.getValue())) json.append(member.getValue());
            else text(json, String.valueOf(member.getValue()));
        }
        return json.append('}').toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Those that are none, or without an end, are no numbers for JSON. */
    private static boolean isNumber(Object value) {
        return value instanceof Number number
                && Double.isFinite(number.doubleValue())
                && value.toString().matches("[-+.\\dEe]+");
    }

    private static StringBuilder text(StringBuilder json, String text) {
        json.append('"');
        AccessLog.escape(json, text, "\\u%04x");
        return json.append('"');
    }
}
