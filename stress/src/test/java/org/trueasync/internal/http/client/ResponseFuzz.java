package org.trueasync.internal.http.client;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpField;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.stress.fuzz.Inputs;

/** Responses of HTTP/1, one after another: however the network cuts them, they are the same. */
public final class ResponseFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "0HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 204 No Content\r\n\r\n",
            "0HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nT: 1\r\n\r\n",
            "0HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n",
            "0HTTP/1.0 200 gut\u00e9\r\nConnection: keep-alive\r\n\r\nto the end",
            "1HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200\r\nConnection: close\r\n\r\n");

    private ResponseFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        boolean withoutBody = input.length > 0 && input[0] == '1';
        byte[] rest = Inputs.rest(input);
        String whole = read(rest, withoutBody, Integer.MAX_VALUE / 2);
        Inputs.same(whole, read(rest, withoutBody, 1), "byte by byte");
        Inputs.same(whole, read(rest, withoutBody, 7), "by seven bytes");
    }

    /** Reads as a connection does; returns what it has read. */
    private static String read(byte[] input, boolean withoutBody, int part) {
        var source = new Inputs(input, part);
        var parser = new ResponseParser(512);
        var told = new StringBuilder();
        ByteBuffer bytes = ByteBuffer.allocate(0);
        boolean ended = false;
        while (true) {
            // what stands before the fault in the same piece need not be handed out
            int mark = told.length();
            parser.next(withoutBody);
            while (!parser.isHeadComplete()) {
                if (bytes.hasRemaining()) parser.parse(bytes);
                if (parser.fault() != null) return told.substring(0, mark) + "fault";
                if (parser.isHeadComplete()) break;
                if (ended) return told.append("end").toString();
                if (bytes.hasRemaining()) throw new AssertionError("bytes are left, and no head");
                bytes = source.next();
                if (bytes == null) {
                    bytes = ByteBuffer.allocate(0);
                    ended = true;
                    parser.end();
                }
            }
            if (parser.fault() != null) return told.substring(0, mark) + "fault";
            if (parser.status() < 100) throw new AssertionError("status " + parser.status());
            told.append(parser.status())
                    .append('\n')
                    .append(parser.contentLength())
                    .append('\n');
            tell(parser.fields(), told);
            while (true) {
                if (!parser.content().hasRemaining() && !parser.isComplete()) parser.parse(bytes);
                while (parser.content().hasRemaining())
                    told.append((char) parser.content().get());
                if (parser.fault() != null) return told.substring(0, mark) + "fault";
                if (parser.isComplete()) break;
                if (bytes.hasRemaining()) continue;
                if (ended) throw new AssertionError("neither complete nor at fault at the end");
                bytes = source.next();
                if (bytes == null) {
                    bytes = ByteBuffer.allocate(0);
                    ended = true;
                    parser.end();
                }
            }
            Fields trailers = parser.trailers();
            if (trailers != null) tell(trailers, told);
            told.append("\n---\n");
            if (parser.status() == 101 || (parser.status() >= 200 && !parser.keepsAlive())) return told.toString();
        }
    }

    private static void tell(Fields fields, StringBuilder told) {
        for (HttpField field : fields)
            told.append(field.getName().toLowerCase(Locale.ROOT))
                    .append('=')
                    // of a field that comes in one piece, the parser may write a word that it knows in its own way
                    .append(Fields.value(field).toLowerCase(Locale.ROOT))
                    .append('\n');
    }
}
