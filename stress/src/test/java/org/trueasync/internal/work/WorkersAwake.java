package org.trueasync.internal.work;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads bring one task after another while the only worker looks for calls, falls asleep, sleeps or ends. Each
 * task runs once.
 */
@JCStressTest
@Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "each once")
@State
public class WorkersAwake {
    private static final int TASKS = 4;
    private static final int MAX_SPINS = 200;

    private final AtomicInteger time = new AtomicInteger();
    /** Its clock moves with each look, so that the thread looks some twenty times before it sleeps. */
    private final Workers workers = new Workers("stress", 1, 100_000, 2, () -> time.addAndGet(1_000));

    private final AtomicInteger ranOfFirst = new AtomicInteger();
    private final AtomicInteger ranOfSecond = new AtomicInteger();

    private void bring(AtomicInteger ran) {
        for (int i = 1; i <= TASKS; i++) {
            workers.execute(ran::incrementAndGet);
            if (!TimeLimit.comes(ran, i)) return;
            int spins = ThreadLocalRandom.current().nextInt(MAX_SPINS);
            for (int k = 0; k < spins; k++) Thread.onSpinWait();
        }
    }

    @Actor
    public void first() {
        bring(ranOfFirst);
    }

    @Actor
    public void second() {
        bring(ranOfSecond);
    }

    @Arbiter
    public void later(II_Result result) {
        TimeLimit.comes(ranOfFirst, TASKS);
        TimeLimit.comes(ranOfSecond, TASKS);
        result.r1 = ranOfFirst.get();
        result.r2 = ranOfSecond.get();
    }
}
