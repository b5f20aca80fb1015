package org.trueasync.internal.kernel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads post two actions each. Each action runs once, and those of one thread run in its order. */
@JCStressTest
@Outcome(
        id = {"abcd", "acbd", "acdb", "cabd", "cadb", "cdab"},
        expect = ACCEPTABLE,
        desc = "a before b, c before d")
@State
public class RemoteQueueOfTwoPosters {
    private final RemoteQueue queue = new RemoteQueue(QuietLoop.SCHEDULER);
    private final StringBuilder ran = new StringBuilder(4);

    private void post(char action) {
        queue.post(() -> ran.append(action), null);
    }

    @Actor
    public void first() {
        post('a');
        post('b');
    }

    @Actor
    public void second() {
        post('c');
        post('d');
    }

    @Arbiter
    public void loop(L_Result result) {
        queue.drain();
        result.r1 = ran.toString();
    }
}
