package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Scheduler;

/** Somebody who waits for something to become true inside. */
abstract class ConditionWaiter extends ThreadWaiter {
    private final LinkedQueue<ConditionWaiter> line;
    private final String what;

    ConditionWaiter(LinkedQueue<ConditionWaiter> line, @Nullable Scheduler scheduler, String what) {
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
    static void tell(LinkedQueue<ConditionWaiter> line) {
        for (int i = line.size(); i > 0; i--) {
            ConditionWaiter first = java.util.Objects.requireNonNull(line.poll());
            if (first.isThere()) first.end();
            else line.add(first);
        }
    }

    @Override
    public final String toString() {
        return what;
    }
}
