package org.trueasync.internal.http.h2;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Fields;

/** The head of a request, as RFC 9113, 8.1.1 to 8.3 ask for it. */
final class RequestHead {
    private static final Set<HttpHeader> OF_CONNECTIONS = EnumSet.of(
            HttpHeader.CONNECTION,
            HttpHeader.KEEP_ALIVE,
            HttpHeader.PROXY_CONNECTION,
            HttpHeader.TRANSFER_ENCODING,
            HttpHeader.UPGRADE);

    private final Fields fields = new Fields(16);
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;
    /** What the head names; -1 for nothing, -2 for what is no length. */
    private long length = -1;

    private RequestHead() {}

    /** Makes a head of a block of fields; null if it is malformed. */
    static @Nullable RequestHead of(Fields block) {
        var head = new RequestHead();
        String cookies = null;
        for (HttpField field : block) {
            if (isPseudo(field)) {
                if (head.fields.size() > 0 || cookies != null || !head.takes(field)) return null;
                continue;
            }
            if (!isOfMessage(field)) return null;
            String value = Fields.value(field);
            if (field.getHeader() == HttpHeader.COOKIE) {
                // one field is several here, so that each is packed by itself (RFC 9113, 8.2.3)
                cookies = cookies == null ? value : cookies + "; " + value;
                continue;
            }
            if (field.getHeader() == HttpHeader.CONTENT_LENGTH) head.length = head.length == -1 ? length(value) : -2;
            head.fields.add(field);
        }
        if (cookies != null) head.fields.add(HttpHeader.COOKIE, cookies);
        if (head.authority != null && !head.fields.has(HttpHeader.HOST))
            head.fields.add(HttpHeader.HOST, head.authority);
        return head.isWellFormed() ? head : null;
    }

    /** True if a block may stand behind a body. */
    static boolean areTrailers(Fields block) {
        for (HttpField field : block) if (isPseudo(field) || !isOfMessage(field)) return false;
        return true;
    }

    private static boolean isPseudo(HttpField field) {
        return field.getName().startsWith(":");
    }

    private static boolean isOfMessage(HttpField field) {
        HttpHeader header = field.getHeader();
        if (header == HttpHeader.TE) return Fields.value(field).equalsIgnoreCase("trailers");
        return header == null || !OF_CONNECTIONS.contains(header);
    }

    /** Returns false if there is no such pseudo-field, or it came before. */
    private boolean takes(HttpField field) {
        String value = Fields.value(field);
        String before;
        switch (field.getName()) {
            case ":method" -> {
                before = method;
                method = value;
            }
            case ":scheme" -> {
                before = scheme;
                scheme = value;
            }
            case ":authority" -> {
                before = authority;
                authority = value;
            }
            case ":protocol" -> {
                before = protocol;
                protocol = value;
            }
            case ":path" -> {
                before = path;
                path = value;
            }
            default -> {
                return false;
            }
        }
        return before == null;
    }

    private static long length(String text) {
        if (text.isEmpty() || text.length() > 18) return -2;
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) < '0' || text.charAt(i) > '9') return -2;
        return Long.parseLong(text);
    }

    private boolean isWellFormed() {
        if (length < -1 || method == null || !Checks.isToken(method)) return false;
        boolean isConnect = method.equals("CONNECT");
        if (protocol != null && (!isConnect || authority == null)) return false;
        if (isConnect && protocol == null) return scheme == null && path == null && authority != null;
        return ("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))
                && path != null
                && (path.startsWith("/") || path.equals("*"));
    }

    String method() {
        return String.valueOf(method);
    }

    /** What a stream is asked for, in place of a response (RFC 8441); null for nothing. */
    @Nullable
    String protocol() {
        return protocol;
    }

    /** Path and query; the authority for CONNECT. */
    String target() {
        return String.valueOf(path == null ? authority : path);
    }

    Fields fields() {
        return fields;
    }

    /** The length of the body that it names; -1 for none. */
    long length() {
        return length;
    }

    /** True if it names two hosts. */
    boolean hasTwoHosts() {
        String host = fields.get(HttpHeader.HOST);
        return fields.all("Host").size() > 1
                || (authority != null
                        && host != null
                        && !authority.toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT)));
    }

    /** Its size, as RFC 9113, 6.5.2 counts it. */
    long bytes() {
        long bytes = 4 * 42L + method().length() + target().length();
        for (HttpField field : fields)
            bytes += 32L + field.getName().length() + Fields.value(field).length();
        return bytes;
    }
}
