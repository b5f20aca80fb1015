package org.trueasync.internal.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.trueasync.internal.http.websocket.DeflateOffer;
import org.trueasync.stress.fuzz.Inputs;

/** The small languages of targets and header fields. */
public final class TextsFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "qa=1&b=%c3%a4+c&a=&d",
            "p/a/%41/..b/.",
            "dform-data; name=\"a\\\"b\"; filename=\"C:\\x\\y.txt\"; filename*=UTF-8''%e2%82%ac",
            "aa \u00e2\u0082\u00ac/\"b%22\\.txt",
            "tSun, 06 Nov 1994 08:49:37 GMT",
            "tSunday, 06-Nov-94 08:49:37 GMT",
            "tSun Nov  6 08:49:37 1994",
            "cgzip;q=0.5, br, *;q=0, identity;q=1.0",
            "mtext/html; charset=\"utf-8\"; x=y",
            "wpermessage-deflate; client_max_window_bits; server_max_window_bits=\"15\", x",
            "r00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\na=b,c@d=e\nx=y");

    private TextsFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        byte[] rest = Inputs.rest(input);
        String text = Inputs.latin1(rest);
        switch (input.length == 0 ? 0 : input[0]) {
            case 'q' -> query(text);
            case 'p' -> path(text);
            case 'd' -> disposition(text);
            case 'a' -> attachment(rest);
            case 't' -> date(text);
            case 'c' -> coding(text);
            case 'm' -> Queries.parameter(text, "charset");
            case 'w' -> {
                DeflateOffer offer = DeflateOffer.choose(List.of(text));
                if (offer != null) Checks.value("response", offer.response());
            }
            case 'r' -> trace(text.split("\n", -1));
            default -> {}
        }
    }

    private static void query(String text) {
        try {
            Queries.of(text).all("a");
        } catch (IllegalArgumentException malformed) {
            // as it should be
        }
    }

    private static void path(String text) {
        String path;
        try {
            path = Escapes.path("/" + text);
        } catch (IllegalArgumentException malformed) {
            return;
        }
        if ((path + "/").contains("/../")
                || (path + "/").contains("/./")
                || (path.indexOf('\0') >= 0 && text.indexOf('\0') < 0))
            throw new AssertionError("a path that leads elsewhere: " + path);
    }

    private static void disposition(String text) {
        String file = Disposition.of(text).fileName();
        if (file != null && (file.indexOf('/') >= 0 || file.indexOf('\\') >= 0)) throw new AssertionError(file);
    }

    private static void attachment(byte[] bytes) {
        String name;
        try {
            name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return;
        }
        String field = Disposition.attachment(name);
        Checks.value("Content-Disposition", field);
        String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
        Inputs.same(last, String.valueOf(Disposition.of(field).fileName()), field);
    }

    private static void date(String text) {
        Instant time = Dates.parse(text);
        if (time != null)
            Inputs.same(
                    time,
                    String.valueOf(Dates.parse(Dates.text(time))).isEmpty() ? time : Dates.parse(Dates.text(time)),
                    text);
    }

    private static void coding(String text) {
        var fields = new Fields();
        fields.add(HttpHeader.ACCEPT_ENCODING, text);
        List<Coding> accepted = Coding.accepted(fields, List.of(Coding.values()));
        if (accepted.size() != accepted.stream().distinct().count()) throw new AssertionError(accepted);
    }

    private static void trace(String[] lines) {
        var fields = new Fields();
        String[] names = {"traceparent", "tracestate", "baggage"};
        for (int i = 0; i < lines.length; i++)
            fields.add(new org.eclipse.jetty.http.HttpField(names[Math.min(i, 2)], lines[i]));
        Trace trace = Trace.begin(fields);
        trace.fields().forEach(Checks::value);
        if (!trace.id().matches("[0-9a-f]{32}")) throw new AssertionError(trace.id());
    }
}
