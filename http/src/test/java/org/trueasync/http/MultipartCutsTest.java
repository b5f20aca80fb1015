package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.http.message.MultipartParser;

class MultipartCutsTest {
    @Test
    void form_cutAnywhere_hasTheSameContent() {
        byte[] form = "pre\r\n--b\r\nA: b\r\n\r\nx-\n\r\n\r\n-2\r\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII);
        for (int cut = 1; cut < form.length; cut++) {
            var parser = new MultipartParser("multipart/form-data; boundary=b", 256);
            var content = new StringBuilder();
            read(parser, Arrays.copyOf(form, cut), content);
            read(parser, Arrays.copyOfRange(form, cut, form.length), content);
            read(parser, new byte[0], content);
            assertThat(parser.failure()).as("cut at %d", cut).isNull();
            assertThat(content).as("cut at %d", cut).hasToString("x-\n\r\n\r\n-2\r");
        }
    }

    private static void read(MultipartParser parser, byte[] bytes, StringBuilder content) {
        parser.parse(ByteBuffer.wrap(bytes));
        for (Object found = parser.next(); found != null; found = parser.next())
            if (found instanceof ByteBuffer part) content.append(StandardCharsets.US_ASCII.decode(part));
    }
}
