package org.trueasync.stress.soak;

import java.util.Random;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;

/** The time, and the faults. Loop thread. */
final class Soak {
    private final long begin = System.nanoTime();
    private final long length;
    final Random random;

    Soak(long nanos, long seed) {
        this.length = nanos;
        this.random = new Random(seed);
    }

    boolean isOver() {
        return isPast(1);
    }

    /** True once this part of the time is over. */
    boolean isPast(double part) {
        return System.nanoTime() - begin > part * length;
    }

    /** Since the begin. */
    double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** One in a hundred. */
    boolean isFault() {
        return random.nextInt(100) == 0;
    }

    /** Has a coroutine do it, and cancels that at some moment; returns whether it was done all the same. */
    boolean cut(Body action) {
        var done = new boolean[1];
        Coroutine<?> coroutine = Async.spawn(() -> {
            action.run();
            done[0] = true;
        });
        for (int turns = random.nextInt(4); turns > 0; turns--) Async.suspend();
        coroutine.cancel("soak");
        try {
            coroutine.await();
        } catch (AsyncCancellation e) {
            // as it was told to
        }
        return done[0];
    }
}
