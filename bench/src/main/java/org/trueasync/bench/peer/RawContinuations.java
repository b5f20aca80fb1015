package org.trueasync.bench.peer;

import java.util.Arrays;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.trueasync.bench.workload.Coroutines;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.HeapProbe;
import org.trueasync.bench.workload.MemoryWarmUp;

/**
 * The floor: bare JDK continuations run in turn by a loop. No thread identity, no queue, no result, no waker, no
 * cancellation. Nothing that suspends a real Java stack can be cheaper on this JVM.
 */
public final class RawContinuations implements Coroutines {

    private static final ContinuationScope SCOPE = new ContinuationScope("floor");

    @Override
    public long switches(int coroutines, int rounds) {
        var counter = new Counter();
        var ring = new Continuation[coroutines];
        Arrays.setAll(
                ring,
                i -> new Continuation(SCOPE, () -> {
                    for (int round = 0; round < rounds; round++) {
                        counter.value++;
                        Continuation.yield(SCOPE);
                    }
                }));
        for (int turn = 0; turn <= rounds; turn++) { // in the last turn each one ends
            for (Continuation next : ring) {
                next.run();
            }
        }
        return counter.value;
    }

    @Override
    public long spawnAll(int count) {
        var counter = new Counter();
        Runnable task = () -> counter.value++;
        var spawned = new Continuation[count];
        for (int i = 0; i < count; i++) {
            spawned[i] = new Continuation(SCOPE, task);
        }
        for (Continuation next : spawned) {
            next.run();
        }
        return counter.value;
    }

    /**
     * The spawning continuation is suspended while the spawned one runs: two switches each time, as for a coroutine
     * that awaits.
     */
    @Override
    public long spawnOneByOne(int count) {
        var counter = new Counter();
        Runnable task = () -> counter.value++;
        var handover = new Continuation[1];
        var main = new Continuation(SCOPE, () -> {
            for (int i = 0; i < count; i++) {
                handover[0] = new Continuation(SCOPE, task);
                Continuation.yield(SCOPE);
            }
        });
        main.run();
        while (!main.isDone()) {
            handover[0].run();
            main.run();
        }
        return counter.value;
    }

    @Override
    public long sleepers(int count) {
        return new RawSleepers(SCOPE, count).run();
    }

    @Override
    public long suspended(int count, int depth, HeapProbe probe) {
        for (int i = 0; i < MemoryWarmUp.ROUNDS; i++) {
            suspendedOnce(MemoryWarmUp.crowd(count), depth, HeapProbe.NONE);
        }
        return suspendedOnce(count, depth, probe);
    }

    private static long suspendedOnce(int count, int depth, HeapProbe probe) {
        probe.before();
        var counter = new Counter();
        Runnable task = () -> {
            int reached = descend(depth); // apart: counter.value must not be read before the suspension
            counter.value += reached - depth + 1;
        };
        var all = new Continuation[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Continuation(SCOPE, task);
            all[i].run();
        }
        probe.after();
        for (Continuation continuation : all) {
            continuation.run();
        }
        return counter.value;
    }

    private static int descend(int depth) {
        if (depth == 0) {
            Continuation.yield(SCOPE);
            return 0;
        }
        return descend(depth - 1) + 1;
    }
}
