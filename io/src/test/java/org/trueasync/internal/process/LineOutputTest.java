package org.trueasync.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of a line does not depend on how many bytes come at once. */
@Tag("E45")
class LineOutputTest {
    private static final int LIMIT = 4;

    @ParameterizedTest
    @CsvSource({
        "abcd|ef|,abcd ef",
        "abcd~|ef,abcd ef",
        "abcde|ef|,too long",
        "ab|cdefg|hi|,ab too long",
        "abcd~~|ef|,too long",
        "ab|cdefg,ab too long",
        "abcd~,abcd",
    })
    void outputInTwoParts_resultIsTheSameWhereverItIsParted(String output, String expected) {
        byte[] bytes = output.replace('|', '\n').replace('~', '\r').getBytes(StandardCharsets.UTF_8);
        for (int first = 0; first <= bytes.length; first++) {
            var lines = new LineOutput("output", LIMIT, () -> {});
            var got = new ArrayList<String>();
            lines.take(ByteBuffer.wrap(bytes, 0, first));
            take(lines, got);
            lines.take(ByteBuffer.wrap(bytes, first, bytes.length - first));
            take(lines, got);
            lines.onEnd();
            take(lines, got);
            assertThat(String.join(" ", got)).as("parted at %d", first).isEqualTo(expected);
        }
    }

    /** Takes what is there, as {@link ExecRun} does. */
    private static void take(LineOutput from, List<String> got) {
        while (!got.contains("too long") && from.isReady()) {
            String line = from.isTooLong() ? "too long" : from.next();
            if (line == null) return;
            got.add(line);
        }
    }
}
