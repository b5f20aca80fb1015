package org.trueasync.bench.probe;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntToLongFunction;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.bench.workload.Coroutines;
import org.trueasync.bench.workload.Workloads;

/**
 * Lets coroutines sleep: {@code TimerProbe PEER WARM_UP COUNT KIND} prints {@code SLEPT <wall ms> <cpu ns for each>}.
 *
 * <p>The cpu time is that of the whole process, collector and compiler included: a peer that leaves more work to them
 * has to pay for it.
 */
public final class TimerProbe {

    /** How they sleep. */
    enum Kind {
        /** In the peer's own way. */
        OWN,
        /** By {@code Thread.sleep}. */
        JDK
    }

    private TimerProbe() {}

    public static void main(String[] arguments) {
        ParentWatch.start();
        Coroutines coroutines = Workloads.coroutines(Peer.valueOf(arguments[0]));
        IntToLongFunction sleepers =
                Kind.valueOf(arguments[3]) == Kind.JDK ? coroutines::jdkSleepers : coroutines::sleepers;
        int warmUp = Integer.parseInt(arguments[1]);
        int count = Integer.parseInt(arguments[2]);
        check(sleepers.applyAsLong(warmUp), warmUp);
        System.gc();

        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long wall = System.nanoTime();
        check(sleepers.applyAsLong(count), count);
        double wallMillis = (System.nanoTime() - wall) / 1e6;
        double cpuNanos = (double) (system.getProcessCpuTime() - cpu) / count;
        System.out.println("SLEPT " + wallMillis + " " + cpuNanos);
        System.exit(0);
    }

    private static void check(long slept, int requested) {
        if (slept != requested) {
            throw new IllegalStateException("asked " + requested + " to sleep, " + slept + " did");
        }
    }
}
