package org.trueasync.bench.peer;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.trueasync.bench.workload.Coroutines;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.HeapProbe;
import org.trueasync.bench.workload.MemoryWarmUp;
import org.trueasync.bench.workload.Owned;
import org.trueasync.bench.workload.SleepSchedule;

/**
 * The JDK's virtual threads on their default scheduler, which {@code JvmFlags} limits to one carrier. The main code of
 * each workload is a virtual thread too, so that everything happens on that one carrier.
 */
public final class VirtualThreads implements Coroutines, Owned {

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // yielding is what is measured
    public long switches(int coroutines, int rounds) {
        return onCarrier(counter -> {
            Runnable task = () -> {
                for (int round = 0; round < rounds; round++) {
                    counter.value++;
                    Thread.yield();
                }
            };
            joinAll(startAll(coroutines, task));
        });
    }

    @Override
    public long spawnAll(int count) {
        return onCarrier(counter -> joinAll(startAll(count, () -> counter.value++)));
    }

    @Override
    public long spawnOneByOne(int count) {
        return onCarrier(counter -> {
            Runnable task = () -> counter.value++;
            for (int i = 0; i < count; i++) {
                Thread.startVirtualThread(task).join();
            }
        });
    }

    @Override
    public long sleepers(int count) {
        return onCarrier(counter -> {
            var threads = new Thread[count];
            for (int i = 0; i < count; i++) {
                int millis = SleepSchedule.millis(i);
                threads[i] = Thread.startVirtualThread(() -> {
                    sleep(millis);
                    counter.value++;
                });
            }
            joinAll(threads);
        });
    }

    @Override
    public long suspended(int count, int depth, HeapProbe probe) {
        return onCarrier(counter -> {
            for (int i = 0; i < MemoryWarmUp.ROUNDS; i++) {
                suspendedOnce(MemoryWarmUp.crowd(count), depth, HeapProbe.NONE, new Counter());
            }
            suspendedOnce(count, depth, probe, counter);
        });
    }

    /** An executor of virtual threads; StructuredTaskScope is a preview in this JDK. */
    @Override
    public long group(int count, int rounds) {
        return onCarrier(counter -> {
            for (int round = 0; round < rounds; round++) {
                try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                    var tasks = new ArrayList<Future<Integer>>(count);
                    for (int i = 0; i < count; i++) {
                        int value = i;
                        tasks.add(executor.submit(() -> value));
                    }
                    var values = new ArrayList<Integer>(count);
                    for (Future<Integer> task : tasks) {
                        values.add(task.get());
                    }
                    counter.value += values.size();
                } catch (ExecutionException e) {
                    throw new IllegalStateException("no task fails", e);
                }
            }
        });
    }

    @Override
    public long scope(int count, int rounds) {
        return onCarrier(counter -> {
            for (int round = 0; round < rounds; round++) {
                try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (int i = 0; i < count; i++) {
                        executor.execute(() -> counter.value++);
                    }
                }
            }
        });
    }

    @SuppressWarnings("ThreadPriorityCheck") // one carrier: this lets the others run
    private static void suspendedOnce(int count, int depth, HeapProbe probe, Counter counter)
            throws InterruptedException {
        probe.before();
        var gate = new Gate();
        Thread[] threads = startAll(count, () -> {
            int reached = descend(depth, gate); // apart: counter.value must not be read before the suspension
            counter.value += reached - depth + 1;
        });
        while (gate.waiting < count) {
            Thread.yield();
        }
        probe.after();
        gate.open = true;
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
        }
        joinAll(threads);
    }

    private static int descend(int depth, Gate gate) {
        if (depth == 0) {
            gate.await();
            return 0;
        }
        return descend(depth - 1, gate) + 1;
    }

    /** The leanest way to wait that the JDK has: no queue, no node, just {@code park}. */
    private static final class Gate {
        private boolean open;
        private int waiting;

        void await() {
            waiting++;
            while (!open) {
                LockSupport.park(this);
            }
        }
    }

    private static Thread[] startAll(int count, Runnable task) {
        var threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = Thread.startVirtualThread(task);
        }
        return threads;
    }

    private static void joinAll(Thread[] threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a sleeper", e);
        }
    }

    private interface Main {
        void run(Counter counter) throws InterruptedException;
    }

    private static long onCarrier(Main main) {
        var counter = new Counter();
        var failure = new Throwable[1];
        Thread thread = Thread.startVirtualThread(() -> {
            try {
                main.run(counter);
            } catch (Throwable e) {
                failure[0] = e;
            }
        });
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a workload", e);
        }
        if (failure[0] != null) {
            throw new IllegalStateException("the workload failed", failure[0]);
        }
        return counter.value;
    }
}
