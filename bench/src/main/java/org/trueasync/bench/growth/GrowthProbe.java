package org.trueasync.bench.growth;

import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.bench.ParentWatch;

/**
 * {@code GrowthProbe PEER KIND PASSES} prints {@code GROWTH} for each pass, and for each of the kind's numbers the
 * nanoseconds that an element takes.
 */
public final class GrowthProbe {
    private static final long WARM_UP_NANOS = 1_000_000_000;

    /** Few elements are made again and again until this time is over. */
    private static final long NANOS = 100_000_000;

    private final Kind kind;

    private GrowthProbe(Kind kind) {
        this.kind = kind;
    }

    public static void main(String[] arguments) {
        ParentWatch.start();
        var probe = new GrowthProbe(Kind.valueOf(arguments[1]));
        Async.run((Body) () -> {
            probe.nanos(Kind.FEW, WARM_UP_NANOS);
            for (int pass = Integer.parseInt(arguments[2]); pass > 0; pass--) probe.pass();
        });
        System.exit(0);
    }

    private void pass() throws Exception {
        var line = new StringBuilder("GROWTH");
        for (int number : kind.numbers()) line.append(' ').append(nanos(number, NANOS));
        System.out.println(line);
    }

    private double nanos(int number, long atLeast) throws Exception {
        System.gc();
        long elements = 0;
        long begin = System.nanoTime();
        long taken;
        do {
            long used = kind.elements.all(number);
            if (used != number) throw new IllegalStateException(kind + ": used " + used + " of " + number);
            elements += number;
            taken = System.nanoTime() - begin;
        } while (taken < atLeast);
        return (double) taken / elements;
    }
}
