package org.trueasync.testkit;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SourceEvent;

/** An event that the simulated world outside completes, as a handle of a reactor would. */
final class OutsideEvent<T> extends SourceEvent implements Completable<T> {
    private final VirtualReactor world;
    private final Runnable completion = this::comes;
    private @Nullable T value;
    private @Nullable Throwable error;
    private boolean done;
    /** Where it was asked for, if that is recorded. */
    private final String place;

    private OutsideEvent(VirtualReactor world, @Nullable T value, @Nullable Throwable error) {
        super(SchedulerProvider.get().activeEvents());
        this.world = world;
        this.value = value;
        this.error = error;
        this.place = world.place();
    }

    static <T> OutsideEvent<T> begin(VirtualReactor world, @Nullable T value, @Nullable Throwable error) {
        var event = new OutsideEvent<T>(world, value, error);
        world.expect(event.completion);
        return event;
    }

    private void comes() {
        if (isClosed()) return;
        world.note(error == null ? "completes" : "fails", outcome(), place);
        happens();
    }

    /** For people; calls no method of the program's values. */
    private String outcome() {
        Object shown = error == null ? value : error;
        if (shown == null) return "";
        boolean isPlain = shown instanceof String || shown instanceof Number || shown instanceof Boolean;
        return "with " + (isPlain ? shown : shown.getClass().getSimpleName());
    }

    private void happens() {
        done = true;
        close();
        notifyCallbacks(value, error);
    }

    @Override
    protected void armSource() {}

    @Override
    protected void disarmSource() {}

    @Override
    protected void release() {
        world.withdraw(completion);
    }

    @Override
    public boolean isCompleted() {
        return done;
    }

    @Override
    public boolean isCancelled() {
        return done && error instanceof AsyncCancellation;
    }

    @Override
    public void cancel() {
        cancel(new AsyncCancellation("what the world outside was asked for has been cancelled"));
    }

    @Override
    public void cancel(AsyncCancellation reason) {
        Objects.requireNonNull(reason, "reason");
        requireLoopThread();
        if (isClosed()) return;
        world.withdraw(completion);
        value = null;
        error = reason;
        happens();
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        return Async.<T>spawn(() -> Async.await(this)).toCompletableFuture();
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!done) return super.replay(callback);
        deliver(callback, value, error);
        return true;
    }

    @Override
    public String info() {
        return "completion from outside, " + (done ? "completed" : isClosed() ? "abandoned" : "pending");
    }
}
