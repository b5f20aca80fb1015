package org.trueasync;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Measures the processor time since its last call. Any thread; without a lock, as loop threads call it too. */
final class CpuMeter {
    static final CpuMeter OF_PROCESS = new CpuMeter();

    private final AtomicReference<@Nullable CpuSnapshot> last = new AtomicReference<>();

    CpuUsage sinceLast() {
        CpuSnapshot now = CpuSnapshot.now();
        CpuSnapshot before = last.getAndSet(now);
        return before == null ? CpuUsage.NONE : CpuUsage.between(before, now);
    }
}
