package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.list.IntrusiveList;

/** Waits for a condition on the state inside the {@link FlatCombiner}. */
abstract class ConditionWaiter extends ThreadWaiter {
    private final IntrusiveList<ConditionWaiter> line;
    private final String what;

    ConditionWaiter(IntrusiveList<ConditionWaiter> line, @Nullable Loop loop, String what) {
        super(loop);
        this.line = line;
        this.what = what;
    }

    /** True if the condition holds. Inside. */
    abstract boolean holds();

    @Override
    final void begin() {
        if (holds()) end();
        else line.add(this);
    }

    @Override
    final void withdraw() {
        line.remove(this);
    }

    /** Ends those waits of a queue whose condition holds. Inside. */
    static void tell(IntrusiveList<ConditionWaiter> line) {
        for (int i = line.size(); i > 0; i--) {
            ConditionWaiter first = java.util.Objects.requireNonNull(line.poll());
            if (first.holds()) first.end();
            else line.add(first);
        }
    }

    @Override
    public final String toString() {
        return what;
    }
}
