package org.trueasync.bench.peer;

import org.openjdk.jmh.infra.Blackhole;
import org.trueasync.bench.workload.AwaitDone;

/** The floor of awaiting a completed result: a read of a field that another thread could have written. */
public final class VolatileRead implements AwaitDone {

    private volatile Object result = "done";

    @Override
    public long awaitDone(int count, Blackhole results) {
        for (int i = 0; i < count; i++) {
            results.consume(measured());
        }
        return count;
    }

    private Object measured() {
        return result;
    }
}
