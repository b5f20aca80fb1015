package org.trueasync.stress.soak;

import org.trueasync.Async;
import org.trueasync.Channel;

/** A channel between two coroutines. A cancelled send has sent nothing; no receive loses a number. */
final class ChannelLane implements Lane {
    private static final long END = -1;

    @Override
    public void run(Soak soak, Tally tally) {
        var channel = new Channel<Long>(1024);
        var sender = Async.spawn(() -> {
            for (long number = 0; !soak.isOver(); number++) {
                long mine = number;
                if (soak.isFault()) {
                    tally.faults++;
                    if (soak.cut(() -> channel.send(mine))) continue;
                }
                channel.send(mine);
            }
            channel.send(END);
        });
        var got = new long[] {0};
        for (long expected = 0; ; expected++) {
            if (soak.isFault()) {
                tally.faults++;
                got[0] = Long.MIN_VALUE;
                soak.cut(() -> got[0] = channel.receive());
                if (got[0] == Long.MIN_VALUE) got[0] = channel.receive();
            } else got[0] = channel.receive();
            if (got[0] == END) break;
            if (got[0] != expected) throw new AssertionError(got[0] + " has come in place of " + expected);
            tally.messages++;
        }
        sender.await();
    }
}
