package org.trueasync.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.trueasync.Async;
import org.trueasync.FutureState;
import org.trueasync.OperationCanceledException;
import org.trueasync.RemoteFuture;

/** A whole runtime: its only coroutine waits for another thread, which answers as the loop goes to sleep. */
@JCStressTest
@Outcome(id = "answer", expect = ACCEPTABLE, desc = "woken")
@Outcome(id = "late", expect = FORBIDDEN, desc = "the loop has slept until its time limit")
@State
public class LoopWoken {
    private static final int TIME_LIMIT_MILLIS = 5_000;

    private volatile RemoteFuture<String> question;

    @Actor
    public void loop(L_Result result) {
        result.r1 = Runs.runtime().run(() -> {
            var state = new FutureState<String>();
            question = state.handOver();
            try {
                return Async.await(state.future(), Async.timeout(TIME_LIMIT_MILLIS));
            } catch (OperationCanceledException late) {
                return "late";
            }
        });
    }

    @Actor
    public void outside() {
        while (question == null) Thread.onSpinWait();
        question.complete("answer");
    }
}
