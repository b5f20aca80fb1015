package org.trueasync.bench.peer;

import com.softwaremill.jox.Channel;
import org.trueasync.bench.workload.Channels;
import org.trueasync.bench.workload.Checker;

/** The channels of jox, on virtual threads. */
public final class JoxChannels implements Channels {

    @Override
    public long rendezvous(int items) {
        return through(Channel.newRendezvousChannel(), items);
    }

    @Override
    public long buffered(int items, int capacity) {
        return through(Channel.newBufferedChannel(capacity), items);
    }

    private static long through(Channel<Integer> channel, int items) {
        var checker = new Checker();
        OneCarrier.run(
                () -> {
                    for (int i = 0; i < items; i++) checker.take(channel.receive());
                },
                () -> {
                    for (int i = 0; i < items; i++) channel.send(Boxed.of(i));
                });
        return checker.count();
    }

    @Override
    public long pingPong(int items) {
        var checker = new Checker();
        Channel<Integer> there = Channel.newRendezvousChannel();
        Channel<Integer> back = Channel.newRendezvousChannel();
        OneCarrier.run(
                () -> {
                    for (int i = 0; i < items; i += 2) {
                        checker.take(there.receive());
                        back.send(Boxed.of(i + 1));
                    }
                },
                () -> {
                    for (int i = 0; i < items; i += 2) {
                        there.send(Boxed.of(i));
                        checker.take(back.receive());
                    }
                });
        return checker.count();
    }
}
