package org.trueasync.http;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.http.CookieCompliance;
import org.eclipse.jetty.http.CookieParser;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;

/**
 * A cookie for {@link Exchange#setCookie}. Unless it says otherwise it is sent back to every path of the host, for the
 * session of the browser, is not seen by scripts ({@code HttpOnly}), not sent by other sites except when a link is
 * followed ({@code SameSite=Lax}), and {@code Secure} if the client uses TLS. Immutable. Any thread.
 *
 * {@snippet :
 * exchange.setCookie(Cookie.of("session", id).maxAge(Duration.ofDays(7)));
 * }
 */
public final class Cookie {
    private final String name;
    private final String value;
    private String attributes = "";
    private String path = "/";
    private String sameSite = "Lax";
    private boolean httpOnly = true;
    private boolean secure;

    private Cookie(String name, String value) {
        this.name = name;
        this.value = value;
    }

    private Cookie copy() {
        var next = new Cookie(name, value);
        next.attributes = attributes;
        next.path = path;
        next.sameSite = sameSite;
        next.httpOnly = httpOnly;
        next.secure = secure;
        return next;
    }

    /**
     * A cookie.
     *
     * @param name a token
     * @param value visible ASCII characters without quotes, commas, semicolons and backslashes; encode others
     * @throws IllegalArgumentException if name or value have what they may not
     */
    public static Cookie of(String name, String value) {
        Checks.token("name of a cookie", name);
        Objects.requireNonNull(value, "value");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c >= 0x7f || "\",;\\".indexOf(c) >= 0)
                throw new IllegalArgumentException("the value of the cookie " + name
                        + " must be visible ASCII without quote, comma, semicolon and backslash, got another character at "
                        + i + "; encode it, by URLEncoder for instance");
        }
        return new Cookie(name, value);
    }

    /**
     * Takes the cookie of that name away from the client; with the path and domain that it was set for.
     *
     * @param name a token
     */
    public static Cookie expired(String name) {
        return of(name, "").maxAge(Duration.ZERO);
    }

    /**
     * How long the browser keeps it.
     *
     * @param time >= 0, in whole seconds; 0 to take it away
     */
    public Cookie maxAge(Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative())
            throw new IllegalArgumentException("maxAge must be >= 0 s, got " + time);
        return with("; Max-Age=" + time.toSeconds());
    }

    /**
     * Below which path it is sent back.
     *
     * @param prefix begins with a slash
     */
    public Cookie path(String prefix) {
        if (!Objects.requireNonNull(prefix, "prefix").startsWith("/"))
            throw new IllegalArgumentException("path must begin with /, got " + Checks.quoted(prefix));
        Cookie next = copy();
        next.path = attribute("path", prefix);
        return next;
    }

    /**
     * Sends it back to all hosts below a domain; to the host itself alone otherwise.
     *
     * @param name of the domain
     */
    public Cookie domain(String name) {
        return with("; Domain=" + attribute("domain", name));
    }

    /**
     * When requests that other sites cause have it: {@code Strict} never, {@code Lax} if a link is followed,
     * {@code None} always, which browsers allow with {@code Secure} alone.
     *
     * @param mode one of these three
     */
    public Cookie sameSite(String mode) {
        if (!List.of("Strict", "Lax", "None").contains(Objects.requireNonNull(mode, "mode")))
            throw new IllegalArgumentException("sameSite must be Strict, Lax or None, got " + Checks.quoted(mode));
        Cookie next = copy();
        next.sameSite = mode;
        if (mode.equals("None")) next.secure = true;
        return next;
    }

    /**
     * Whether scripts of pages may not see it.
     *
     * @param on false to let them
     */
    public Cookie httpOnly(boolean on) {
        Cookie next = copy();
        next.httpOnly = on;
        return next;
    }

    /** Sends it back over TLS alone, also if the client does not use TLS now: a proxy in front may. */
    public Cookie secure() {
        Cookie next = copy();
        next.secure = true;
        return next;
    }

    private Cookie with(String attribute) {
        Cookie next = copy();
        next.attributes += attribute;
        return next;
    }

    private static String attribute(String what, String text) {
        Checks.value(what, text);
        if (text.indexOf(';') >= 0)
            throw new IllegalArgumentException(what + " must have no semicolon, got '" + text + "'");
        return text;
    }

    /** The value of {@code Set-Cookie}. */
    String field(boolean overTls) {
        return name + '=' + value + "; Path=" + path + attributes + "; SameSite=" + sameSite
                + (httpOnly ? "; HttpOnly" : "") + (secure || overTls ? "; Secure" : "");
    }

    static @Nullable String find(List<String> fields, String name) {
        if (fields.isEmpty()) return null;
        var found = new String[1];
        CookieParser parser = CookieParser.newParser(
                (key, value, version, domain, path, comment) -> {
                    if (found[0] == null && key.equals(name)) found[0] = value;
                },
                CookieCompliance.RFC6265,
                null);
        try {
            parser.parseFields(fields);
        } catch (RuntimeException e) {
            // what stood before it counts
        }
        return found[0];
    }

    @Override
    public String toString() {
        return "cookie " + name;
    }
}
