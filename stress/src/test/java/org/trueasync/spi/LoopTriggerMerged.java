package org.trueasync.spi;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * A trigger finds an earlier one, whose turn is just ending, and is merged into it. Before the loop waits again, it
 * sees what the caller of the second trigger has handed over.
 */
@JCStressTest
@Outcome(id = "true, true, (true|false)", expect = ACCEPTABLE, desc = "seen in the turn that ended")
@Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "waits again, and is woken")
@Outcome(id = "false, (true|false), false", expect = ACCEPTABLE, desc = "does not wait again")
@Outcome(id = "true, false, false", expect = FORBIDDEN, desc = "not seen, and nobody wakes the loop")
@State
public class LoopTriggerMerged {
    private final RecordingTrigger trigger = new RecordingTrigger();
    private volatile boolean handed;

    public LoopTriggerMerged() {
        trigger.trigger();
    }

    @Actor
    public void sender() {
        handed = true;
        trigger.trigger();
    }

    @Actor
    public void loop(ZZZ_Result result) {
        trigger.endWait();
        result.r2 = handed;
        result.r1 = trigger.beginWait();
    }

    @Arbiter
    public void later(ZZZ_Result result) {
        result.r3 = trigger.woken > 0;
    }
}
