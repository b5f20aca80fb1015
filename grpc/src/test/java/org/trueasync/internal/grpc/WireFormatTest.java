package org.trueasync.internal.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Codec;
import io.grpc.Metadata;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.http.Headers;

/** What a peer may send, and must not. */
class WireFormatTest {
    private static MessageReader reader(int... bytes) {
        var all = new byte[bytes.length];
        for (int i = 0; i < all.length; i++) all[i] = (byte) bytes[i];
        return new MessageReader(new ByteArrayInputStream(all), 10, null);
    }

    private static byte[] first(MessageReader reader) throws IOException {
        assertThat(reader.next()).isTrue();
        return reader.message();
    }

    @Test
    void messages_comeOneAfterAnother() throws IOException {
        MessageReader reader = reader(0, 0, 0, 0, 2, 7, 8, 0, 0, 0, 0, 0);
        assertThat(first(reader)).containsExactly(7, 8);
        assertThat(first(reader)).isEmpty();
        assertThat(reader.next()).isFalse();
    }

    @Test
    void malformedMessages_areRefused() {
        assertThatThrownBy(() -> reader(2, 0, 0, 0, 0).next()).hasMessageContaining("must be 0 or 1, got 2");
        assertThatThrownBy(() -> reader(1, 0, 0, 0, 0).next()).hasMessageContaining("without grpc-encoding");
        assertThatThrownBy(() -> reader(0, 0, 0, 0).next()).hasMessageContaining("INTERNAL: the body ends");
        assertThatThrownBy(() -> first(reader(0, 0, 0, 0, 3, 1, 2))).hasMessageContaining("INTERNAL: the body ends");
        assertThatThrownBy(() -> reader(0, 0, 0, 0, 11).next()).hasMessageContaining("maximum size 10: 11");
        assertThatThrownBy(() -> reader(0, -1, -1, -1, -1).next()).hasMessageContaining("maximum size 10: 4294967295");
        var coded = new MessageReader(new ByteArrayInputStream(new byte[] {1, 0, 0, 0, 2, 3, 4}), 10, new Codec.Gzip());
        assertThatThrownBy(() -> first(coded)).hasMessageContaining("INTERNAL");
    }

    @Test
    void compressedMessage_isLimitedDecompressed() throws IOException {
        for (int size : new int[] {100, 101}) {
            ByteBuffer packed = MessageWriter.pack(new ByteArrayInputStream(new byte[size]), new Codec.Gzip());
            assertThat(packed.remaining()).isLessThan(50);
            var reader = new MessageReader(
                    new ByteArrayInputStream(packed.array(), 0, packed.limit()), 100, new Codec.Gzip());
            if (size == 100) assertThat(first(reader)).hasSize(100);
            else assertThatThrownBy(() -> first(reader)).hasMessageContaining("RESOURCE_EXHAUSTED");
        }
    }

    @Test
    void timeouts_haveUnits() {
        assertThat(Timeouts.parse("99999999n")).isEqualTo(Duration.ofNanos(99_999_999));
        assertThat(Timeouts.parse("1u")).isEqualTo(Duration.ofNanos(1000));
        assertThat(Timeouts.parse("2m")).isEqualTo(Duration.ofMillis(2));
        assertThat(Timeouts.parse("3S")).isEqualTo(Duration.ofSeconds(3));
        assertThat(Timeouts.parse("4M")).isEqualTo(Duration.ofMinutes(4));
        assertThat(Timeouts.parse("99999999H")).isEqualTo(Duration.ofHours(99_999_999));
        for (String each : List.of("", "S", "1", "100000000S", "-1S", "1s", "1.5S", " 1S"))
            assertThatThrownBy(() -> Timeouts.parse(each)).hasMessageContaining("'" + each + "'");
    }

    @Test
    void timeouts_areSentInTheSmallestUnitWithRoom() {
        for (String each : List.of("1n", "99999999n", "100000u", "99999999u", "100000m", "99999999S", "99999999H"))
            assertThat(Timeouts.format(Timeouts.parse(each))).isEqualTo(each);
        assertThat(Timeouts.format(Duration.ofNanos(-5))).isEqualTo("1n");
        assertThat(Timeouts.format(Duration.ofSeconds(1))).isEqualTo("1000000u");
        assertThat(Timeouts.format(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("99999999H");
    }

    @Test
    void statusText_isPrintableAscii() {
        String text = "a b~%\n\u00e4\ud83d\ude00";
        assertThat(StatusText.encode(text)).isEqualTo("a b~%25%0A%C3%A4%F0%9F%98%80");
        assertThat(StatusText.decode("a b~%25%0A%C3%A4%F0%9F%98%80")).isEqualTo(text);
        assertThat(StatusText.decode("100% of %zz %4")).isEqualTo("100% of %zz %4");
    }

    @Test
    void metadata_hasBytesInBase64_joinedOrNot() {
        var bytes = Metadata.Key.of("a-bin", Metadata.BINARY_BYTE_MARSHALLER);
        var text = Metadata.Key.of("b", Metadata.ASCII_STRING_MARSHALLER);
        Metadata metadata = MetadataFields.of(new Headers()
                .add("a-bin", "AQ,Ag==")
                .add("A-Bin", "Aw")
                .add("b", "x, y")
                .add("Host", "h")
                .add("b", "z"));
        assertThat(metadata.getAll(bytes)).containsExactly(new byte[] {1}, new byte[] {2}, new byte[] {3});
        assertThat(metadata.getAll(text)).containsExactly("x, y", "z");
        metadata.put(Metadata.Key.of("grpc-status", Metadata.ASCII_STRING_MARSHALLER), "0");
        var sent = new ArrayList<String>();
        MetadataFields.each(metadata, (name, value) -> sent.add(name + "=" + value));
        assertThat(sent).containsExactlyInAnyOrder("a-bin=AQ", "a-bin=Ag", "a-bin=Aw", "b=x, y", "b=z");
        assertThatThrownBy(() -> MetadataFields.of(new Headers().add("a-bin", "?")))
                .hasMessage("INTERNAL: the value of metadata a-bin is no base 64");
    }
}
