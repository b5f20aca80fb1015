package org.trueasync.internal.http.files;

import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.MimeTypes;

/** Content types by the ends of file names. A table in memory: to ask the system would block the loop. */
final class ContentTypes {
    private static final Map<String, String> ADDED = Map.of(
            "md", "text/plain",
            "log", "text/plain",
            "yaml", "text/plain",
            "yml", "text/plain",
            "map", "application/json",
            "webmanifest", "application/manifest+json");

    private ContentTypes() {}

    /** Returns the type of a file; text is in UTF-8. */
    static String of(String fileName) {
        String end = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        String type = ADDED.get(end);
        if (type == null) type = MimeTypes.DEFAULTS.getMimeForExtension(end);
        if (type == null) return "application/octet-stream";
        return type.startsWith("text/") ? type + "; charset=utf-8" : type;
    }
}
