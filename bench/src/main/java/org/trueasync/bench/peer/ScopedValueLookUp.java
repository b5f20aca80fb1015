package org.trueasync.bench.peer;

import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.bench.workload.LookUp;

/** {@link ScopedValue}, bound around other bindings, on a virtual thread. */
public final class ScopedValueLookUp implements LookUp {

    private static final ScopedValue<String> KEY = ScopedValue.newInstance();

    @Override
    public long lookUps(int levels, int count, Blackhole results) {
        Thread thread = Thread.ofVirtual().unstarted(() -> ScopedValue.where(KEY, "value")
                .run(() -> inside(levels, () -> {
                    for (int i = 0; i < count; i++) results.consume(measured());
                })));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return count;
    }

    private static void inside(int levels, Runnable body) {
        if (levels == 0) body.run();
        else ScopedValue.where(ScopedValue.newInstance(), "other").run(() -> inside(levels - 1, body));
    }

    private static Object measured() {
        return KEY.get();
    }
}
