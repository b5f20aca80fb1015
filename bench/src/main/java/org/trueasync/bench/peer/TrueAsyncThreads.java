package org.trueasync.bench.peer;

import static org.trueasync.Async.await;
import static org.trueasync.Async.spawnThread;

import java.util.ArrayList;
import java.util.concurrent.Callable;
import org.trueasync.Async;
import org.trueasync.Future;
import org.trueasync.ThreadChannel;
import org.trueasync.ThreadPool;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.Threads;

/** Our pool of two workers, and our channel between the main coroutines of two runtimes. */
public final class TrueAsyncThreads implements Threads {

    @Override
    public long submit(int count, int together) {
        var counter = new Counter();
        Async.run(() -> {
            Callable<Integer> task = () -> 1;
            try (var pool = ThreadPool.builder().workers(2).queueSize(together).build()) {
                var futures = new ArrayList<Future<Integer>>(together);
                while (counter.value < count) {
                    for (int i = 0; i < together; i++) {
                        futures.add(pool.submit(task));
                    }
                    for (Future<Integer> future : futures) {
                        counter.value += await(future);
                    }
                    futures.clear();
                }
            }
        });
        return counter.value;
    }

    @Override
    public long exchange(int count, int capacity) {
        var sum = new Counter();
        Async.run(() -> {
            var channel = new ThreadChannel<Integer>(capacity);
            spawnThread(() -> {
                for (int i = 0; i < count; i++) {
                    channel.send(i);
                }
            });
            for (int i = 0; i < count; i++) {
                sum.value += channel.receive();
            }
        });
        return sum.value;
    }
}
