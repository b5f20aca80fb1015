package org.trueasync.internal.http.message;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The header field {@code Content-Disposition}: of a part of a form, in each way in which clients write names, and of a
 * response.
 *
 * @param type {@code form-data} for instance, in lower case
 * @param name null if there is none
 * @param fileName without folders; null if there is none
 */
public record Disposition(
        String type, @Nullable String name, @Nullable String fileName) {
    private static final Disposition NONE = new Disposition("", null, null);

    /** Reads the field; what is malformed in it is left away. */
    public static Disposition of(@Nullable String field) {
        if (field == null) return NONE;
        var reader = new Reader(field);
        String type = reader.until(";").strip().toLowerCase(Locale.ROOT);
        String name = null;
        String file = null;
        String extended = null;
        while (reader.hasMore()) {
            String key = reader.until("=;").strip().toLowerCase(Locale.ROOT);
            if (!reader.passed('=')) continue;
            String value = reader.value();
            switch (key) {
                case "name" -> name = name == null ? value : name;
                case "filename" -> file = file == null ? value : file;
                case "filename*" -> extended = extended == null ? extended(value) : extended;
                default -> {}
            }
        }
        String fileName = extended != null ? extended : file;
        return new Disposition(type, name, fileName == null ? null : withoutFolders(fileName));
    }

    /** Old browsers send the whole path. */
    private static String withoutFolders(String name) {
        return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    }

    /** RFC 8187: {@code UTF-8''%e2%82%ac}; null if it is malformed. */
    private static @Nullable String extended(String value) {
        int text = value.indexOf('\'', value.indexOf('\'') + 1);
        if (text < 0 || !value.regionMatches(true, 0, "UTF-8'", 0, 6)) return null;
        try {
            return Escapes.decoded(value.substring(text + 1), false);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Takes a field apart. */
    private static final class Reader {
        private final String field;
        private int at;
        private char last;

        Reader(String field) {
            this.field = field;
        }

        boolean hasMore() {
            return at < field.length();
        }

        /** Reads up to one of these characters, and over it. */
        String until(String ends) {
            int from = at;
            while (at < field.length() && ends.indexOf(field.charAt(at)) < 0) at++;
            String read = field.substring(from, at);
            last = at < field.length() ? field.charAt(at++) : 0;
            return read;
        }

        boolean passed(char c) {
            return last == c;
        }

        String value() {
            while (at < field.length() && field.charAt(at) == ' ') at++;
            if (at == field.length() || field.charAt(at) != '"')
                return until(";").strip();
            at++;
            var text = new StringBuilder();
            while (at < field.length() && field.charAt(at) != '"') {
                char c = field.charAt(at++);
                // curl and Firefox up to 87 escape quote and backslash so; a path of Windows has backslashes as well
                boolean isEscape = c == '\\' && at < field.length() && "\"\\".indexOf(field.charAt(at)) >= 0;
                text.append(isEscape ? field.charAt(at++) : c);
            }
            at = Math.min(at + 1, field.length());
            until(";");
            // today's browsers escape these three so, and nothing else (HTML, 4.10.21.8)
            return text.toString().replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
        }
    }

    /**
     * Returns the field of a response that a browser saves to a file (RFC 6266): the name in ASCII for old clients, and
     * as it is.
     */
    public static String attachment(String fileName) {
        var plain = new StringBuilder();
        boolean isPlain = true;
        for (int i = 0; i < fileName.length(); i++) {
            char c = fileName.charAt(i);
            boolean isKept = c >= ' ' && c < 0x7f && "\"\\%/".indexOf(c) < 0;
            isPlain &= isKept;
            plain.append(isKept ? c : '_');
        }
        String field = "attachment; filename=\"" + plain + '"';
        if (isPlain) return field;
        String escaped = URLEncoder.encode(fileName, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
        return field + "; filename*=UTF-8''" + escaped;
    }
}
