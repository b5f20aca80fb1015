package org.trueasync.testkit.simulation;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A fault that is planned for a run. */
final class Fault {
    private final int number;
    private final long at;
    private final long until;
    private final Faults.Kind kind;
    private final SplittableRandom random;
    private final boolean atBusiest;
    /** What it does; null while it is not under way. */
    private Faults.@Nullable Effect effect;

    /**
     * A fault that has not begun.
     *
     * @param number among the faults of its run
     * @param at when it begins, in nanoseconds
     * @param until when it ends
     * @param random decides all else
     */
    Fault(int number, long at, long until, Faults.Kind kind, SplittableRandom random, boolean atBusiest) {
        this.number = number;
        this.at = at;
        this.until = until;
        this.kind = kind;
        this.random = random;
        this.atBusiest = atBusiest;
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

    void begin(SimulatedRun run) {
        Faults.Effect begun = kind.decide(new Aim(run, random, atBusiest, until));
        if (begun.end() != null) effect = begun;
        run.note("fault", begun.end() == null ? "happens:" : "begins:", begun.text());
        begun.begin().accept(run);
    }

    /** Does nothing if it is not under way. */
    void end(SimulatedRun run) {
        Faults.Effect ended = effect;
        if (ended == null || ended.end() == null) return;
        effect = null;
        run.note("fault", "ends:", ended.text());
        ended.end().accept(run);
    }
}
