package org.trueasync.stress.soak;

import org.trueasync.AsyncCancellation;
import org.trueasync.ThreadChannel;

/** A channel from a thread to a coroutine; the thread is interrupted, the coroutine cancelled. */
final class ThreadChannelLane implements Lane {
    private static final long END = -1;

    @Override
    public void run(Soak soak, Tally tally) {
        var channel = new ThreadChannel<Long>(8192);
        Thread sender = Thread.ofPlatform().name("soak-sender").start(() -> {
            for (long number = 0; !soak.isOver(); number++) send(channel, number);
            send(channel, END);
        });
        var got = new long[] {0};
        for (long expected = 0; ; expected++) {
            if (soak.isFault()) {
                tally.faults++;
                if (soak.random.nextBoolean()) sender.interrupt();
                got[0] = Long.MIN_VALUE;
                soak.cut(() -> got[0] = channel.receive());
                if (got[0] == Long.MIN_VALUE) got[0] = channel.receive();
            } else got[0] = channel.receive();
            if (got[0] == END) return;
            if (got[0] != expected) throw new AssertionError(got[0] + " has come in place of " + expected);
            tally.messages++;
        }
    }

    private static void send(ThreadChannel<Long> channel, long number) {
        while (true) {
            try {
                channel.send(number);
                return;
            } catch (AsyncCancellation interrupted) {
                Thread.interrupted(); // nothing was sent
            }
        }
    }
}
