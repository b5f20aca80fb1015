package org.trueasync.bench.peer;

import java.util.Arrays;
import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.Pools;

/**
 * The workloads for pools whose users are threads. A single user is the calling thread. Many users are virtual threads
 * on the one carrier that {@code JvmFlags} leaves.
 */
abstract class PoolOnThreads<R> implements Pools {

    /** Takes a resource; waits until there is one. */
    abstract R take() throws Exception;

    abstract void giveBack(R resource) throws Exception;

    @Override
    public final long uncontended(int operations, Blackhole uses) {
        try {
            for (int i = 0; i < operations; i += BURST) burst(uses);
        } catch (Exception e) {
            throw new IllegalStateException("the workload failed", e);
        }
        return operations;
    }

    private void burst(Blackhole uses) throws Exception {
        for (int i = 0; i < BURST; i++) {
            R resource = take();
            uses.consume(resource);
            giveBack(resource);
        }
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // one carrier: this lets the others run
    public final long contended(int users, int each) {
        var counter = new Counter();
        OneCarrier.Side user = () -> {
            for (int i = 0; i < each; i++) {
                R resource = take();
                Thread.yield();
                counter.value++;
                giveBack(resource);
            }
        };
        var all = new OneCarrier.Side[users];
        Arrays.fill(all, user);
        OneCarrier.run(all);
        return counter.value;
    }
}
