package org.trueasync.internal.kernel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread posts while the run ends. Either the action runs on the loop, or its orphan action runs on a thread of the
 * JDK's. One of them runs, once.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "in time")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "too late, and told so")
@State
public class RemoteQueueStopped {
    private static final long TIME_LIMIT_NANOS = 2_000_000_000L;

    private final RemoteQueue queue = new RemoteQueue(QuietLoop.SCHEDULER);
    private final AtomicInteger orphaned = new AtomicInteger();
    private int ran;

    @Actor
    public void poster() {
        queue.post(() -> ran++, orphaned::incrementAndGet);
    }

    @Actor
    public void loop() {
        queue.drain();
        queue.stop();
    }

    @Arbiter
    public void later(II_Result result) {
        long begin = System.nanoTime();
        while (ran + orphaned.get() == 0 && System.nanoTime() - begin < TIME_LIMIT_NANOS) Thread.onSpinWait();
        result.r1 = ran;
        result.r2 = orphaned.get();
    }
}
