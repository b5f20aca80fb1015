package org.trueasync.internal.await;

import java.util.function.Consumer;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.Event;

/**
 * The future of foreign work that can be stopped. The work is stopped when the future is cancelled, by the user or
 * because its last waiter has left. If the future never had a waiter, the work goes on.
 */
final class StoppableFuture<T> extends StageFuture<T> {
    private final Loop loop;
    private final Consumer<AsyncCancellation> stop;

    StoppableFuture(Loop loop, Event stage, Consumer<AsyncCancellation> stop) {
        super(loop, stage);
        this.loop = loop;
        this.stop = stop;
    }

    @Override
    protected void cancelled(AsyncCancellation reason) {
        loop.continueWith(() -> stop.accept(reason));
    }

    @Override
    protected void disarm() {
        super.disarm();
        checkForWaiters();
    }

    @Override
    protected void unwanted() {
        cancel(new AsyncCancellation("nobody waits for the work any more"));
    }
}
