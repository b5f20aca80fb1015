package org.trueasync.internal.watchdog;

import java.util.function.BooleanSupplier;

/**
 * How much of the time in which a loop did not move is its code's own: not what the system gave to others, not what the
 * collector took, not what went into loading and linking classes. One thread; nanoseconds.
 */
final class OwnTime implements HoldTimer.OwnShare {
    /** The figures that are compared. {@link #ran} and {@link #starved} are -1 where they are not known. */
    interface Figures {
        /** How long the thread has run. */
        long ran();

        /** How long it has waited for a processor. */
        long starved();

        /** How long the collector has worked. */
        long collecting();

        /** How many classes have been loaded. */
        long classes();

        /** The part of a processor that one more thread would get now, from 0 to 1. */
        double room();

        /** Reads all figures anew. */
        void refresh();
    }

    private final Figures figures;
    private final BooleanSupplier works;

    /**
     * Makes an instance that has read no figures yet.
     *
     * @param figures of the loop's thread
     * @param works true if the loop's code runs or wants a processor, and does not wait; not asked where the system's
     *     figures say enough
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
            // Java code that computes sleeps only inside the JVM: for memory that is on a disk, for a class that is
            // linked.
            return (loads ? 0 : ran) + (asleep > 0 && !works.getAsBoolean() ? scaled(asleep) : 0);
        }
        if (works.getAsBoolean()) return loads ? 0 : ran;
        return scaled(Math.max(0, elapsed - paused - (loads ? ran : 0)));
    }

    /**
     * Scales down the time of a wait: on a crowded machine a short wait for another thread, or for the system, takes
     * long.
     */
    private long scaled(long asleep) {
        return (long) (asleep * figures.room());
    }
}
