package org.trueasync.testkit;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.testkit.Chance;
import org.trueasync.internal.testkit.SeededOrder;
import org.trueasync.spi.RunOrder;

/**
 * What decides about one run. The lowest bits say what varies, one for each {@link Vary}, so that the number alone is enough to repeat it.
 *
 * @param value >= 0
 */
record Seed(long value) {
    private static final int BITS = 2;

    /** The usual order. */
    static final Seed PLAIN = new Seed(0);

    /** The biggest number for {@link #numbered}. */
    static final long LAST = Long.MAX_VALUE >> BITS;

    Seed {
        if (value < 0) throw new IllegalArgumentException("seed must be >= 0, got " + value);
    }

    /** One of the seeds under which this varies. */
    static Seed numbered(long number, Set<Vary> varied) {
        long bits = 0;
        for (Vary what : varied) bits |= what.bit;
        return new Seed(number << BITS | bits);
    }

    private boolean varies(Vary what) {
        return (value & what.bit) != 0;
    }

    /** What it decides about the world outside; null for nothing. */
    @Nullable
    Chance chance() {
        return varies(Vary.COMPLETIONS) ? new Chance(value) : null;
    }

    /** What it decides about those that are ready; null for nothing. */
    @Nullable
    RunOrder runOrder() {
        return varies(Vary.READY) ? new SeededOrder(value) : null;
    }

    @Override
    public String toString() {
        var varied = EnumSet.allOf(Vary.class);
        varied.removeIf(what -> !varies(what));
        return "seed " + value + " ("
                + (varied.isEmpty()
                        ? "the usual order"
                        : varied.stream()
                                .map(what -> what.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(" and ", "varies ", "")))
                + ")";
    }
}
