package org.trueasync.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessEndTest {
    private Duration now = Duration.ZERO;

    /** A run that never ends. */
    private boolean hangs(Duration atMost) {
        if (atMost.isPositive()) now = now.plus(atMost);
        return false;
    }

    @Test
    void severalRunsHang_theirTimesPassTogether() throws Exception {
        var asked = new ArrayList<Duration>();
        var timeouts = new LinkedHashMap<ProcessEnd.End, Duration>();
        timeouts.put(this::hangs, Duration.ofSeconds(10));
        timeouts.put(this::hangs, Duration.ofSeconds(10));
        timeouts.put(this::hangs, Duration.ofSeconds(3));
        timeouts.put(this::hangs, Duration.ofSeconds(15));
        timeouts.put(
                atMost -> {
                    asked.add(atMost);
                    return true;
                },
                Duration.ofSeconds(20));
        ProcessEnd.awaitAll(timeouts, () -> now.toNanos());
        assertThat(now).isEqualTo(Duration.ofSeconds(17));
        assertThat(asked).isEqualTo(List.of(Duration.ofSeconds(5)));
    }
}
