package org.trueasync.bench.peer;

import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.jspecify.annotations.Nullable;
import org.trueasync.bench.workload.Channels;
import org.trueasync.bench.workload.Checker;

/**
 * The floor: two bare continuations that a loop runs in turn, with the values in an array between them. For a
 * rendezvous the array holds two values: the one that the receiver waits for, and the one with which the sender then
 * waits. So a rendezvous needs no more than one switch for each value.
 */
public final class RawHandover implements Channels {

    private static final ContinuationScope SCOPE = new ContinuationScope("handover");

    @Override
    public long rendezvous(int items) {
        return buffered(items, 2);
    }

    @Override
    public long pingPong(int items) {
        var checker = new Checker();
        var between = new @Nullable Integer[1];
        Runnable side = () -> {
            while (checker.count() < items) {
                Integer value = between[0];
                if (value != null) checker.take(value);
                if (checker.count() < items) between[0] = Boxed.of((int) checker.count());
                Continuation.yield(SCOPE);
            }
        };
        var first = new Continuation(SCOPE, side);
        var second = new Continuation(SCOPE, side);
        while (!first.isDone() || !second.isDone()) {
            if (!first.isDone()) first.run();
            if (!second.isDone()) second.run();
        }
        return checker.count();
    }

    @Override
    public long buffered(int items, int capacity) {
        var checker = new Checker();
        var ring = new @Nullable Integer[capacity];
        var between = new int[1];
        var producer = new Continuation(SCOPE, () -> {
            for (int i = 0; i < items; i++) {
                ring[between[0]++] = Boxed.of(i);
                if (between[0] == capacity) Continuation.yield(SCOPE);
            }
        });
        var consumer = new Continuation(SCOPE, () -> {
            for (int i = 0; i < items; ) {
                int count = between[0];
                for (int k = 0; k < count; k++, i++) {
                    Integer value = ring[k];
                    ring[k] = null;
                    checker.take(value == null ? -1 : value);
                }
                between[0] = 0;
                if (i < items) Continuation.yield(SCOPE);
            }
        });
        while (!consumer.isDone()) {
            if (!producer.isDone()) producer.run();
            consumer.run();
        }
        return checker.count();
    }
}
