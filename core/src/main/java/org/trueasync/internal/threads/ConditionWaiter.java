package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.queue.IntrusiveList;

/** Waits for a condition on the state inside the {@link FlatCombiner}. */
abstract class ConditionWaiter extends ThreadWaiter {
    private final IntrusiveList<ConditionWaiter> queue;
    private final String what;

    ConditionWaiter(IntrusiveList<ConditionWaiter> queue, @Nullable Loop loop, String what) {
        super(loop);
        this.queue = queue;
        this.what = what;
    }

    /** True if the condition holds. Inside. */
    abstract boolean holds();

    @Override
    final void begin() {
        if (holds()) end();
        else queue.add(this);
    }

    @Override
    final void withdraw() {
        queue.remove(this);
    }

    /** Ends those waits of a queue whose condition holds. Inside. */
    static void endSatisfied(IntrusiveList<ConditionWaiter> queue) {
        for (int i = queue.size(); i > 0; i--) {
            ConditionWaiter first = java.util.Objects.requireNonNull(queue.poll());
            if (first.holds()) first.end();
            else queue.add(first);
        }
    }

    @Override
    public final String toString() {
        return what;
    }
}
