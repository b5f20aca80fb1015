package org.trueasync.internal.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pending completions of the world outside. They happen in the order of the calls, or as the seed decides. Loop
 * thread.
 */
final class Completions {
    private final List<Runnable> pending = new ArrayList<>();
    private final @Nullable Chance chance;

    Completions(@Nullable Chance chance) {
        this.chance = chance;
    }

    void add(Runnable completion) {
        pending.add(completion);
    }

    void remove(Runnable completion) {
        pending.remove(completion);
    }

    int size() {
        return pending.size();
    }

    /**
     * True if something completes before the loop's alarm.
     *
     * @param alarmIsSet false: only a completion, or a trigger from another thread, can end the wait
     */
    boolean completesBeforeAlarm(boolean alarmIsSet) {
        if (pending.isEmpty()) return false;
        return chance == null || !alarmIsSet || chance.below(pending.size() + 1) > 0;
    }

    /**
     * Runs completions whose moment has come.
     *
     * @param atLeast the least number of completions to run, if that many are pending
     */
    void happen(int atLeast) {
        int due = pending.size();
        for (int done = 0; done < due && !pending.isEmpty(); done++) {
            if (chance != null && done >= atLeast && chance.oneIn(2)) return;
            pending.remove(chance == null ? 0 : chance.below(pending.size())).run();
        }
    }
}
