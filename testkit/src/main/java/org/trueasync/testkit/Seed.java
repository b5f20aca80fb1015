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
 * The number that determines one run. Its lowest bits, one for each {@link Vary}, say what varies, so that the number
 * alone repeats the run.
 *
 * @param value >= 0
 */
record Seed(long value) {
    private static final int BITS = 2;

    /** The usual order. */
    static final Seed PLAIN = new Seed(0);

    /** The largest number for {@link #numbered}. */
    static final long LAST = Long.MAX_VALUE >> BITS;

    Seed {
        if (value < 0) throw new IllegalArgumentException("seed must be >= 0, got " + value);
    }

    /** Returns the seed with a number under which the given things vary. */
    static Seed numbered(long number, Set<Vary> varied) {
        long bits = 0;
        for (Vary what : varied) bits |= what.bit;
        return new Seed(number << BITS | bits);
    }

    private boolean varies(Vary what) {
        return (value & what.bit) != 0;
    }

    /** The decisions about the world outside; null if they do not vary. */
    @Nullable
    Chance chance() {
        return varies(Vary.COMPLETIONS) ? new Chance(value) : null;
    }

    /** The order of the ready coroutines; null if it does not vary. */
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
