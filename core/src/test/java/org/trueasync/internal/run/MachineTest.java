package org.trueasync.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    @Tag("U12")
    void loadAverage_isTheFirstThreeNumbersOfTheFile() {
        assertThat(Machine.averages("0.20 1.50 13.05 3/512 4711\n")).containsExactly(0.2, 1.5, 13.05);
    }

    @Test
    @Tag("U12")
    void loadAverageUnknown_isEmpty() {
        assertThat(Machine.averages(null)).isEmpty();
        assertThat(Machine.averages("")).isEmpty();
        assertThat(Machine.averages("a b c")).isEmpty();
    }

    @Test
    @Tag("U11")
    void processTimes_areReadBehindANameThatLooksLikeFields() {
        String stat = "7 (x) R 1 (2) y) S 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0";
        assertThat(ProcessTimes.parse(stat))
                .isEqualTo(new ProcessTimes(Duration.ofMillis(2_500), Duration.ofMillis(310)));
    }

    @Test
    @Tag("U11")
    void processTimesInAnotherForm_areUnknown() {
        assertThat(ProcessTimes.parse(null)).isNull();
        assertThat(ProcessTimes.parse("7 (x) S 1 2")).isNull();
        assertThat(ProcessTimes.parse("7 (x) S 1 2 3 4 5 6 7 8 9 10 many 31")).isNull();
    }
}
