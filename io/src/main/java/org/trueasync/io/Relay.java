package org.trueasync.io;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.time.TimeLimits;

/** Copies between two streams, both ways; see {@link ByteStream#relay}. Loop thread. */
final class Relay {
    private static final int BYTES = 16 * 1024;

    private final Duration idle;
    private final Loop loop;
    /** Ends the waits of both directions. */
    private final FutureState<Object> stop = new FutureState<>().ignore();

    /** Why it has ended before both ends were seen. */
    private @Nullable Throwable failure;

    private long moved;

    Relay(Duration idle) {
        this.idle = TimeLimits.positive(idle, "idle");
        this.loop = Runtimes.here("relay");
        this.moved = now();
    }

    private long now() {
        return loop.reactor().nanoTime();
    }

    void run(ByteStream one, ByteStream other) {
        Coroutine<?> watch = Async.spawn((Body) this::watch);
        Coroutine<?> back = Async.spawn((Body) () -> copy(other, one));
        try {
            copy(one, other);
            Async.await(back);
        } finally {
            fail(null);
            watch.cancel();
            Async.protect(() -> {
                Async.await(back);
            });
        }
        if (failure instanceof RuntimeException e) throw e;
        if (failure instanceof Error e) throw e;
    }

    /** Of one direction; what stops it is told by {@link #run}. */
    private void copy(ByteStream from, ByteStream to) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        try {
            while (from.read(bytes.clear(), stop.future()) >= 0) {
                moved = now();
                to.write(bytes.flip(), stop.future());
                moved = now();
            }
            to.shutdownOutput();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void watch() {
        long limit = idle.toNanos();
        for (long left = limit; left > 0; left = moved + limit - now()) Async.delay(Duration.ofNanos(left));
        fail(new AsyncTimeoutException(idle));
    }

    private void fail(@Nullable Throwable error) {
        if (stop.isCompleted()) return;
        failure = error;
        stop.complete(this);
    }
}
