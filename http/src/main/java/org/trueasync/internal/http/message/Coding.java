package org.trueasync.internal.http.message;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** A content coding that is known here (RFC 9110, 8.4.1); the first ones make the smallest files. */
public enum Coding {
    BROTLI("br", ".br"),
    ZSTANDARD("zstd", ".zst"),
    GZIP("gzip", ".gz");

    private final String token;
    private final String ending;

    Coding(String token, String ending) {
        this.token = token;
        this.ending = ending;
    }

    /** As header fields name it. */
    public String token() {
        return token;
    }

    /** What names of files that have it end with. */
    public String ending() {
        return ending;
    }

    /** Returns the coding that a field names; null if it is not known. */
    public static @Nullable Coding of(String name) {
        return switch (name.strip().toLowerCase(Locale.ROOT)) {
            case "br" -> BROTLI;
            case "zstd" -> ZSTANDARD;
            case "gzip", "x-gzip" -> GZIP;
            default -> null;
        };
    }

    /**
     * Returns the codings that are at least as good for a peer as none (RFC 9110, 12.5.3), the best one first; a peer
     * that says nothing gets none.
     *
     * @param fields of the request
     * @param among in the order of preference where the peer has none
     */
    public static List<Coding> accepted(Fields fields, List<Coding> among) {
        float identity = -1;
        float others = -1;
        Map<Coding, Float> qualities = null;
        for (int i = 0; i < fields.size(); i++) {
            HttpField field = fields.at(i);
            if (field.getHeader() != HttpHeader.ACCEPT_ENCODING) continue;
            if (qualities == null) qualities = new EnumMap<>(Coding.class);
            for (String one : Fields.value(field).split(",")) {
                int end = one.indexOf(';');
                String name = (end < 0 ? one : one.substring(0, end)).strip();
                Coding coding = of(name);
                if (coding != null) qualities.put(coding, quality(one));
                else if (name.equalsIgnoreCase("identity")) identity = quality(one);
                else if (name.equals("*")) others = quality(one);
            }
        }
        if (qualities == null) return List.of();
        // who takes anything knows gzip at least
        if (others >= 0) qualities.putIfAbsent(GZIP, others);
        var accepted = new ArrayList<Coding>(among.size());
        for (Coding coding : among) {
            float quality = qualities.getOrDefault(coding, 0f);
            if (quality == 0 || quality < identity) continue;
            int at = accepted.size();
            while (at > 0 && qualities.getOrDefault(accepted.get(at - 1), 0f) < quality) at--;
            accepted.add(at, coding);
        }
        return accepted;
    }

    private static float quality(String element) {
        String text = Queries.parameter(element, "q");
        if (text == null) return 1;
        try {
            float quality = Float.parseFloat(text);
            return quality >= 0 && quality <= 1 ? quality : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
