package org.trueasync.internal.watchdog;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.trueasync.internal.time.LoopLoad;

/**
 * How much of the last {@link LoopLoad#SPAN} was not the own time of a busy loop: its thread waited for a processor
 * that others had, or loaded classes. One thread; nanoseconds.
 */
final class ForeignTime {
    /** What the JVM needs to find, check and initialise a class at its first use, with what is not compiled yet. */
    private static final long CLASS = TimeUnit.MILLISECONDS.toNanos(1);

    private record Sample(long time, long sum) {}

    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private OwnTime.Figures last = new OwnTime.Figures(-1, -1, 0, 0);
    private long sum;

    /** The next figures are the first ones: those before did not count what these count. */
    void forget() {
        last = new OwnTime.Figures(-1, -1, 0, 0);
    }

    /**
     * Takes a sample. Samples may be left out while the loop sleeps.
     *
     * @param now the time
     * @param figures of the loop's thread
     */
    void add(long now, OwnTime.Figures figures) {
        if (last.ran() >= 0 && figures.ran() >= 0) {
            if (last.starved() >= 0 && figures.starved() >= 0) sum += figures.starved() - last.starved();
            sum += Math.min(figures.ran() - last.ran(), CLASS * (figures.classes() - last.classes()));
        }
        last = figures;
        samples.addLast(new Sample(now, sum));
        while (samples.size() > 1 && now - samples.getFirst().time > LoopLoad.SPAN) samples.removeFirst();
    }

    /**
     * The part of the loop's busy time that was its own, from 0 to 1.
     *
     * @param utilisation of the same time
     */
    double own(double utilisation) {
        if (samples.isEmpty() || utilisation <= 0) return 1;
        double foreign = sum - samples.getFirst().sum;
        return Math.clamp(1 - foreign / (utilisation * LoopLoad.SPAN), 0, 1);
    }
}
