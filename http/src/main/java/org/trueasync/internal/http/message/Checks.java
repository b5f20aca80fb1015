package org.trueasync.internal.http.message;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

/**
 * Checks of what a program puts into a message, so that no value can end its line and begin another (RFC 9110, 5.5).
 */
public final class Checks {
    private Checks() {}

    /**
     * Fails unless the text is a token (RFC 9110, 5.6.2): the name of a header field, a method.
     *
     * @param what names it in the message
     * @return the text
     * @throws IllegalArgumentException if it is none
     */
    public static String token(String what, String text) {
        Objects.requireNonNull(text, what);
        if (text.isEmpty()) throw new IllegalArgumentException(what + " must not be empty");
        if (!isToken(text))
            throw new IllegalArgumentException(
                    what + " must be of letters, digits and !#$%&'*+-.^_`|~, got " + quoted(text));
        return text;
    }

    /** True if the text is a token. */
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) if (!isTokenChar(text.charAt(i))) return false;
        return !text.isEmpty();
    }

    /**
     * Fails unless the text may be the value of a header field: no control characters but tabs, nothing beyond Latin-1.
     *
     * @param name the field, for the message
     * @return the text, without white space at its ends
     * @throws IllegalArgumentException if it may not
     */
    public static String value(String name, String text) {
        Objects.requireNonNull(text, name);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff)
                throw new IllegalArgumentException("value of " + name
                        + " must have no line ends, other control characters or characters beyond Latin-1, got "
                        + quoted(text));
        }
        return text.strip();
    }

    /**
     * Fails if the text can't be the name or address of a host.
     *
     * @return the text
     * @throws IllegalArgumentException if it has white space or control characters
     */
    public static String host(String text) {
        if (Objects.requireNonNull(text, "host").chars().anyMatch(c -> c <= ' ' || c == 0x7f))
            throw new IllegalArgumentException(
                    "a host must have no white space and no control characters, got " + quoted(text));
        return text;
    }

    /**
     * Returns the text as a URI.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static URI uri(String text) {
        try {
            return new URI(Objects.requireNonNull(text, "uri"));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "URI is malformed: " + e.getReason() + " at index " + e.getIndex() + ", got " + quoted(text));
        }
    }

    static boolean isTokenChar(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || (c < 0x7f && "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }

    /** The text in quotes, for a message: cut after 80 characters, what can't be printed as {@code ?}. */
    public static String quoted(String text) {
        var shown = new StringBuilder("'");
        for (int i = 0; i < Math.min(text.length(), 80); i++) {
            char c = text.charAt(i);
            shown.append(c < ' ' || c == 0x7f ? '?' : c);
        }
        if (text.length() > 80) shown.append("...");
        return shown.append('\'').toString();
    }
}
