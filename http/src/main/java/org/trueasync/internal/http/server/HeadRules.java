package org.trueasync.internal.http.server;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;

/** What RFC 9110 and 9112 ask of the head of a request, beyond its syntax. */
final class HeadRules {
    private HeadRules() {}

    /** Returns why the request is refused; null if it is good. */
    static @Nullable Refusal check(String method, String target, boolean http10, Fields fields) {
        Refusal byTarget = target(method, target);
        if (byTarget != null) return byTarget;
        String coding = null;
        for (int i = 0; i < fields.size(); i++) {
            HttpField field = fields.at(i);
            HttpHeader header = field.getHeader();
            if (header == HttpHeader.TRANSFER_ENCODING)
                coding = coding == null ? Fields.value(field) : coding + ", " + Fields.value(field);
            else if (header == HttpHeader.HOST && Fields.value(field).isEmpty()) return new Refusal(400, "empty Host");
            else if (header == HttpHeader.EXPECT && !"100-continue".equalsIgnoreCase(Fields.value(field)))
                return new Refusal(417, "this server knows no expectation but 100-continue");
        }
        if (coding == null) return null;
        // RFC 9112, 6.1: a faulty message, whose end intermediaries may see elsewhere
        if (http10) return new Refusal(400, "Transfer-Encoding in HTTP/1.0");
        if (!coding.strip().equalsIgnoreCase("chunked"))
            return new Refusal(501, "this server knows no transfer coding but chunked");
        return null;
    }

    /** The four forms of RFC 9112, 3.2. */
    private static @Nullable Refusal target(String method, String target) {
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#')
                return new Refusal(400, "character in the target that must be escaped");
        }
        if (method.equals("CONNECT"))
            return isHostAndPort(target, true) ? null : new Refusal(400, "CONNECT needs host:port");
        if (target.startsWith("/")) return null;
        if (target.equals("*")) return method.equals("OPTIONS") ? null : new Refusal(400, "target * is for OPTIONS");
        int scheme = schemeLength(target);
        if (scheme < 0 || target.length() == scheme) return new Refusal(400, "malformed target");
        int authorityEnd = pathStart(target);
        return isHostAndPort(target.substring(scheme, authorityEnd), false)
                ? null
                : new Refusal(400, "malformed authority in the target");
    }

    private static boolean isHostAndPort(String text, boolean needsPort) {
        for (int i = 0; i < text.length(); i++) if ("/?@".indexOf(text.charAt(i)) >= 0) return false;
        int colon = text.indexOf(':', Math.max(0, text.lastIndexOf(']')));
        if (colon < 0) return !needsPort && !text.isEmpty();
        String port = text.substring(colon + 1);
        if (port.isEmpty()) return !needsPort && colon > 0;
        if (colon == 0 || port.length() > 5) return false;
        for (int i = 0; i < port.length(); i++) if (port.charAt(i) < '0' || port.charAt(i) > '9') return false;
        return Integer.parseInt(port) <= 65_535;
    }

    /** The length of {@code http://} or {@code https://}; -1 if the target begins with neither. */
    static int schemeLength(String target) {
        if (target.regionMatches(true, 0, "http://", 0, 7)) return 7;
        return target.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
    }

    /** Where path and query begin: after the authority of the absolute form, else at 0. */
    static int pathStart(String target) {
        int scheme = schemeLength(target);
        if (scheme < 0) return 0;
        for (int i = scheme; i < target.length(); i++) if (target.charAt(i) == '/' || target.charAt(i) == '?') return i;
        return target.length();
    }
}
