package org.trueasync.internal.http.files;

import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.MimeTypes;

/** Content types by the ends of file names. A table in memory: to ask the system would block the loop. */
final class ContentTypes {
    /** What the table of Jetty does not have, as IANA has registered it where it has. */
    private static final Map<String, String> ADDED = Map.ofEntries(
            Map.entry("md", "text/plain"),
            Map.entry("log", "text/plain"),
            Map.entry("yaml", "text/plain"),
            Map.entry("yml", "text/plain"),
            Map.entry("toml", "text/plain"),
            Map.entry("vtt", "text/vtt"),
            Map.entry("ics", "text/calendar"),
            Map.entry("vcf", "text/vcard"),
            Map.entry("map", "application/json"),
            Map.entry("jsonld", "application/ld+json"),
            Map.entry("geojson", "application/geo+json"),
            Map.entry("ndjson", "application/x-ndjson"),
            Map.entry("webmanifest", "application/manifest+json"),
            Map.entry("epub", "application/epub+zip"),
            Map.entry("7z", "application/x-7z-compressed"),
            Map.entry("parquet", "application/vnd.apache.parquet"),
            Map.entry("mpd", "application/dash+xml"),
            Map.entry("m3u8", "application/vnd.apple.mpegurl"),
            Map.entry("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            Map.entry("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
            Map.entry("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
            Map.entry("heic", "image/heic"),
            Map.entry("jxl", "image/jxl"),
            Map.entry("aac", "audio/aac"),
            Map.entry("flac", "audio/flac"),
            Map.entry("m4a", "audio/mp4"),
            Map.entry("oga", "audio/ogg"),
            Map.entry("opus", "audio/ogg"),
            Map.entry("weba", "audio/webm"),
            Map.entry("webm", "video/webm"),
            Map.entry("ogv", "video/ogg"),
            Map.entry("mkv", "video/matroska"),
            Map.entry("gltf", "model/gltf+json"),
            Map.entry("glb", "model/gltf-binary"));

    private ContentTypes() {}

    /**
     * Returns the type of a file; text is in UTF-8.
     *
     * @param own what comes before the table, by endings in lower case
     */
    static String of(String fileName, Map<String, String> own) {
        String end = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        String type = own.get(end);
        if (type != null) return type;
        type = ADDED.get(end);
        if (type == null) type = MimeTypes.DEFAULTS.getMimeForExtension(end);
        if (type == null) return "application/octet-stream";
        return type.startsWith("text/") ? type + "; charset=utf-8" : type;
    }
}
