package org.trueasync.internal.http.h2;

import java.util.EnumSet;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.trueasync.internal.http.message.Fields;

/** The head of a request or a response, as RFC 9113, 8.1.1 to 8.3 ask for it. */
abstract sealed class MessageHead permits RequestHead, ResponseHead {
    private static final Set<HttpHeader> OF_CONNECTIONS = EnumSet.of(
            HttpHeader.CONNECTION,
            HttpHeader.KEEP_ALIVE,
            HttpHeader.PROXY_CONNECTION,
            HttpHeader.TRANSFER_ENCODING,
            HttpHeader.UPGRADE);

    final Fields fields = new Fields(16);
    /** What the head names; -1 for nothing, -2 for what is no length. */
    long length = -1;

    /** True if a block may stand behind a body. */
    static boolean areTrailers(Fields block) {
        for (HttpField field : block) if (isPseudo(field) || !isOfMessage(field)) return false;
        return true;
    }

    static boolean isPseudo(HttpField field) {
        return field.getName().startsWith(":");
    }

    /** True if no connection is meant; a request may have TE for its trailers. */
    static boolean isOfMessage(HttpField field) {
        HttpHeader header = field.getHeader();
        if (header == HttpHeader.TE) return Fields.value(field).equalsIgnoreCase("trailers");
        return header == null || !OF_CONNECTIONS.contains(header);
    }

    /** Adds a field that is none of the pseudo-fields. */
    final void add(HttpField field) {
        if (field.getHeader() == HttpHeader.CONTENT_LENGTH) length = length == -1 ? length(Fields.value(field)) : -2;
        fields.add(field);
    }

    private static long length(String text) {
        if (text.isEmpty() || text.length() > 18) return -2;
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) < '0' || text.charAt(i) > '9') return -2;
        return Long.parseLong(text);
    }

    public final Fields fields() {
        return fields;
    }

    /** The length of the body that it names; -1 for none. */
    public final long length() {
        return length;
    }

    /** The size of its fields, without the pseudo-fields. */
    long bytes() {
        return bytes(fields);
    }

    /** The size of fields, as RFC 9113, 6.5.2 counts it. */
    static long bytes(Fields fields) {
        long bytes = 0;
        for (HttpField field : fields)
            bytes += 32L + field.getName().length() + Fields.value(field).length();
        return bytes;
    }
}
