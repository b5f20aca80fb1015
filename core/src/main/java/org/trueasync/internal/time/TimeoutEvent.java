package org.trueasync.internal.time;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Timeout;
import org.trueasync.internal.event.Continuations;
import org.trueasync.internal.event.EventFuture;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.EventCallback;

/** A timer that fires with an error: its notify hook replaces the tick by an {@link AsyncTimeoutException}. */
public final class TimeoutEvent extends HeapTimer implements Timeout {
    private final Duration length;
    private final Continuations continuations;
    private @Nullable Throwable outcome;

    TimeoutEvent(TimerHeap heap, ActiveEvents activeEvents, Continuations continuations, Duration length, long nanos) {
        super(heap, activeEvents, nanos, 0);
        this.length = length;
        this.continuations = continuations;
        setNotifyHook(notification -> {
            if (outcome == null) outcome = new AsyncTimeoutException(length);
            notification.error = outcome;
        });
    }

    @Override
    public Duration length() {
        return length;
    }

    @Override
    public boolean isCompleted() {
        return outcome != null;
    }

    @Override
    public boolean isCancelled() {
        return outcome instanceof AsyncCancellation;
    }

    @Override
    public void cancel() {
        cancel(new AsyncCancellation("timeout of " + millis() + " ms cancelled"));
    }

    @Override
    public void cancel(AsyncCancellation reason) {
        requireLoopThread();
        if (outcome != null) return;
        outcome = Objects.requireNonNull(reason, "reason");
        close();
        notifyCallbacks(null, reason);
    }

    /** Makes it a timeout that has expired before any wait. */
    void expire() {
        outcome = new AsyncTimeoutException(length);
        close();
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (outcome == null) return super.replay(callback);
        deliver(callback, null, outcome);
        return true;
    }

    @Override
    public CompletableFuture<Void> toCompletableFuture() {
        requireLoopThread();
        return EventFuture.started(this, continuations);
    }

    @Override
    public String info() {
        String state = outcome == null ? "" : isCancelled() ? ", cancelled" : ", expired";
        return "timeout " + millis() + " ms" + state;
    }

    @Override
    public String toString() {
        return info();
    }
}
