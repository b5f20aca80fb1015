package org.trueasync.internal.http.message;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** A content coding that is known here (RFC 9110, 8.4.1); the first ones make the smallest files. */
public enum Coding {
    BROTLI("br", ".br"),
    ZSTANDARD("zstd", ".zst"),
    GZIP("gzip", ".gz");

    private static final Coding[] ALL = values();

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
        var quality = new float[ALL.length];
        Arrays.fill(quality, -1);
        float identity = -1;
        float others = -1;
        boolean isNamed = false;
        for (int i = 0; i < fields.size(); i++) {
            HttpField field = fields.at(i);
            if (field.getHeader() != HttpHeader.ACCEPT_ENCODING) continue;
            isNamed = true;
            for (String one : Fields.value(field).split(",")) {
                int end = one.indexOf(';');
                String name = (end < 0 ? one : one.substring(0, end)).strip();
                Coding coding = of(name);
                if (coding != null) quality[coding.ordinal()] = quality(one);
                else if (name.equalsIgnoreCase("identity")) identity = quality(one);
                else if (name.equals("*")) others = quality(one);
            }
        }
        if (!isNamed) return List.of();
        var accepted = new ArrayList<Coding>(among.size());
        for (Coding coding : among) {
            int i = coding.ordinal();
            if (quality[i] < 0) quality[i] = others;
            if (quality[i] > 0 && quality[i] >= identity) accepted.add(coding);
        }
        if (accepted.size() > 1)
            accepted.sort(Comparator.comparing((Coding coding) -> -quality[coding.ordinal()])); // stable
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
