package org.trueasync.internal.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageReaderTest {
    private static byte[] gzip(String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new Codec.Gzip().compress(bytes)) {
            out.write(text.getBytes());
        }
        return bytes.toByteArray();
    }

    private static byte[] read(byte[] message, int most) throws IOException {
        byte[] body = ByteBuffer.allocate(5 + message.length)
                .put((byte) 1)
                .putInt(message.length)
                .put(message)
                .array();
        var reader = new MessageReader(new ByteArrayInputStream(body), most, new Codec.Gzip());
        assertThat(reader.next()).isTrue();
        return reader.message();
    }

    @Test
    void compressedMessage_thatIsCut_isMalformed() throws IOException {
        byte[] whole = gzip("hello");
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(cut, 100))
                    .hasMessageStartingWith("INTERNAL: a message can't be decompressed");
        }
    }

    @Test
    void largestLimit_allowsCompressedMessages() throws IOException {
        assertThat(read(gzip("hello"), Integer.MAX_VALUE)).asString().isEqualTo("hello");
    }
}
