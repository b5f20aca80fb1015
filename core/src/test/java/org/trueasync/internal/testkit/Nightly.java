package org.trueasync.internal.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A part of the nightly run, {@code .ci/nightly}: how long it may take, and the figures that it reports. A part is a
 * test class whose name ends in {@code Nightly}, which no other build runs.
 */
public final class Nightly {
    private static final @Nullable String FIGURES = System.getProperty("trueasync.nightly.figures");
    private static final double MINUTES = Double.parseDouble(System.getProperty("trueasync.nightly.minutes", "0.5"));

    /** What a part does again and again. */
    @FunctionalInterface
    public interface Round {
        void run() throws Exception;
    }

    private Nightly() {}

    /** The share of the night that a part may take: percent of its minutes, by default of half a minute. */
    public static Duration budget(int percent) {
        return Duration.ofMillis((long) (MINUTES * 60_000 * percent / 100));
    }

    /**
     * Repeats a round for a share of the night, at least once.
     *
     * @param percent as for {@link #budget}
     * @return what the process held after the first quarter; null if no round ended after that
     */
    public static @Nullable Resources repeat(int percent, Round round) throws Exception {
        long begin = System.nanoTime();
        long nanos = budget(percent).toNanos();
        Resources early = null;
        do {
            round.run();
            if (early == null && System.nanoTime() - begin > nanos / 4) early = Resources.now();
        } while (System.nanoTime() - begin < nanos);
        return early;
    }

    /** Reports what a part did, in a line of plain text: {@code "300,000 orders of 40 programs, 0 failures"}. */
    public static void figure(String part, String text) {
        System.out.println(part + ": " + text);
        if (FIGURES == null) {
            return;
        }
        try {
            Files.writeString(
                    Path.of(FIGURES),
                    "| " + part + " | " + text + " |\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new AssertionError("cannot write the figures of " + part, e);
        }
    }
}
