package org.trueasync.internal.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.RunOrder;

/**
 * A run queue from whose entries a {@link RunOrder} chooses. Entries that were added at the head are not offered and
 * come first: those of high priority, and those that were taken too early and put back. Only tests load this class.
 * Without it {@link RunQueue} has no loaded subclass, so the JIT inlines its methods.
 */
public final class ChosenQueue extends RunQueue {
    private final RunOrder order;

    /** The number of first entries that were added at the head. */
    private int atHead;

    public ChosenQueue(RunOrder order) {
        this.order = order;
    }

    @Override
    public void addFirst(Object entry) {
        super.addFirst(entry);
        atHead++;
    }

    @Override
    @Nullable
    public Object poll() {
        if (atHead > 0) {
            atHead--;
            return super.poll();
        }
        int chosen = size() < 2 ? 0 : Objects.checkIndex(order.choose(size()), size());
        return chosen == 0 ? super.poll() : removeAt(chosen);
    }

    @Override
    public Object removeAt(int i) {
        if (i < atHead) atHead--;
        return super.removeAt(i);
    }
}
