package org.trueasync.testkit.simulation;

import java.util.function.Consumer;

/** A fault that is planned for a run. */
final class Fault {
    private final int number;
    private final String text;
    private final long at;
    private final long until;
    private final Consumer<SimulatedRun> begin;
    private final Consumer<SimulatedRun> end;
    private boolean underWay;

    /**
     * A fault that has not begun.
     *
     * @param number among the faults of its run
     * @param text for people
     * @param at when it begins, in nanoseconds
     * @param until when it ends
     */
    Fault(int number, String text, long at, long until, Consumer<SimulatedRun> begin, Consumer<SimulatedRun> end) {
        this.number = number;
        this.text = text;
        this.at = at;
        this.until = until;
        this.begin = begin;
        this.end = end;
    }

    int number() {
        return number;
    }

    long at() {
        return at;
    }

    long until() {
        return until;
    }

    boolean isUnderWay() {
        return underWay;
    }

    void begin(SimulatedRun run) {
        underWay = true;
        run.note("fault", "begins:", text);
        begin.accept(run);
    }

    void end(SimulatedRun run) {
        underWay = false;
        run.note("fault", "ends:", text);
        end.accept(run);
    }
}
