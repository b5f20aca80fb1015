package org.trueasync;

import java.util.concurrent.CompletableFuture;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Something to wait for that does what a test wants when it is waited for. Loop thread only. */
final class OnArming extends Event implements Completable<Object> {
    interface Action {
        void run(OnArming event);
    }

    private final Action action;
    private Object value;
    private Throwable failure;
    private boolean hasOutcome;

    OnArming(Action action) {
        this.action = action;
    }

    void end(Object result, Throwable thrown) {
        value = result;
        failure = thrown;
        hasOutcome = true;
        close();
        notifyCallbacks(value, failure);
    }

    @Override
    protected void arm() {
        action.run(this);
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (hasOutcome) deliver(callback, value, failure);
        return hasOutcome;
    }

    @Override
    public boolean isCompleted() {
        return isClosed();
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void cancel() {
        close();
    }

    @Override
    public void cancel(AsyncCancellation reason) {
        close();
    }

    @Override
    public CompletableFuture<Object> toCompletableFuture() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String info() {
        return "something that acts when it is armed";
    }
}
