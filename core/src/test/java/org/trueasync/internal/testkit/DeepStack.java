package org.trueasync.internal.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.trueasync.Async;
import org.trueasync.Body;

/**
 * Shows who makes an error where none is needed: its trace takes memory for each frame of the stack, and time in the
 * same measure.
 */
public final class DeepStack {
    private static final int FRAMES = 400;
    private static final int TIMES = 200;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long loop = Thread.currentThread().threadId();

    private DeepStack() {}

    /**
     * How many bytes more a call takes on a deep stack than on a shallow one; a trace takes some thousands. Runs it
     * often, in a coroutine. On a thread that is no coroutine.
     */
    public static long surchargeOf(Body call) {
        var measure = new DeepStack();
        long[] bytes = new long[2];
        Async.runtime().reactor(VirtualReactor::new).run(() -> {
            bytes[0] = measure.bytesAt(0, call);
            bytes[1] = measure.bytesAt(FRAMES, call);
        });
        return bytes[1] - bytes[0];
    }

    /** The bytes of each call; the least of several rounds, as the JVM's compiling allocates too. */
    private long bytesAt(int depth, Body call) throws Throwable {
        if (depth > 0) return bytesAt(depth - 1, call);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long before = threads.getThreadAllocatedBytes(loop);
            for (int i = 0; i < TIMES; i++) call.run();
            least = Math.min(least, threads.getThreadAllocatedBytes(loop) - before);
        }
        return least / TIMES;
    }
}
