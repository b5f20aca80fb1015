package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.http.message.MultipartParser;

/** However the network cuts a form, its parts have the same content. */
class MultipartCutsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-\n\r\n\r\n-2\r",
                "-",
                "--",
                "---",
                "--x",
                "-\r\n-",
                "\r",
                "\r\n",
                "\r\n--",
                "",
                "x--b",
                "\r\r\n--a"
            })
    void form_cutAnywhere_hasTheSameContent(String content) {
        byte[] form = ("pre\r\n--b\r\nA: b\r\n\r\n" + content + "\r\n--b--\r\n").getBytes(StandardCharsets.US_ASCII);
        for (int cut = 1; cut < form.length; cut++)
            assertThat(read(Arrays.copyOf(form, cut), Arrays.copyOfRange(form, cut, form.length)))
                    .as("cut at %d", cut)
                    .isEqualTo(content);
        var single = new byte[form.length][];
        for (int i = 0; i < form.length; i++) single[i] = new byte[] {form[i]};
        assertThat(read(single)).as("byte by byte").isEqualTo(content);
    }

    private static String read(byte[]... pieces) {
        var parser = new MultipartParser("multipart/form-data; boundary=b", 256);
        var content = new StringBuilder();
        for (byte[] piece : pieces) read(parser, piece, content);
        read(parser, new byte[0], content);
        return parser.failure() != null ? "failed: " + parser.failure() : content.toString();
    }

    private static void read(MultipartParser parser, byte[] bytes, StringBuilder content) {
        parser.parse(ByteBuffer.wrap(bytes));
        for (Object found = parser.next(); found != null; found = parser.next())
            if (found instanceof ByteBuffer part) content.append(StandardCharsets.US_ASCII.decode(part));
    }
}
