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
 * A trigger comes as the loop begins to wait. Either the loop does not wait and sees what was handed over, or it is
 * woken.
 */
@JCStressTest
@Outcome(id = "true, (true|false), true", expect = ACCEPTABLE, desc = "waits, and is woken")
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "does not wait, and sees it")
@Outcome(id = "true, (true|false), false", expect = FORBIDDEN, desc = "waits, and nobody wakes it")
@State
public class LoopTriggerBeforeWaiting {
    private final RecordingTrigger trigger = new RecordingTrigger();
    private int handed;

    @Actor
    public void sender() {
        handed = 1;
        trigger.trigger();
    }

    @Actor
    public void loop(ZZZ_Result result) {
        result.r1 = trigger.beginWait();
        result.r2 = handed == 1;
    }

    @Arbiter
    public void later(ZZZ_Result result) {
        result.r3 = trigger.woken > 0;
    }
}
