package org.trueasync.internal.http.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whom a request is for.
 *
 * @param host in lower case; the literal of an IPv6 address in brackets
 */
record Origin(boolean secure, String host, int port) {
    /**
     * Returns the origin of a URI.
     *
     * @throws IllegalArgumentException if this client can't ask for that URI
     */
    static Origin of(URI uri) {
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        if (!secure && !"http".equalsIgnoreCase(uri.getScheme()))
            throw new IllegalArgumentException("a URI must begin with http:// or https://, got " + uri);
        URI parsed = uri;
        if (parsed.getHost() == null && parsed.getRawAuthority() != null) parsed = lenient(parsed);
        String host = parsed.getHost();
        String userInfo = uri.getRawUserInfo();
        String authority = uri.getRawAuthority();
        if (userInfo != null || (authority != null && authority.indexOf('@') >= 0))
            throw new IllegalArgumentException(
                    "a URI must have no user or password, which logs would show; use a header field Authorization");
        String given = parsed != uri && host != null ? hostOf(uri) : host;
        if (given == null || given.isEmpty()) throw new IllegalArgumentException("a URI must have a host, got " + uri);
        int port = parsed.getPort() >= 0 ? parsed.getPort() : secure ? 443 : 80;
        if (port < 1 || port > 65_535)
            throw new IllegalArgumentException("the port of a URI must be 1 to 65535, got " + uri);
        return new Origin(secure, given.toLowerCase(Locale.ROOT), port);
    }

    /** Names with underscores, which containers have, are no hosts for {@link URI}. */
    private static URI lenient(URI uri) {
        try {
            return new URI(uri.getScheme() + "://" + uri.getRawAuthority().replace('_', '-'));
        } catch (URISyntaxException e) {
            return uri;
        }
    }

    private static @Nullable String hostOf(URI uri) {
        String authority = uri.getRawAuthority();
        int colon = authority.lastIndexOf(':');
        return colon < 0 ? authority : authority.substring(0, colon);
    }

    /** The host without brackets. */
    String address() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Host and port. */
    String hostAndPort() {
        return host + ':' + port;
    }

    /** For the header field {@code Host}. */
    String authority() {
        return port == (secure ? 443 : 80) ? host : hostAndPort();
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + hostAndPort();
    }
}
