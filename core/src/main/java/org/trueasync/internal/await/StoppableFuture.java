package org.trueasync.internal.await;

import java.util.function.Consumer;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.Event;

/** The future of foreign work that is stopped when nobody waits for it any more although somebody did. If nobody ever did, it just goes on. */
final class StoppableFuture<T> extends StageFuture<T> {
    private final Loop loop;
    private final Consumer<AsyncCancellation> stop;
    private boolean checking;

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
        if (isCompleted() || checking) return;
        checking = true;
        loop.continueWith(this::checkForWaiters);
    }

    /** Who has just been woken may come back in his turn. */
    private void checkForWaiters() {
        Sleeping.sleep(0, null);
        checking = false;
        if (!isCompleted() && !isActive()) cancel(new AsyncCancellation("nobody waits for the work any more"));
    }
}
