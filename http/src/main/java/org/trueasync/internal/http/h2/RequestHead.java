package org.trueasync.internal.http.h2;

import java.util.Locale;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Fields;

/** The head of a request. */
final class RequestHead extends MessageHead {
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;

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
            head.add(field);
        }
        if (cookies != null) head.fields.add(HttpHeader.COOKIE, cookies);
        if (head.authority != null && !head.fields.has(HttpHeader.HOST))
            head.fields.add(HttpHeader.HOST, head.authority);
        return head.isWellFormed() ? head : null;
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

    /** True if it names two hosts. */
    boolean hasTwoHosts() {
        String host = fields.get(HttpHeader.HOST);
        return fields.all("Host").size() > 1
                || (authority != null
                        && host != null
                        && !authority.toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT)));
    }

    @Override
    long bytes() {
        return 4 * 42L + method().length() + target().length() + super.bytes();
    }
}
