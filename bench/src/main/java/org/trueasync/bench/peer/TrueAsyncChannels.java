package org.trueasync.bench.peer;

import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import org.trueasync.Async;
import org.trueasync.Channel;
import org.trueasync.Coroutine;
import org.trueasync.bench.workload.Channels;
import org.trueasync.bench.workload.Checker;

/** Our channels. */
public final class TrueAsyncChannels implements Channels {

    @Override
    public long rendezvous(int items) {
        return buffered(items, 0);
    }

    @Override
    public long buffered(int items, int capacity) {
        var checker = new Checker();
        Async.run(() -> {
            var channel = new Channel<Integer>(capacity);
            Coroutine<?> receiver = spawn(() -> {
                for (int i = 0; i < items; i++) checker.take(channel.receive());
            });
            for (int i = 0; i < items; i++) channel.send(Boxed.of(i));
            await(receiver);
        });
        return checker.count();
    }

    @Override
    public long pingPong(int items) {
        var checker = new Checker();
        Async.run(() -> {
            var there = new Channel<Integer>();
            var back = new Channel<Integer>();
            Coroutine<?> other = spawn(() -> {
                for (int i = 0; i < items; i += 2) {
                    checker.take(there.receive());
                    back.send(Boxed.of(i + 1));
                }
            });
            for (int i = 0; i < items; i += 2) {
                there.send(Boxed.of(i));
                checker.take(back.receive());
            }
            await(other);
        });
        return checker.count();
    }
}
