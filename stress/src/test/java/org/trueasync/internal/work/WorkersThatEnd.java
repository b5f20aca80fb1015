package org.trueasync.internal.work;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A task comes just as the only worker ends because it has nothing to do. The task runs once. */
@JCStressTest
@Outcome(id = "2", expect = ACCEPTABLE, desc = "each once")
@State
public class WorkersThatEnd {
    private static final int MAX_SPINS = 60;

    private final Workers workers = new Workers("stress", 1, 0, 2, System::nanoTime);
    private final AtomicInteger ran = new AtomicInteger();
    /** So that the second task comes at any moment of the thread's way to its end. */
    private final int spins = ThreadLocalRandom.current().nextInt(MAX_SPINS);

    @Actor
    public void first() {
        workers.execute(ran::incrementAndGet);
    }

    @Actor
    public void second() {
        while (ran.get() == 0) Thread.onSpinWait();
        for (int i = 0; i < spins; i++) Thread.onSpinWait();
        workers.execute(ran::incrementAndGet);
    }

    @Arbiter
    public void later(I_Result result) {
        TimeLimit.comes(ran, 2);
        result.r1 = ran.get();
    }
}
