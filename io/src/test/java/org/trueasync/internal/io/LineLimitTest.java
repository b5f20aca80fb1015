package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.trueasync.internal.io.Scripted.Connection;
import org.trueasync.io.LineReader;

/** How long a line may be. */
class LineLimitTest {
    @Test
    void largestLimit_linesOfBothEndsAreRead() {
        Scripted.run(reactor -> {
            Connection connection = Connection.open(reactor);
            LineReader lines = connection.stream().lines().maxLength(Integer.MAX_VALUE);
            connection.handle().receives("first\r\nsecond\nthird\r");
            assertThat(lines.readLine()).isEqualTo("first");
            assertThat(lines.readLine()).isEqualTo("second");
            connection.handle().receives("\n");
            assertThat(lines.readLine()).isEqualTo("third");
        });
    }
}
