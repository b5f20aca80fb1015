package org.trueasync.internal.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent escapes of UTF-8 bytes (RFC 3986, 2.1). */
public final class Escapes {
    private Escapes() {}

    /**
     * Decodes a text of a target.
     *
     * @param text of Latin-1 characters, which stand for bytes
     * @param plusIsSpace as in a form
     * @throws IllegalArgumentException if an escape has no two hexadecimal digits, or the bytes are no UTF-8
     */
    public static String decoded(String text, boolean plusIsSpace) {
        if (isPlain(text)) return plusIsSpace ? text.replace('+', ' ') : text;
        byte[] bytes = new byte[text.length()];
        int size = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) throw new IllegalArgumentException("malformed escape");
                bytes[size++] = (byte) (high << 4 | low);
                i += 2;
            } else bytes[size++] = (byte) (c == '+' && plusIsSpace ? ' ' : c);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, size))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("escapes that are no UTF-8", e);
        }
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) == '%' || text.charAt(i) > 0x7f) return false;
        return true;
    }

    /**
     * Decodes a path, whose slashes still part its segments afterwards.
     *
     * @throws IllegalArgumentException if it has a malformed escape, an escaped slash or zero byte, or a segment that
     *     is {@code .} or {@code ..}, escaped or not: others on its way may take such a path for another one
     */
    public static String path(String path) {
        String decoded = path;
        if (path.indexOf('%') >= 0) {
            if (path.contains("%2f") || path.contains("%2F")) throw new IllegalArgumentException("escaped slash");
            decoded = decoded(path, false);
            if (decoded.indexOf('\0') >= 0) throw new IllegalArgumentException("escaped zero byte");
        }
        for (int dot = decoded.indexOf("/."); dot >= 0; dot = decoded.indexOf("/.", dot + 1)) {
            int end = decoded.startsWith(".", dot + 2) ? dot + 3 : dot + 2;
            if (end == decoded.length() || decoded.charAt(end) == '/')
                throw new IllegalArgumentException("dot segment");
        }
        return decoded;
    }
}
