package org.trueasync.bench.probe;

import java.lang.management.ManagementFactory;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.bench.workload.HeapProbe;
import org.trueasync.bench.workload.Workloads;

/** Weighs suspended coroutines: {@code MemoryProbe PEER COUNT DEPTH} prints {@code BYTES <heap bytes for each>}. */
public final class MemoryProbe implements HeapProbe {

    private final int count;
    private long before;

    private MemoryProbe(int count) {
        this.count = count;
    }

    public static void main(String[] arguments) {
        ParentWatch.start();
        int count = Integer.parseInt(arguments[1]);
        int depth = Integer.parseInt(arguments[2]);
        Workloads.coroutines(Peer.valueOf(arguments[0])).suspended(count, depth, new MemoryProbe(count));
    }

    @Override
    public void before() {
        before = usedAfterFullCollection();
    }

    /** Waking them is no part of this measurement, so the process ends here. */
    @Override
    public void after() {
        System.out.println("BYTES " + (double) (usedAfterFullCollection() - before) / count);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Collects twice: the second collection frees what the first one has handed to a reference queue. */
    private static long usedAfterFullCollection() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
