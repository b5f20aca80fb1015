package org.trueasync.internal.kernel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The wake-up that must not be lost: a thread posts while the loop has found nothing and decides to wait. */
@JCStressTest
@Outcome(id = "false, false, true", expect = FORBIDDEN, desc = "the loop sleeps, and nobody wakes it")
@Outcome(id = "(true|false), true, true", expect = ACCEPTABLE, desc = "it has run before the loop waits")
@Outcome(id = "(true|false), false, false", expect = ACCEPTABLE, desc = "the loop has seen it, and does not wait")
@Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "the loop waits, and is woken")
@State
public class RemoteQueueBeforeWaiting {
    private final RemoteQueue queue = new RemoteQueue(QuietLoop.SCHEDULER);
    private boolean ran;

    @Actor
    public void poster(ZZZ_Result result) {
        int before = QuietLoop.triggers();
        queue.post(() -> ran = true, null);
        result.r1 = QuietLoop.triggers() != before;
    }

    @Actor
    public void loop(ZZZ_Result result) {
        queue.drain();
        result.r2 = ran;
        result.r3 = queue.beginPoll();
    }
}
