package org.trueasync;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Remembers when it was asked last. Any thread; without a lock, as loops ask too. */
final class CpuMeter {
    static final CpuMeter OF_PROCESS = new CpuMeter();

    private final AtomicReference<@Nullable CpuSnapshot> last = new AtomicReference<>();

    CpuUsage sinceLast() {
        CpuSnapshot now = CpuSnapshot.now();
        CpuSnapshot before = last.getAndSet(now);
        return before == null ? CpuUsage.NONE : CpuUsage.between(before, now);
    }
}
