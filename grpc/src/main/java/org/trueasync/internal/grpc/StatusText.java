package org.trueasync.internal.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The field {@code grpc-message}: UTF-8, whose bytes are escaped unless they are printable ASCII. */
final class StatusText {
    private static final String HEX = "0123456789ABCDEF";

    private StatusText() {}

    static String encode(String text) {
        var encoded = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~' && b != '%') encoded.append((char) b);
            else encoded.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
        }
        return encoded.toString();
    }

    /** What is no escape stays as it is. */
    static String decode(String text) {
        if (text.indexOf('%') < 0) return text;
        var bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            boolean isEscape = text.charAt(i) == '%' && i + 2 < text.length();
            int high = isEscape ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = isEscape ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (high >= 0 && low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else bytes.write(text.charAt(i));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
