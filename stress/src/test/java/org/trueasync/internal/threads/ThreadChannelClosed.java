package org.trueasync.internal.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A channel is closed while another thread sends: what was accepted can be received, what was refused never comes. */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "sent, and there")
@Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "refused, and not there")
@State
public class ThreadChannelClosed {
    private final ThreadChannelCore channel = new ThreadChannelCore(1, null);

    @Actor
    public void sender(ZI_Result result) {
        result.r1 = channel.trySend(1);
    }

    @Actor
    public void closer() {
        channel.close();
    }

    @Arbiter
    public void later(ZI_Result result) {
        result.r2 = Calls.receiveOrZero(channel);
    }
}
