package org.trueasync.internal.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread sends one value and closes. A thread that receives twice gets the value, then the end. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the value, then the end")
@State
public class ThreadChannelClosedUnderReceiver {
    private final ThreadChannelCore channel = new ThreadChannelCore(1, null);

    @Actor
    public void receiver(II_Result result) {
        result.r1 = Calls.receiveOrZero(channel);
        result.r2 = Calls.receiveOrZero(channel);
    }

    @Actor
    public void sender() {
        channel.send(1, null);
        channel.close();
    }
}
