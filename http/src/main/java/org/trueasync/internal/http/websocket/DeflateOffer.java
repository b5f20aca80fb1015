package org.trueasync.internal.http.websocket;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a server agrees to of the extensions that a client offers (RFC 7692, 7.1).
 *
 * @param keepsSent whether the server's dictionary outlives a message
 * @param keepsReceived whether the client's does
 * @param response the value of {@code Sec-WebSocket-Extensions}
 */
public record DeflateOffer(boolean keepsSent, boolean keepsReceived, String response) {
    private static final String NAME = "permessage-deflate";

    /**
     * Chooses the first offer of compression that can be kept.
     *
     * @param offers the values of {@code Sec-WebSocket-Extensions}
     * @return null if there is none
     */
    public static @Nullable DeflateOffer choose(List<String> offers) {
        for (String field : offers) {
            for (String offer : split(field, ',')) {
                DeflateOffer chosen = accept(split(offer, ';'));
                if (chosen != null) return chosen;
            }
        }
        return null;
    }

    private static @Nullable DeflateOffer accept(List<String> parts) {
        if (!parts.getFirst().equalsIgnoreCase(NAME)) return null;
        boolean keepsSent = true;
        boolean keepsReceived = true;
        var response = new StringBuilder(NAME);
        var seen = new HashSet<String>();
        for (String part : parts.subList(1, parts.size())) {
            int equal = part.indexOf('=');
            String name = (equal < 0 ? part : part.substring(0, equal)).strip().toLowerCase(Locale.ROOT);
            String value = equal < 0 ? null : unquoted(part.substring(equal + 1).strip());
            if (!seen.add(name)) return null;
            switch (name) {
                case "server_no_context_takeover" -> {
                    if (value != null) return null;
                    keepsSent = false;
                    response.append("; ").append(name);
                }
                case "client_no_context_takeover" -> {
                    if (value != null) return null;
                    keepsReceived = false;
                    response.append("; ").append(name);
                }
                case "server_max_window_bits" -> {
                    // the JDK compresses with the largest window alone
                    if (!"15".equals(value)) return null;
                    response.append("; server_max_window_bits=15");
                }
                case "client_max_window_bits" -> {
                    // any window can be decompressed, so the client is not asked for a smaller one
                    if (value != null && !value.matches("[89]|1[0-5]")) return null;
                }
                default -> {
                    return null;
                }
            }
        }
        return new DeflateOffer(keepsSent, keepsReceived, response.toString());
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** The parts between the separators that stand outside of quotes; at least one. */
    private static List<String> split(String text, char separator) {
        var parts = new ArrayList<String>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') quoted = !quoted;
            else if (c == separator && !quoted) {
                parts.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        parts.add(text.substring(from).strip());
        return parts;
    }
}
