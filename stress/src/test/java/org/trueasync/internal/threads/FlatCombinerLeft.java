package org.trueasync.internal.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** An action is queued while the thread inside leaves. One of the two threads runs it. */
@JCStressTest
@Outcome(id = "2", expect = ACCEPTABLE, desc = "both have had their turn")
@State
public class FlatCombinerLeft {
    private final FlatCombiner gate = new FlatCombiner();
    private int ran;

    @Actor
    public void inside() {
        gate.enter();
        ran++;
        gate.leave();
    }

    @Actor
    public void outside() {
        gate.run(() -> ran++);
    }

    @Arbiter
    public void later(I_Result result) {
        result.r1 = ran;
    }
}
