package org.trueasync.internal.work;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SourceEvent;

/**
 * A call that blocks, as an event. It begins on a helper thread when the event is first started, and its outcome closes
 * the event. While somebody waits, it counts as active. If nobody waits any more, a call that has begun goes on, unless
 * {@link #leftUnderWay} can end it, and its result is undone.
 *
 * @param <T> its result
 */
public class Work<T> extends SourceEvent {
    /*
     * The use of an outcome is decided on the loop thread, when the coroutine runs again, because a coroutine that was
     * woken for it may have been cancelled in between. So either await() returns it or unclaimed() gets it, once; never
     * both.
     */
    private final Loop loop;
    private final Executor workers;
    /** True of a simulated helper thread: it makes the call although nobody waits any more. */
    private final boolean begunAtOnce;

    private final String what;
    private final Callable<? extends @Nullable T> call;
    private final @Nullable Consumer<? super T> undo;
    /** Made in advance: when the call has ended there may be no memory, and the waiter must be woken nevertheless. */
    private final Runnable arrival = this::arrived;

    private final Runnable orphan = this::orphaned;
    /** The call's result, on its way from the helper thread to the loop. */
    private @Nullable Object callResult;

    private @Nullable Throwable callError;
    private boolean begun;
    private boolean done;
    private @Nullable Object value;
    private @Nullable Throwable error;
    /** True once nobody waits any more: a call that has not begun need not be made then. Read by the helper thread. */
    private volatile boolean abandoned;

    /**
     * Creates a call that has not begun.
     *
     * @param loop the loop of the waiting coroutines
     * @param workers the threads for it
     * @param what its name, for reports
     * @param call runs on a helper thread; an exception becomes the event's error
     * @param undo undoes a result that nobody waits for any more, see {@link #unclaimed}; null if nothing has to be
     *     undone
     */
    public Work(
            Loop loop,
            Executor workers,
            String what,
            Callable<? extends @Nullable T> call,
            @Nullable Consumer<? super T> undo) {
        super(loop.activeEvents());
        this.loop = loop;
        this.workers = loop.reactor().helpers(workers, what);
        this.begunAtOnce = this.workers != workers;
        this.what = what;
        this.call = call;
        this.undo = undo;
    }

    /**
     * Makes a call on a helper thread and suspends the running coroutine until it has ended.
     *
     * @param loop the loop of the running coroutine
     * @param workers the threads for it
     * @param what its name, for reports and errors
     * @param call the blocking call
     * @param undo see the constructor
     * @param token gives the wait up, or null
     * @return its result
     * @throws AsyncCancellation if cancelled while waiting; a call that has begun goes on, and its result is undone
     */
    public static <T extends @Nullable Object> T await(
            Loop loop,
            Executor workers,
            String what,
            Callable<? extends T> call,
            @Nullable Consumer<? super T> undo,
            @Nullable Completable<?> token) {
        return new Work<T>(loop, workers, what, call, undo).await(token);
    }

    /**
     * Begins the call and suspends the running coroutine until it has ended. Once.
     *
     * @param token gives the wait up, or null; if it has ended already, the call is not made
     * @return its result
     * @throws AsyncCancellation if cancelled while waiting
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // a value may be null where T says so
    public final T await(@Nullable Completable<?> token) {
        try {
            CoroutineImpl<?> self = Runtimes.currentCoroutine(what);
            Awaiting.markUsed(token);
            self.newWait();
            // The token first: events are armed in this order, and one that has happened ends the arming.
            if (token != null) self.resumeWhen(Awaiting.event(token), ResumeCallback.CANCEL);
            self.resumeWhen(this, ResumeCallback.RESOLVE);
            return (T) self.awaitEvents();
        } catch (Throwable e) {
            abandon();
            throw e;
        }
    }

    @Override
    protected final void armSource() {
        if (begun) return;
        begun = true;
        boolean taken = false;
        try {
            workers.execute(this::run);
            taken = true;
        } finally {
            begun = taken;
        }
    }

    /** Makes the call. On a helper thread. */
    private void run() {
        Object result = null;
        Throwable thrown = null;
        if (!abandoned || begunAtOnce) {
            try {
                result = call.call();
            } catch (Throwable e) {
                thrown = e;
            }
        }
        callResult = result;
        callError = thrown;
        loop.post(arrival, orphan);
    }

    private void arrived() {
        Object result = callResult;
        Throwable thrown = callError;
        callResult = null;
        callError = null;
        ended(result, thrown);
    }

    private void orphaned() {
        notTaken(callResult);
    }

    private void ended(@Nullable Object result, @Nullable Throwable failure) {
        if (isClosed()) {
            notTaken(result);
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

    /** Abandons the outcome: a result that has come, or will come, is undone. A second call has no effect. */
    public final void abandon() {
        boolean came = done;
        boolean wasOpen = !isClosed();
        abandoned = true;
        close();
        if (came) {
            Object late = value;
            done = false;
            value = null;
            error = null;
            notTaken(late);
        } else if (!begun && wasOpen) {
            notTaken(null);
        } else if (wasOpen) {
            leftUnderWay();
        }
    }

    /**
     * Called when nobody waits any more and the call is still under way, perhaps for ever. A subclass that can end it
     * early does so here, so that its thread is free again. On the loop thread; must not throw.
     */
    protected void leftUnderWay() {}

    /**
     * Wakes the waiter with an error now, without waiting for the call to end.
     *
     * @param failure the error
     */
    public final void fail(Throwable failure) {
        if (isClosed()) return;
        abandoned = true;
        close();
        notifyCallbacks(null, failure);
        if (begun) leftUnderWay();
        else notTaken(null);
    }

    @SuppressWarnings("unchecked")
    private void notTaken(@Nullable Object result) {
        unclaimed((T) result);
    }

    /**
     * Undoes the result, if the call has ended or was never made and nobody got its result. Called once, on the loop
     * thread, where it must not block; on a thread of the JDK's if the run has ended meanwhile.
     *
     * @param result the result; null if the call failed, was not made, or returned null
     */
    protected void unclaimed(@Nullable T result) {
        if (result != null && undo != null) undo.accept(result);
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
