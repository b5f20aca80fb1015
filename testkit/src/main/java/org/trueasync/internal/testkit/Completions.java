package org.trueasync.internal.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the world outside will complete: in the order of asking, or when the seed says. Loop thread. */
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
     * Whether something completes before the loop's alarm goes off.
     *
     * @param alarmIsSet otherwise nothing else can end the wait
     */
    boolean comesBefore(boolean alarmIsSet) {
        if (pending.isEmpty()) return false;
        return chance == null || !alarmIsSet || chance.among(pending.size() + 1) > 0;
    }

    /**
     * Completes what is complete now.
     *
     * @param atLeast how many, if there are so many
     */
    void happen(int atLeast) {
        int most = pending.size();
        for (int done = 0; done < most && !pending.isEmpty(); done++) {
            if (chance != null && done >= atLeast && chance.oneIn(2)) return;
            pending.remove(chance == null ? 0 : chance.among(pending.size())).run();
        }
    }
}
