package org.trueasync.internal.watchdog;

import java.util.function.BooleanSupplier;

/**
 * How much of the time in which a loop did not move is its code's own: not what the system gave to others, not what the collector took, not what went into
 * loading and linking classes. One thread; nanoseconds.
 */
final class OwnTime implements HoldTimer.Own {
    /** The figures that are compared; -1 for what is not known. */
    interface Figures {
        /** That the thread has run. */
        long ran();

        /** That it has waited for a processor. */
        long starved();

        /** That the collector has worked. */
        long collecting();

        /** How many classes have been loaded. */
        long classes();

        /** The part of the machine's processors that a thread more would find, from 0 to 1; now. */
        double room();

        /** They are of now from here on. */
        void refresh();
    }

    private final Figures figures;
    private final BooleanSupplier works;

    /**
     * Nothing is known so far.
     *
     * @param figures of the loop's thread
     * @param works whether its code runs now if it has a processor, and does not wait; not asked where the system says enough
     */
    OwnTime(Figures figures, BooleanSupplier works) {
        this.figures = figures;
        this.works = works;
    }

    @Override
    public void begin() {
        figures.refresh();
    }

    @Override
    public long part(long elapsed, long late) {
        long ranBefore = figures.ran();
        long starvedBefore = figures.starved();
        long collectingBefore = figures.collecting();
        long classesBefore = figures.classes();
        figures.refresh();
        boolean loads = figures.classes() != classesBefore;
        // What held up the sampler, and was no lack of processors, held up the loop.
        long paused = Math.max(late, figures.collecting() - collectingBefore);
        if (ranBefore < 0 || figures.ran() < 0) return Math.max(0, elapsed - paused);
        long ran = Math.min(elapsed, figures.ran() - ranBefore);
        if (starvedBefore >= 0 && figures.starved() >= 0) {
            long asleep = Math.max(0, elapsed - ran - (figures.starved() - starvedBefore) - paused);
            // Java code that computes sleeps in the JVM alone: for memory that is on a disk, for a class that is
            // linked.
            return (loads ? 0 : ran) + (asleep > 0 && !works.getAsBoolean() ? scaled(asleep) : 0);
        }
        if (works.getAsBoolean()) return loads ? 0 : ran;
        return scaled(Math.max(0, elapsed - paused - (loads ? ran : 0)));
    }

    /** On a machine that is crowded a short wait for another thread, or for the system, is a long one. */
    private long scaled(long asleep) {
        return (long) (asleep * figures.room());
    }
}
