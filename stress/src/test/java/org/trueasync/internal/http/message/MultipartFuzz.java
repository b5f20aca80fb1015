package org.trueasync.internal.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.trueasync.stress.fuzz.Inputs;

/** Forms with files: however the network cuts them, they have the same parts. */
public final class MultipartFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhello\r\n--b--\r\n",
            "--b\r\nA: b\r\nC: d\r\n\r\n\r\n--b\r\nA: b\r\n\r\nx\r\n-\r\n--\r\n--b--",
            "--b\r\nContent-Disposition: form-data; filename=\"\u00c3\u00a4\"\r\n\r\nhello\r\n--b--\r\n",
            "pre\r\n--b\r\nA: b\r\n\r\n\r\n--b--\r\npost");

    private MultipartFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        // what no text is, is refused or not, as it is cut
        if (!Arrays.equals(input, new String(input, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8))) return;
        String whole = read(input, Integer.MAX_VALUE / 2);
        Inputs.same(whole, read(input, 1), "byte by byte");
        Inputs.same(whole, read(input, 7), "by seven bytes");
    }

    private static String read(byte[] input, int part) {
        var source = new Inputs(input, part);
        var parser = new MultipartParser("multipart/form-data; boundary=b", 256);
        var told = new StringBuilder();
        while (!parser.isComplete() && parser.failure() == null) {
            ByteBuffer bytes = source.next();
            parser.parse(bytes == null ? ByteBuffer.allocate(0) : bytes);
            for (Object found = parser.next(); found != null; found = parser.next()) {
                if (found == MultipartParser.END) told.append("\nend\n");
                else if (found instanceof ByteBuffer content)
                    while (content.hasRemaining()) told.append((char) content.get());
                else told.append(found);
            }
            if (bytes == null && !parser.isComplete() && parser.failure() == null)
                throw new AssertionError("neither complete nor failed at the end");
        }
        // of a part that fails, more or less may have been handed out
        return parser.failure() != null ? "failed" : told.toString();
    }
}
