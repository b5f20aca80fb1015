package org.trueasync.internal.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.RunOrder;

/**
 * A run queue from whose entries a {@link RunOrder} chooses. What has joined at the head is not offered and comes first: high priority, and what
 * was taken off too early. Loaded by tests only; without it every call of the queue is one of a class without subclasses, which the JIT
 * inlines.
 */
public final class ChosenQueue extends RunQueue {
    private final RunOrder order;

    /** How many of the first entries have joined at the head. */
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
