package org.trueasync.internal.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads receive while two values are there: each value goes to one of them. */
@JCStressTest
@Outcome(
        id = {"1, 2", "2, 1"},
        expect = ACCEPTABLE,
        desc = "each value once")
@State
public class ThreadChannelOfTwoReceivers {
    private final ThreadChannelCore channel = new ThreadChannelCore(2, null);

    public ThreadChannelOfTwoReceivers() {
        channel.trySend(1);
        channel.trySend(2);
    }

    @Actor
    public void first(II_Result result) {
        result.r1 = (Integer) channel.receive(null);
    }

    @Actor
    public void second(II_Result result) {
        result.r2 = (Integer) channel.receive(null);
    }
}
