package org.trueasync.internal.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The processor time that this process has taken.
 *
 * @param user in the program's own code; the whole time where the two can't be told apart
 * @param system in the system on its behalf; zero where the two can't be told apart
 */
public record ProcessTimes(Duration user, Duration system) {
    /** Linux counts in hundredths of a second wherever it shows these numbers to programs. */
    private static final long TICK_MILLIS = 10;

    /**
     * Index of a field among those after the program's name, which may contain anything. The third field of the file
     * has index 0.
     */
    private static final int USER = 11;

    private static final int SYSTEM = 12;

    /** The times up to now; zero if the system tells none. */
    public static ProcessTimes now() {
        ProcessTimes times = parse(SystemFiles.read("/proc/self/stat"));
        if (times != null) return times;
        Duration total = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return new ProcessTimes(total, Duration.ZERO);
    }

    static @Nullable ProcessTimes parse(@Nullable String stat) {
        if (stat == null) return null;
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        if (fields.length <= SYSTEM) return null;
        try {
            return new ProcessTimes(ticks(fields[USER]), ticks(fields[SYSTEM]));
        } catch (NumberFormatException unknownForm) {
            return null;
        }
    }

    private static Duration ticks(String count) {
        return Duration.ofMillis(Long.parseLong(count) * TICK_MILLIS);
    }
}
