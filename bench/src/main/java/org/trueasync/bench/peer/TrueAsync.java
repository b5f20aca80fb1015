package org.trueasync.bench.peer;

import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.Scope;
import org.trueasync.TaskGroup;
import org.trueasync.bench.workload.AwaitDone;
import org.trueasync.bench.workload.AwaitMany;
import org.trueasync.bench.workload.Coroutines;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.HeapProbe;
import org.trueasync.bench.workload.MemoryWarmUp;
import org.trueasync.bench.workload.Owned;
import org.trueasync.bench.workload.SleepSchedule;

/** Our coroutines, by the public API alone. Every call starts a runtime of its own, as a program does. */
public final class TrueAsync implements Coroutines, AwaitDone, AwaitMany, Owned {

    @Override
    public long switches(int coroutines, int rounds) {
        var counter = new Counter();
        Async.run(() -> {
            Body task = () -> {
                for (int round = 0; round < rounds; round++) {
                    counter.value++;
                    suspend();
                }
            };
            awaitEach(spawnEach(coroutines, task));
        });
        return counter.value;
    }

    @Override
    public long spawnAll(int count) {
        var counter = new Counter();
        Async.run(() -> awaitEach(spawnEach(count, () -> counter.value++)));
        return counter.value;
    }

    @Override
    public long spawnOneByOne(int count) {
        var counter = new Counter();
        Async.run(() -> {
            Body task = () -> counter.value++;
            for (int i = 0; i < count; i++) {
                await(spawn(task));
            }
        });
        return counter.value;
    }

    @Override
    public long sleepers(int count) {
        return sleepers(count, Async::delay);
    }

    @Override
    public long jdkSleepers(int count) {
        return sleepers(count, Thread::sleep);
    }

    private interface Sleep {
        void of(long millis) throws InterruptedException;
    }

    private static long sleepers(int count, Sleep sleep) {
        var counter = new Counter();
        Async.run(() -> {
            var sleepers = new ArrayList<Coroutine<?>>(count);
            for (int i = 0; i < count; i++) {
                int millis = SleepSchedule.millis(i);
                Body sleeper = () -> {
                    sleep.of(millis);
                    counter.value++;
                };
                sleepers.add(spawn(sleeper));
            }
            awaitEach(sleepers);
        });
        return counter.value;
    }

    @Override
    public long suspended(int count, int depth, HeapProbe probe) {
        var counter = new Counter();
        Async.run(() -> {
            for (int i = 0; i < MemoryWarmUp.ROUNDS; i++) {
                suspendedOnce(MemoryWarmUp.crowd(count), depth, HeapProbe.NONE, new Counter());
            }
            suspendedOnce(count, depth, probe, counter);
        });
        return counter.value;
    }

    @Override
    public long awaitDone(int count, Blackhole results) {
        Async.run(() -> {
            Coroutine<Object> done = spawn(() -> "done");
            await(done);
            for (int i = 0; i < count; i++) {
                results.consume(measured(done));
            }
        });
        return count;
    }

    @Override
    public long awaitAll(int count, int rounds) {
        var counter = new Counter();
        Async.run(() -> {
            for (int round = 0; round < rounds; round++) {
                awaitAllOrFail(spawnEach(count, () -> counter.value++));
            }
        });
        return counter.value;
    }

    @Override
    public long sharedToken(int count, int rounds) {
        var counter = new Counter();
        Async.run(() -> {
            Coroutine<?> token = spawn(() -> delay(Long.MAX_VALUE));
            for (int round = 0; round < rounds; round++) {
                var waiters = new ArrayList<Coroutine<?>>(count);
                for (int i = 0; i < count; i++) {
                    waiters.add(spawn(() -> {
                        await(spawn(() -> counter.value++), token);
                    }));
                }
                awaitEach(waiters);
            }
            token.cancel();
        });
        return counter.value;
    }

    @Override
    public long group(int count, int rounds) {
        var counter = new Counter();
        Async.run(() -> {
            for (int round = 0; round < rounds; round++) {
                var group = new TaskGroup<Integer>();
                for (int i = 0; i < count; i++) {
                    int value = i;
                    group.spawn(() -> value);
                }
                counter.value += group.all().await().size();
            }
        });
        return counter.value;
    }

    @Override
    public long scope(int count, int rounds) {
        var counter = new Counter();
        Async.run(() -> {
            Body task = () -> counter.value++;
            for (int round = 0; round < rounds; round++) {
                try (var scope = new Scope()) {
                    for (int i = 0; i < count; i++) {
                        scope.spawn(task);
                    }
                    scope.awaitCompletion(timeout(1_000_000));
                }
            }
        });
        return counter.value;
    }

    private static Object measured(Coroutine<Object> done) {
        return await(done);
    }

    /**
     * All coroutines await the same one, so the memory of our await for each waiter is weighed too. (Virtual threads
     * only park and Kotlin's coroutines only suspend, so the comparison favours them.)
     */
    private static void suspendedOnce(int count, int depth, HeapProbe probe, Counter counter) {
        probe.before();
        var opened = new CompletableFuture<Object>();
        Coroutine<Object> gate = spawn(() -> await(opened));
        var waiting = new Counter();
        List<Coroutine<?>> all = spawnEach(count, () -> {
            int reached = descend(depth, gate, waiting); // apart: counter.value must not be read before the suspension
            counter.value += reached - depth + 1;
        });
        while (waiting.value < count) {
            suspend();
        }
        probe.after();
        opened.complete("open");
        awaitEach(all);
    }

    private static int descend(int depth, Coroutine<Object> gate, Counter waiting) {
        if (depth == 0) {
            waiting.value++;
            await(gate);
            return 0;
        }
        return descend(depth - 1, gate, waiting) + 1;
    }

    private static List<Coroutine<?>> spawnEach(int count, Body task) {
        var spawned = new ArrayList<Coroutine<?>>(count);
        for (int i = 0; i < count; i++) {
            spawned.add(spawn(task));
        }
        return spawned;
    }

    private static void awaitEach(List<Coroutine<?>> coroutines) {
        for (Coroutine<?> coroutine : coroutines) {
            await(coroutine);
        }
    }
}
