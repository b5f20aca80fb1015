package org.trueasync.internal.watchdog;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * How much of the time in which a loop did not move is its code's own: not what the system gave to others, not what the
 * collector took, not what went into loading and linking classes. One thread; nanoseconds.
 */
final class OwnTime implements HoldTimer.OwnShare {
    /**
     * The figures at one moment.
     *
     * @param ran how long the thread has run; -1 if that is not known
     * @param starved how long it has waited for a processor; -1 if that is not known
     * @param collecting how long the collector has worked
     * @param classes how many classes have been loaded
     */
    record Figures(long ran, long starved, long collecting, long classes) {}

    private final Supplier<Figures> figures;
    private final BooleanSupplier works;
    private Figures last = new Figures(-1, -1, 0, 0);

    /**
     * Makes an instance that has read no figures yet.
     *
     * @param figures of the loop's thread, read now
     * @param works true if the loop's code runs or wants a processor, and does not wait; not asked where the system's
     *     figures say enough
     */
    OwnTime(Supplier<Figures> figures, BooleanSupplier works) {
        this.figures = figures;
        this.works = works;
    }

    @Override
    public void begin() {
        last = figures.get();
    }

    @Override
    public long part(long elapsed, long late) {
        Figures before = last;
        Figures now = figures.get();
        last = now;
        boolean loads = now.classes != before.classes;
        // What held up the sampler, and was no lack of processors, held up the loop.
        long paused = Math.max(late, now.collecting - before.collecting);
        if (before.ran < 0 || now.ran < 0) return Math.max(0, elapsed - paused);
        long ran = Math.min(elapsed, now.ran - before.ran);
        if (before.starved >= 0 && now.starved >= 0) {
            long asleep = Math.max(0, elapsed - ran - (now.starved - before.starved) - paused);
            // Java code that computes sleeps only inside the JVM: for memory that is on a disk, for a class that is
            // linked.
            return (loads ? 0 : ran) + (asleep > 0 && !works.getAsBoolean() ? asleep : 0);
        }
        if (works.getAsBoolean()) return loads ? 0 : ran;
        return Math.max(0, elapsed - paused - (loads ? ran : 0));
    }
}
