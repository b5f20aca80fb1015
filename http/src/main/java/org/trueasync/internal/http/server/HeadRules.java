package org.trueasync.internal.http.server;

import java.net.Inet6Address;
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
            else if (header == HttpHeader.HOST && !isHostAndPort(Fields.value(field), false))
                return new Refusal(400, "malformed Host");
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

    /** True for a host and, after a colon, a port (RFC 3986, 3.2.2 and 3.2.3), without a user. */
    static boolean isHostAndPort(String text, boolean needsPort) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > text.lastIndexOf(']');
        String host = hasPort ? text.substring(0, colon) : text;
        if (hasPort ? !isPort(text.substring(colon + 1), needsPort) : needsPort) return false;
        return host.startsWith("[")
                ? host.endsWith("]") && isAddress(host.substring(1, host.length() - 1))
                : isName(host);
    }

    private static boolean isPort(String text, boolean needed) {
        if (text.isEmpty()) return !needed;
        int port = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) return false;
            port = Math.min(10 * port + digit, 1 << 16);
        }
        return port < 1 << 16 && (port > 0 || !needed);
    }

    private static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isEscape = c == '%'
                    && i + 2 < text.length()
                    && Character.digit(text.charAt(i + 1), 16) >= 0
                    && Character.digit(text.charAt(i + 2), 16) >= 0;
            if (!isEscape && !isOfName(c)) return false;
        }
        return !text.isEmpty();
    }

    /** True for the unreserved characters and the sub-delims. */
    private static boolean isOfName(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "-._~!$&'()*+,;=".indexOf(c) >= 0;
    }

    /** True for what stands in brackets: an IPv6 address, or one of a later version. */
    private static boolean isAddress(String text) {
        if (text.startsWith("v") || text.startsWith("V")) {
            int dot = text.indexOf('.');
            if (dot < 2 || dot + 1 == text.length()) return false;
            for (int i = 1; i < dot; i++) if (Character.digit(text.charAt(i), 16) < 0) return false;
            for (int i = dot + 1; i < text.length(); i++)
                if (text.charAt(i) != ':' && !isOfName(text.charAt(i))) return false;
            return true;
        }
        if (text.indexOf('%') >= 0) return false;
        try {
            Inet6Address.ofLiteral(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
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
