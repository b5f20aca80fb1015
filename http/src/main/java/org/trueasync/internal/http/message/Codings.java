package org.trueasync.internal.http.message;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;

/** Which content codings a peer takes (RFC 9110, 12.5.3). */
public final class Codings {
    private Codings() {}

    /** Returns whether gzip is at least as good for the peer as no coding; a peer that says nothing gets none. */
    public static boolean prefersGzip(Fields fields) {
        float gzip = -1;
        float identity = -1;
        float others = -1;
        for (int i = 0; i < fields.size(); i++) {
            HttpField field = fields.at(i);
            if (field.getHeader() != HttpHeader.ACCEPT_ENCODING) continue;
            for (String one : Fields.value(field).split(",")) {
                int end = one.indexOf(';');
                String coding = (end < 0 ? one : one.substring(0, end)).strip();
                float quality = quality(one);
                if (coding.equalsIgnoreCase("gzip") || coding.equalsIgnoreCase("x-gzip")) gzip = quality;
                else if (coding.equalsIgnoreCase("identity")) identity = quality;
                else if (coding.equals("*")) others = quality;
            }
        }
        if (gzip < 0) gzip = others;
        return gzip > 0 && gzip >= identity;
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
