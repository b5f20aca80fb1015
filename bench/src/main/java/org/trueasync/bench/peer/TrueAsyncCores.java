package org.trueasync.bench.peer;

import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.bench.workload.Counter;
import org.trueasync.bench.workload.HandOvers;

/** Our cores: one runs a task on the other one. */
public final class TrueAsyncCores implements HandOvers {

    @Override
    public long thereAndBack(int count) {
        var counter = new Counter();
        Async.run(() -> {
            Cores.builder().count(2).run(() -> {
                Cores cores = Cores.current();
                if (cores.index() > 0) return;
                for (int i = 0; i < count; i++) counter.value += cores.on(1, () -> 1);
            });
        });
        return counter.value;
    }
}
