package org.trueasync.internal.work;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.kernel.Scheduler;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SourceEvent;

/**
 * A call that blocks, as an event: it begins on a helper thread when the event is first started, and its outcome closes the event. While somebody
 * waits it counts as able to wake. A call can't be stopped: when nobody waits any more it goes on, and what it brings is undone.
 *
 * @param <T> what it brings
 */
public class Work<T> extends SourceEvent {
    private final Scheduler scheduler;
    private final Executor workers;
    private final String what;
    private final Callable<? extends @Nullable T> call;
    private final Consumer<? super T> undo;
    private boolean begun;
    private boolean done;
    private @Nullable Object value;
    private @Nullable Throwable error;

    /**
     * A call that has not begun.
     *
     * @param scheduler whose coroutines wait
     * @param workers where it runs
     * @param what it is, for reports
     * @param call runs on a helper thread; whatever it throws is the event's error
     * @param undo takes back what came after everybody had gone; on the helper thread's side of the loop: it must not block. Not called with null
     */
    public Work(
            Scheduler scheduler,
            Executor workers,
            String what,
            Callable<? extends @Nullable T> call,
            Consumer<? super T> undo) {
        super(scheduler.activeEvents);
        this.scheduler = scheduler;
        this.workers = workers;
        this.what = what;
        this.call = call;
        this.undo = undo;
    }

    /**
     * Makes a call on a helper thread and suspends the running coroutine until it has ended.
     *
     * @param scheduler of the running coroutine
     * @param workers where it runs
     * @param what it is, for reports and misuse
     * @param call what blocks
     * @param undo see the constructor
     * @param token gives the wait up, or null
     * @return what it brought
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the call goes on, and what it brings is undone
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // a value may be null where T says so
    public static <T extends @Nullable Object> T await(
            Scheduler scheduler,
            Executor workers,
            String what,
            Callable<? extends T> call,
            Consumer<? super T> undo,
            @Nullable Completable<?> token) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(what);
        Awaiting.markUsed(token);
        var work = new Work<T>(scheduler, workers, what, call, undo);
        self.newWait();
        self.resumeWhen(work, ResumeCallback.RESOLVE);
        if (token != null) self.resumeWhen(Awaiting.event(token), ResumeCallback.CANCEL);
        boolean delivered = false;
        try {
            T result = (T) self.await();
            delivered = true;
            return result;
        } finally {
            if (!delivered) work.abandon();
        }
    }

    @Override
    protected final void armSource() {
        if (begun) return;
        begun = true;
        workers.execute(this::run);
    }

    /** On a helper thread. */
    private void run() {
        Object result = null;
        Throwable thrown = null;
        try {
            result = call.call();
        } catch (Throwable e) {
            thrown = e;
        }
        Object brought = result;
        Throwable failure = thrown;
        scheduler.post(() -> ended(brought, failure), () -> undo(brought));
    }

    private void ended(@Nullable Object result, @Nullable Throwable failure) {
        if (isClosed()) {
            undo(result);
            return;
        }
        done = true;
        value = result;
        error = failure;
        close();
        notifyCallbacks(result, failure);
    }

    @Override
    protected final void disarmSource() {}

    /** Nobody will take the outcome: what came, or comes, is undone. */
    public final void abandon() {
        boolean came = done;
        close();
        if (!came) return;
        Object unclaimed = value;
        value = null;
        undo(unclaimed);
    }

    @SuppressWarnings("unchecked")
    private void undo(@Nullable Object brought) {
        if (brought != null) undo.accept((T) brought);
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!done) return super.replay(callback);
        deliver(callback, value, error);
        return true;
    }

    @Override
    public String info() {
        return what;
    }
}
