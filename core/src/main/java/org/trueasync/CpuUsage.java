package org.trueasync;

import java.time.Duration;
import java.util.Objects;
import org.trueasync.internal.run.Machine;

/**
 * How much processor time this process has taken between two moments.
 *
 * <p>Any thread.
 *
 * @param wall the time between them
 * @param user processor time spent in the program
 * @param system processor time spent in the system for it
 * @param cores how many processors it kept busy, 0 to {@link Async#availableParallelism()}
 * @param load {@code cores} as a part of all processors, 0 to 1
 */
public record CpuUsage(Duration wall, Duration user, Duration system, double cores, double load) {
    /** All zero. */
    public static final CpuUsage NONE = new CpuUsage(Duration.ZERO, Duration.ZERO, Duration.ZERO, 0, 0);

    /**
     * Returns the usage between two snapshots. For measurements that are independent of {@link Async#cpuUsage()}.
     *
     * @param earlier the first one
     * @param later the second one; if it was taken before the first one, the usage is zero
     */
    public static CpuUsage between(CpuSnapshot earlier, CpuSnapshot later) {
        Objects.requireNonNull(earlier, "earlier");
        Objects.requireNonNull(later, "later");
        Duration wall = passed(earlier.wall(), later.wall());
        if (wall.isZero()) return NONE;
        Duration user = passed(earlier.user(), later.user());
        Duration system = passed(earlier.system(), later.system());
        int all = Machine.parallelism();
        double busy = (double) user.plus(system).toNanos() / wall.toNanos();
        double cores = Math.min(busy, all);
        return new CpuUsage(wall, user, system, cores, cores / all);
    }

    private static Duration passed(Duration from, Duration to) {
        return to.compareTo(from) < 0 ? Duration.ZERO : to.minus(from);
    }
}
