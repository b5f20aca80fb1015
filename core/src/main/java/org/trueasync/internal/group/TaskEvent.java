package org.trueasync.internal.group;

import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.TaskHandle;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.event.EventFuture;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.sync.Limits;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * The event of one task's settling, and the user's handle of the task. The task refers to it only while somebody waits.
 */
public final class TaskEvent<T> extends Event implements TaskHandle<T>, WaitForNode, HeldByWakers {
    private final GroupTask task;

    TaskEvent(GroupTask task) {
        this.task = task;
    }

    @Override
    public T await() {
        return Awaiting.one(this, null);
    }

    @Override
    public T await(Completable<?> cancellation) {
        return Awaiting.one(this, Objects.requireNonNull(cancellation, "cancellation"));
    }

    @Override
    public T await(Duration limit) {
        return Awaiting.one(this, Limits.token(limit, "TaskHandle.await"));
    }

    @Override
    protected void requireLoopThread() {
        task.group.requireHere("spawn's handle");
    }

    @Override
    public void start() {
        super.start();
        if (!isClosed()) task.group.lendSlot();
    }

    @Override
    public void isReachableAgain() {
        task.group.isReachableAgain();
    }

    @Override
    protected void arm() {
        if (task.isSettled()) settled();
        else task.handle = this;
    }

    @Override
    protected void disarm() {
        task.handle = null;
    }

    void settled() {
        close();
        task.markHandled();
        notifyCallbacks(value(), error());
    }

    private @Nullable Object value() {
        return task.hasSucceeded() ? task.value() : null;
    }

    private @Nullable Throwable error() {
        return task.hasSucceeded() ? null : Throwing.forAwaiter(task.failure().error);
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!task.isSettled()) return super.replay(callback);
        task.markHandled();
        deliver(callback, value(), error());
        return true;
    }

    // ---- as a handle

    @Override
    public Object key() {
        return task.key;
    }

    @Override
    public boolean isCompleted() {
        return task.isSettled();
    }

    @Override
    public boolean isCancelled() {
        return task.state == GroupTask.FAILED && task.failure().error instanceof AsyncCancellation;
    }

    @Override
    public void cancel() {
        cancel(new AsyncCancellation("task cancelled"));
    }

    @Override
    public void cancel(AsyncCancellation reason) {
        task.group.cancel(task, Objects.requireNonNull(reason, "reason"));
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        requireLoopThread();
        return EventFuture.started(this, task.group.loop().continuations());
    }

    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        return SettlingCoroutines.addOf(task, by);
    }

    @Override
    public @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        return task.state == GroupTask.RUNNING ? task.coroutine() : null;
    }

    @Override
    public String info() {
        return "task" + task.label() + " of " + task.group;
    }

    @Override
    public String toString() {
        return info();
    }
}
