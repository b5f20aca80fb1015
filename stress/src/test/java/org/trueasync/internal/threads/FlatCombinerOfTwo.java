package org.trueasync.internal.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two threads have actions run. When all their calls have returned, all actions have run, no two of them at the same
 * time.
 */
@JCStressTest
@Outcome(id = "4", expect = ACCEPTABLE, desc = "each once, one at a time")
@State
public class FlatCombinerOfTwo {
    private final FlatCombiner gate = new FlatCombiner();
    /** Plain: two increments at the same time lose one. */
    private int ran;

    @Actor
    public void first() {
        gate.run(() -> ran++);
        gate.run(() -> ran++);
    }

    @Actor
    public void second() {
        gate.run(() -> ran++);
        gate.run(() -> ran++);
    }

    @Arbiter
    public void later(I_Result result) {
        result.r1 = ran;
    }
}
