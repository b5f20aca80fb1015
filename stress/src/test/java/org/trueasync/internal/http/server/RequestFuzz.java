package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpField;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.stress.fuzz.Inputs;

/** Requests of HTTP/1, one after another: however the network cuts them, they are the same. */
public final class RequestFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "GET /a?b=c HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\nGET / HTTP/1.1\r\nhost: b\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nT: 1\r\n\r\n",
            "PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "GET http://h:80/p HTTP/1.1\r\nHost: h:80\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
            "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: %41.b:1\r\nX:  y \r\n\r\n");

    private static final Parsers PARSERS = new Parsers(512);

    private RequestFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String whole = read(input, Integer.MAX_VALUE / 2);
        Inputs.same(whole, read(input, 1), "byte by byte");
        Inputs.same(whole, read(input, 7), "by seven bytes");
    }

    /** Reads as a connection does; returns what it has read. */
    private static String read(byte[] input, int part) {
        var source = new Inputs(input, part);
        var parser = new RequestParser(PARSERS);
        var told = new StringBuilder();
        try {
            ByteBuffer bytes = ByteBuffer.allocate(0);
            boolean ended = false;
            while (true) {
                int mark = told.length();
                while (parser.refusal() == null && !parser.isHeadComplete()) {
                    if (bytes.hasRemaining()) parser.parse(bytes);
                    if (parser.refusal() != null || parser.isHeadComplete()) break;
                    if (ended) return told.append("end").toString();
                    if (bytes.hasRemaining()) throw new AssertionError("bytes are left, and no head");
                    bytes = source.next();
                    if (bytes == null) {
                        bytes = ByteBuffer.allocate(0);
                        ended = true;
                        parser.end();
                    }
                }
                if (parser.refusal() != null) return refused(parser, told, mark);
                told.append(parser.method()).append(' ').append(parser.target()).append('\n');
                told.append(parser.isHttp10()).append(parser.contentLength()).append('\n');
                tell(parser.fields(), told);
                long received = 0;
                while (!parser.isAtEnd() || parser.content().hasRemaining()) {
                    if (!parser.content().hasRemaining()) parser.parse(bytes);
                    while (parser.content().hasRemaining()) {
                        told.append((char) parser.content().get());
                        received++;
                    }
                    if (parser.isAtEnd() || bytes.hasRemaining()) continue;
                    if (ended) return told.append("cut").toString();
                    bytes = source.next();
                    if (bytes == null) {
                        bytes = ByteBuffer.allocate(0);
                        ended = true;
                        parser.end();
                    }
                }
                if (received != parser.received()) throw new AssertionError("bytes of the body");
                if (parser.refusal() != null) return refused(parser, told, mark);
                if (parser.contentLength() >= 0 && parser.contentLength() != received)
                    throw new AssertionError("a complete body with " + received + " bytes");
                if (parser.trailers() != null) tell(parser.trailers(), told);
                told.append("\n---\n");
                if (ended || parser.asksForUpgrade()) return told.toString();
                parser.next();
            }
        } finally {
            parser.release();
        }
    }

    /** What stands before the fault in the same piece need not be handed out. */
    private static String refused(RequestParser parser, StringBuilder told, int mark) {
        Refusal refusal = parser.refusal();
        if (refusal == null || refusal.status() < 400 || refusal.status() > 599)
            throw new AssertionError("refused by " + refusal);
        return told.substring(0, mark) + "refused";
    }

    static void tell(Fields fields, StringBuilder told) {
        for (HttpField field : fields)
            told.append(field.getName().toLowerCase(Locale.ROOT))
                    .append('=')
                    // of a field that comes in one piece, the parser may write a word that it knows in its own way
                    .append(Fields.value(field).toLowerCase(Locale.ROOT))
                    .append('\n');
    }
}
