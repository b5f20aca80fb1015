package org.trueasync.bench.peer;

import java.util.ArrayDeque;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.Pools;

/**
 * The floor: a deque of resources, a deque of bare continuations that are ready and one of those that wait for a
 * resource.
 */
public final class RawPool implements Pools {

    private static final ContinuationScope SCOPE = new ContinuationScope("pool");

    private final ArrayDeque<Object> idle = new ArrayDeque<>();
    private final ArrayDeque<User> waiting = new ArrayDeque<>();
    private final ArrayDeque<User> ready = new ArrayDeque<>();

    public RawPool() {
        for (int i = 0; i < RESOURCES; i++) idle.add(new Object());
    }

    @Override
    public long uncontended(int operations, Blackhole uses) {
        for (int i = 0; i < operations; i += BURST) burst(uses);
        return operations;
    }

    private void burst(Blackhole uses) {
        for (int i = 0; i < BURST; i++) {
            Object resource = idle.remove();
            uses.consume(resource);
            idle.add(resource);
        }
    }

    @Override
    public long contended(int users, int each) {
        var counter = new Counter();
        for (int i = 0; i < users; i++) ready.add(new User(each, counter));
        User next;
        while ((next = ready.poll()) != null) next.continuation.run();
        return counter.value;
    }

    private final class User implements Runnable {
        private final Continuation continuation = new Continuation(SCOPE, this);
        private final int each;
        private final Counter counter;
        /** The resource that its last user has handed to this one. */
        private @Nullable Object handedOver;

        User(int each, Counter counter) {
            this.each = each;
            this.counter = counter;
        }

        @Override
        public void run() {
            for (int i = 0; i < each; i++) {
                Object resource = take();
                ready.add(this);
                Continuation.yield(SCOPE);
                counter.value++;
                giveBack(resource);
            }
        }

        private Object take() {
            Object resource = idle.poll();
            if (resource != null) return resource;
            waiting.add(this);
            Continuation.yield(SCOPE);
            resource = handedOver;
            handedOver = null;
            if (resource == null) throw new IllegalStateException("woken without a resource");
            return resource;
        }

        private void giveBack(Object resource) {
            User next = waiting.poll();
            if (next == null) {
                idle.add(resource);
                return;
            }
            next.handedOver = resource;
            ready.add(next);
        }
    }

    @Override
    public void close() {}
}
