package org.trueasync.bench.peer;

import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.Pool;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.Pools;

/** Our pool. */
public final class TrueAsyncPool implements Pools {

    @Override
    public long uncontended(int operations, Blackhole uses) {
        var counter = new Counter();
        Async.run(() -> {
            try (Pool<Object> pool = full()) {
                for (int i = 0; i < operations; i += BURST) burst(pool, uses);
                counter.value = pool.stats().acquired();
            }
        });
        return counter.value;
    }

    private static void burst(Pool<Object> pool, Blackhole uses) {
        for (int i = 0; i < BURST; i++) {
            Object resource = pool.acquire();
            uses.consume(resource);
            pool.release(resource);
        }
    }

    @Override
    public long contended(int users, int each) {
        var counter = new Counter();
        Async.run(() -> {
            try (Pool<Object> pool = full()) {
                Body user = () -> {
                    for (int i = 0; i < each; i++) {
                        Object resource = pool.acquire();
                        suspend();
                        counter.value++;
                        pool.release(resource);
                    }
                };
                var all = new ArrayList<Coroutine<?>>(users);
                for (int i = 0; i < users; i++) all.add(spawn(user));
                for (Coroutine<?> coroutine : all) await(coroutine);
            }
        });
        return counter.value;
    }

    private static Pool<Object> full() {
        return Pool.of(Object::new).min(RESOURCES).max(RESOURCES).build();
    }

    @Override
    public void close() {}
}
