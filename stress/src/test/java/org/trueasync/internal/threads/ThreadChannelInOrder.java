package org.trueasync.internal.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread sends more values than there is room for, another receives. Both may have to wait, and the order is kept.
 */
@JCStressTest
@Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "in the order of sending")
@State
public class ThreadChannelInOrder {
    private final ThreadChannelCore channel = new ThreadChannelCore(1, null);

    @Actor
    public void sender() {
        for (int i = 1; i <= 3; i++) channel.send(i, null);
    }

    @Actor
    public void receiver(III_Result result) {
        result.r1 = (Integer) channel.receive(null);
        result.r2 = (Integer) channel.receive(null);
        result.r3 = (Integer) channel.receive(null);
    }
}
