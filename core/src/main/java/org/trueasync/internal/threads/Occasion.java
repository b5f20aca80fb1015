package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Scheduler;

/** Somebody who waits for something to become true inside. */
abstract class Occasion extends Waiter {
    private final Line<Occasion> line;
    private final String what;

    Occasion(Line<Occasion> line, @Nullable Scheduler scheduler, String what) {
        super(scheduler);
        this.line = line;
        this.what = what;
    }

    /** True if there is nothing to wait for. Inside. */
    abstract boolean isThere();

    @Override
    final void begin() {
        if (isThere()) end();
        else line.add(this);
    }

    @Override
    final void withdraw() {
        line.remove(this);
    }

    /** Ends those in a line for whom it has come. Inside. */
    static void tell(Line<Occasion> line) {
        for (int i = line.size(); i > 0; i--) {
            Occasion first = java.util.Objects.requireNonNull(line.poll());
            if (first.isThere()) first.end();
            else line.add(first);
        }
    }

    @Override
    public final String toString() {
        return what;
    }
}
