package org.trueasync.internal.grpc;

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
}
