package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpTokens;
import org.eclipse.jetty.http.compression.EncodingException;
import org.eclipse.jetty.http.compression.NBitIntegerDecoder;
import org.eclipse.jetty.http.compression.NBitStringDecoder;
import org.eclipse.jetty.http2.hpack.HpackContext;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;

/**
 * Unpacks blocks of fields (RFC 7541). Jetty's decoder stops in the middle of a block at some fields that no request
 * may have; then its table is not the peer's any more, and the connection is lost. This one reads each block to its
 * end.
 */
final class Unpacker {
    /**
     * What was in a block.
     *
     * @param fields pseudo-fields too, in order; not all if they are beyond the bound
     * @param isLegal false if a name or a value has characters that it may not have
     */
    record Block(Fields fields, boolean isLegal) {}

    private static final int TABLE_BYTES = 4096;

    /** Only a decoder can make one. */
    private final HpackContext table = new HpackDecoder(0, () -> 0).getHpackContext();

    private final NBitIntegerDecoder numbers = new NBitIntegerDecoder();
    private final NBitStringDecoder texts = new NBitStringDecoder();
    private final int mostBytes;

    /**
     * Makes one for a connection.
     *
     * @param mostBytes of the fields that are kept; one more may go beyond them
     */
    Unpacker(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Unpacks a block; null if it is none, so that nobody knows what the peer's table has now. */
    @Nullable
    Block unpack(ByteBuffer in) {
        try {
            return fields(in);
        } catch (EncodingException | RuntimeException e) {
            return null; // Jetty's decoders throw some of each
        }
    }

    private Block fields(ByteBuffer in) throws EncodingException {
        var fields = new Fields(16);
        boolean isLegal = true;
        long bytes = 0;
        while (in.hasRemaining()) {
            byte first = in.get(in.position());
            if ((first & 0xe0) == 0x20) {
                int size = number(in, 5);
                if (size > TABLE_BYTES || fields.size() > 0) throw new EncodingException("a table's size");
                table.resize(size);
                continue;
            }
            HttpField field;
            if (first < 0) {
                HpackContext.Entry entry = entry(number(in, 7));
                field = entry.getHttpField();
                isLegal &= entry.isStatic() || !(entry.hasIllegalName() || entry.hasIllegalValue());
            } else {
                boolean isKept = (first & 0x40) != 0;
                int index = number(in, isKept ? 6 : 4);
                String name =
                        index == 0 ? text(in) : entry(index).getHttpField().getName();
                String value = text(in);
                field = new HttpField(HttpHeader.CACHE.get(name), name, value);
                isLegal &= HttpTokens.isLegalH2H3FieldName(name) && HttpTokens.isLegalFieldValue(value);
                if (isKept) table.add(field);
            }
            if (bytes <= mostBytes) fields.add(field);
            bytes += 32L + field.getName().length() + Fields.value(field).length();
        }
        return new Block(fields, isLegal);
    }

    private HpackContext.Entry entry(int index) throws EncodingException {
        HpackContext.Entry entry = table.get(index);
        if (entry == null) throw new EncodingException("an index beyond the table");
        return entry;
    }

    private int number(ByteBuffer in, int prefix) throws EncodingException {
        numbers.setPrefix(prefix);
        int number = numbers.decodeInt(in);
        if (number < 0) throw new EncodingException("half a number");
        return number;
    }

    private String text(ByteBuffer in) throws EncodingException {
        texts.setPrefix(8);
        String text = texts.decode(in);
        if (text == null) throw new EncodingException("half a text");
        return text;
    }
}
