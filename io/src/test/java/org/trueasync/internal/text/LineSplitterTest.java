package org.trueasync.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E45")
class LineSplitterTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void text_isSplitAtNewlines() {
        assertThat(LineSplitter.of(bytes(""))).isEmpty();
        assertThat(LineSplitter.of(bytes("\n"))).containsExactly("");
        assertThat(LineSplitter.of(bytes("a"))).containsExactly("a");
        assertThat(LineSplitter.of(bytes("a\n"))).containsExactly("a");
        assertThat(LineSplitter.of(bytes("\n\na\n\nb\n"))).containsExactly("", "", "a", "", "b");
        assertThat(LineSplitter.of(bytes("  a \t\r\n\tb\r\n\r\nc\r"))).containsExactly("  a", "\tb", "", "c");
        assertThat(LineSplitter.of(bytes("ü€😀\nx"))).containsExactly("ü€😀", "x");
        assertThat(LineSplitter.of(bytes("   \n"))).containsExactly("");
    }

    @Test
    void piecesOfAnySize_makeTheSameLines() {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            var expected = new ArrayList<String>();
            var text = new StringBuilder();
            int count = random.nextInt(30);
            for (int i = 0; i < count; i++) {
                String line = "ä".repeat(random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(20));
                expected.add(line);
                text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
            }
            byte[] all = bytes(text.toString());
            var lines = new LineSplitter();
            List<String> got = new ArrayList<>();
            for (int place = 0; place < all.length; ) {
                int length = Math.min(all.length - place, 1 + random.nextInt(3_000));
                lines.add(ByteBuffer.wrap(all, place, length));
                place += length;
                if (random.nextInt(3) > 0)
                    for (String line = lines.next(); line != null; line = lines.next()) got.add(line);
            }
            for (String line = lines.next(); line != null; line = lines.next()) got.add(line);
            assertThat(lines.rest()).isNull();
            assertThat(got).isEqualTo(expected);
        }
    }
}
