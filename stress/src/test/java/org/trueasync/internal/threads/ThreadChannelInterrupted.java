package org.trueasync.internal.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.trueasync.AsyncCancellation;

/** A thread that waits to receive is interrupted just as a value is sent: it has the value, or the next one gets it. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "received")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "gone without it, and it is there for the next")
@State
public class ThreadChannelInterrupted {
    private final ThreadChannelCore channel = new ThreadChannelCore(1, null);

    /** Receives with the interrupt status set, so that the thread leaves as soon as it would park. */
    @Actor
    public void receiver(II_Result result) {
        Thread.currentThread().interrupt();
        try {
            result.r1 = Calls.receiveOrZero(channel);
        } catch (AsyncCancellation interrupted) {
            result.r1 = 0;
        } finally {
            Thread.interrupted();
        }
    }

    @Actor
    public void sender() {
        channel.send(1, null);
        channel.close();
    }

    @Arbiter
    public void later(II_Result result) {
        result.r2 = Calls.receiveOrZero(channel);
    }
}
