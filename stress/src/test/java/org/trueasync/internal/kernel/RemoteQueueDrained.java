package org.trueasync.internal.kernel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * The loop drains while another thread posts. In whatever portions the actions arrive, they run in the order of
 * posting.
 */
@JCStressTest
@Outcome(id = "abcd", expect = ACCEPTABLE, desc = "in the order of posting")
@State
public class RemoteQueueDrained {
    private final RemoteQueue queue = new RemoteQueue(QuietLoop.SCHEDULER);
    private final StringBuilder ran = new StringBuilder(4);

    private void post(char action) {
        queue.post(() -> ran.append(action), null);
    }

    @Actor
    public void poster() {
        post('a');
        post('b');
        post('c');
        post('d');
    }

    @Actor
    public void loop() {
        queue.drain();
        queue.drain();
    }

    @Arbiter
    public void later(L_Result result) {
        queue.drain();
        result.r1 = ran.toString();
    }
}
