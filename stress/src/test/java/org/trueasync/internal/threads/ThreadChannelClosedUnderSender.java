package org.trueasync.internal.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/**
 * A full channel: one thread waits to send, another makes room and closes. The sender knows whether its value was sent.
 */
@JCStressTest
@Outcome(id = "true, 1, 2", expect = ACCEPTABLE, desc = "sent in time, and there")
@Outcome(id = "false, 1, 0", expect = ACCEPTABLE, desc = "refused, and not there")
@State
public class ThreadChannelClosedUnderSender {
    private final ThreadChannelCore channel = new ThreadChannelCore(1, null);

    public ThreadChannelClosedUnderSender() {
        channel.trySend(1);
    }

    @Actor
    public void sender(ZII_Result result) {
        result.r1 = Calls.send(channel, 2);
    }

    @Actor
    public void closer(ZII_Result result) {
        result.r2 = Calls.receiveOrZero(channel);
        channel.close();
    }

    @Arbiter
    public void later(ZII_Result result) {
        result.r3 = Calls.receiveOrZero(channel);
    }
}
