package org.trueasync;

import java.time.Duration;
import org.trueasync.internal.run.ProcessTimes;

/**
 * How much processor time this process had taken at one moment. No component of a later snapshot is smaller.
 *
 * <p>Any thread.
 *
 * @param wall time since an arbitrary moment, the same for all snapshots of a process
 * @param user processor time spent in the program; on Linux in steps of 10 ms, as {@code system}
 * @param system processor time spent in the system for it; zero where the system does not separate the two, and
 *     {@code user} is the sum
 */
public record CpuSnapshot(Duration wall, Duration user, Duration system) {
    private static final long ORIGIN = System.nanoTime();

    /** Takes a snapshot now. Any thread; on Linux it reads a small file of the system. */
    public static CpuSnapshot now() {
        ProcessTimes times = ProcessTimes.now();
        return new CpuSnapshot(Duration.ofNanos(System.nanoTime() - ORIGIN), times.user(), times.system());
    }
}
