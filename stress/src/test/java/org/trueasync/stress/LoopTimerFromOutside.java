package org.trueasync.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.trueasync.Async;
import org.trueasync.AsyncRuntime;
import org.trueasync.FutureState;
import org.trueasync.OperationCanceledException;

/** A whole runtime goes to sleep until a far timer, while another thread has it set a near one. */
@JCStressTest
@Outcome(id = "fired", expect = ACCEPTABLE, desc = "the loop sleeps no longer than until the near one")
@Outcome(id = "late", expect = FORBIDDEN, desc = "the loop has slept until the far one")
@State
public class LoopTimerFromOutside {
    private static final int FAR_MILLIS = 5_000;

    private final AsyncRuntime runtime = Runs.runtime();
    private volatile FutureState<String> fires;

    @Actor
    public void loop(L_Result result) {
        result.r1 = runtime.run(() -> {
            var state = new FutureState<String>();
            fires = state;
            try {
                return Async.await(state.future(), Async.timeout(FAR_MILLIS));
            } catch (OperationCanceledException late) {
                return "late";
            }
        });
    }

    @Actor
    public void outside() {
        while (fires == null) Thread.onSpinWait();
        runtime.executor().execute(() -> {
            Async.delay(1);
            fires.complete("fired");
        });
    }
}
