package org.trueasync.internal.run;

import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/** The machine, or the part of it that a container leaves us. */
public final class Machine {
    private static final int PARALLELISM = Math.max(1, Runtime.getRuntime().availableProcessors());
    private static final int AVERAGES = 3;

    private Machine() {}

    /** How many threads can run at once, as it was when this class was initialised; at least 1. */
    public static int parallelism() {
        return PARALLELISM;
    }

    /** The average load over the last 1, 5 and 15 minutes; empty where the system does not tell. */
    public static double[] loadAverage() {
        return averages(SystemFiles.read("/proc/loadavg"));
    }

    static double[] averages(@Nullable String text) {
        if (text == null) return new double[0];
        var numbers = new StringTokenizer(text);
        double[] averages = new double[AVERAGES];
        try {
            for (int i = 0; i < AVERAGES; i++) averages[i] = Double.parseDouble(numbers.nextToken());
        } catch (RuntimeException unknownForm) {
            return new double[0];
        }
        return averages;
    }
}
