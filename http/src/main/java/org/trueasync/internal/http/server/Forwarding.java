package org.trueasync.internal.http.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.QuotedCSVParser;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;

/**
 * Reads whom proxies stand for: {@code Forwarded} (RFC 7239), or {@code X-Forwarded-*}. Each proxy adds an element at
 * the end, and what stands before that of the outermost trusted one, the client may have written: so the elements are
 * followed from the end, as long as the one who has written the next is trusted.
 *
 * @param standard {@code Forwarded}; otherwise the other fields
 * @param trusted whose elements are believed
 */
public record Forwarding(boolean standard, TrustedPeers trusted) {
    /** Which value of {@code X-Forwarded-Proto} and the like belongs to which address. */
    private record Told(List<String> values) {
        static Told of(Fields fields, String name) {
            var values = new ArrayList<String>();
            for (String field : fields.all(name)) for (String value : field.split(",")) values.add(value.strip());
            return new Told(values);
        }

        /** Many proxies replace the field in place of adding to it: then the last one has told. */
        @Nullable
        String at(int index, int count) {
            if (values.isEmpty()) return null;
            return values.size() == count ? values.get(index) : values.getLast();
        }
    }

    Forwarded of(Connection connection, Fields fields) {
        InetSocketAddress peer = connection.peerAddress();
        if (peer == null ? !connection.isLocal() : !trusted.trusts(peer)) return Forwarded.NOTHING;
        List<Forwarded> hops = standard ? standard(fields) : others(fields, peer);
        if (hops == null) return Forwarded.MALFORMED;
        for (int i = hops.size() - 1; i >= 0; i--) {
            Forwarded hop = hops.get(i);
            if (i == 0 || !trusted.trusts(hop.client())) return hop;
        }
        return Forwarded.NOTHING;
    }

    private static @Nullable List<Forwarded> standard(Fields fields) {
        var parser = new Elements();
        for (String field : fields.all("Forwarded")) if (!parser.read(field)) return null;
        return parser.hops;
    }

    private static List<Forwarded> others(Fields fields, @Nullable InetSocketAddress peer) {
        List<String> clients = Told.of(fields, "X-Forwarded-For").values();
        Told schemes = Told.of(fields, "X-Forwarded-Proto");
        Told hosts = Told.of(fields, "X-Forwarded-Host");
        Told ports = Told.of(fields, "X-Forwarded-Port");
        var hops = new ArrayList<Forwarded>();
        int count = Math.max(clients.size(), 1);
        for (int i = 0; i < count; i++) {
            InetSocketAddress client = clients.isEmpty() ? peer : address(clients.get(i));
            hops.add(new Forwarded(
                    true, client, scheme(schemes.at(i, count)), host(hosts.at(i, count), ports.at(i, count))));
        }
        return hops;
    }

    /** The elements of {@code Forwarded}. For the parser each pair is a parameter, without a value before it. */
    private static final class Elements extends QuotedCSVParser {
        final List<Forwarded> hops = new ArrayList<>();
        private boolean malformed;

        Elements() {
            super(false);
        }

        /** Returns whether it is well formed. */
        boolean read(String field) {
            // an open quote would swallow what the next proxy has added
            if (field.chars().filter(c -> c == '"').count() % 2 != 0 || field.indexOf('\\') >= 0) return false;
            addValue(field);
            return !malformed;
        }

        @Override
        protected void parsedValue(StringBuilder buffer) {
            malformed = true;
        }

        @Override
        protected void parsedParam(StringBuilder buffer, int valueLength, int paramName, int paramValue) {
            if (paramName == 0) hops.add(new Forwarded(true, null, null, null));
            if (malformed || paramValue <= paramName) {
                malformed = true;
                return;
            }
            String value = buffer.substring(paramValue);
            Forwarded hop = hops.removeLast();
            hops.add(
                    switch (buffer.substring(paramName, paramValue - 1).strip().toLowerCase(Locale.ROOT)) {
                        case "for" -> new Forwarded(true, address(value), hop.scheme(), hop.host());
                        case "proto" -> new Forwarded(true, hop.client(), Forwarding.scheme(value), hop.host());
                        case "host" -> new Forwarded(true, hop.client(), hop.scheme(), Forwarding.host(value, null));
                        default -> hop;
                    });
        }
    }

    private static @Nullable String scheme(@Nullable String text) {
        if (text == null) return null;
        String scheme = text.toLowerCase(Locale.ROOT);
        return scheme.equals("http") || scheme.equals("https") ? scheme : null;
    }

    private static @Nullable String host(@Nullable String text, @Nullable String port) {
        if (text == null || !HeadRules.isHostAndPort(text, false)) return null;
        if (port == null || text.lastIndexOf(':') > text.lastIndexOf(']')) return text;
        String whole = text + ':' + port;
        return port.equals("80") || port.equals("443") || !HeadRules.isHostAndPort(whole, true) ? text : whole;
    }

    /** An address, with a port or without; null for {@code unknown}, a name, and whatever else is none. */
    private static @Nullable InetSocketAddress address(String text) {
        String host = text;
        int port = 0;
        int colon = text.lastIndexOf(':');
        boolean isBracketed = text.startsWith("[");
        try {
            if (isBracketed ? colon > text.indexOf(']') : colon > 0 && colon == text.indexOf(':')) {
                host = text.substring(0, colon);
                port = Integer.parseInt(text, colon + 1, text.length(), 10);
            }
            if (isBracketed) {
                if (!host.endsWith("]")) return null;
                host = host.substring(1, host.length() - 1);
            }
            return new InetSocketAddress(InetAddress.ofLiteral(host), port);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
