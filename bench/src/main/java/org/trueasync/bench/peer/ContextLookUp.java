package org.trueasync.bench.peer;

import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.Async;
import org.trueasync.Scope;
import org.trueasync.bench.workload.LookUp;

/** Our context: {@code currentContext().get}. */
public final class ContextLookUp implements LookUp {

    @Override
    public long lookUps(int levels, int count, Blackhole results) {
        Async.run(() -> {
            var top = new Scope();
            top.context().set("key", "value");
            Scope inner = top;
            for (int i = 0; i < levels; i++) inner = Scope.inherit(inner);
            Async.await(inner.spawn(() -> {
                for (int i = 0; i < count; i++) results.consume(measured());
            }));
            top.dispose();
        });
        return count;
    }

    private static Object measured() {
        return Async.currentContext().get("key");
    }
}
