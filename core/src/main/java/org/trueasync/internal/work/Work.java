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
 * A call that blocks, as an event: it begins on a helper thread when the event is first started, and its outcome closes the event. While somebody
 * waits it counts as able to wake. A call that has begun goes on when nobody waits any more, unless {@link #leftUnderWay} can end it, and what it brings is undone.
 *
 * @param <T> what it brings
 */
public class Work<T> extends SourceEvent {
    /*
     * What becomes of an outcome is decided on the loop thread, when the coroutine has run again: one that was woken for it may have been
     * cancelled in between. So either await() returns it, or unclaimed() gets it, once; never both.
     */
    private final Loop loop;
    private final Executor workers;
    private final String what;
    private final Callable<? extends @Nullable T> call;
    private final @Nullable Consumer<? super T> undo;
    /** Made beforehand: when the call has ended there may be no memory, and whoever waits must be told. */
    private final Runnable arrival = this::arrived;

    private final Runnable orphan = this::orphaned;
    /** What the call has brought, on its way from the helper thread to the loop. */
    private @Nullable Object brought;

    private @Nullable Throwable failure;
    private boolean begun;
    private boolean done;
    private @Nullable Object value;
    private @Nullable Throwable error;
    /** Nobody waits any more: a call that has not begun need not be made. Read by the helper thread. */
    private volatile boolean abandoned;

    /**
     * A call that has not begun.
     *
     * @param loop whose coroutines wait
     * @param workers where it runs
     * @param what it is, for reports
     * @param call runs on a helper thread; whatever it throws is the event's error
     * @param undo takes back what came after everybody had gone, see {@link #unclaimed}; null if there is nothing to take back
     */
    public Work(
            Loop loop,
            Executor workers,
            String what,
            Callable<? extends @Nullable T> call,
            @Nullable Consumer<? super T> undo) {
        super(loop.activeEvents());
        this.loop = loop;
        this.workers = workers;
        this.what = what;
        this.call = call;
        this.undo = undo;
    }

    /**
     * Makes a call on a helper thread and suspends the running coroutine until it has ended.
     *
     * @param loop of the running coroutine
     * @param workers where it runs
     * @param what it is, for reports and misuse
     * @param call what blocks
     * @param undo see the constructor
     * @param token gives the wait up, or null
     * @return what it brought
     * @throws AsyncCancellation if cancelled while waiting; a call that has begun goes on, and what it brings is undone
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
     * @return what it brought
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

    /** On a helper thread. */
    private void run() {
        Object result = null;
        Throwable thrown = null;
        if (!abandoned) {
            try {
                result = call.call();
            } catch (Throwable e) {
                thrown = e;
            }
        }
        brought = result;
        failure = thrown;
        loop.post(arrival, orphan);
    }

    private void arrived() {
        Object result = brought;
        Throwable thrown = failure;
        brought = null;
        failure = null;
        ended(result, thrown);
    }

    private void orphaned() {
        notTaken(brought);
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

    /** Nobody will take the outcome: what came, or comes, is undone. Does nothing after it was undone. */
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
     * Nobody waits any more, and the call may be under way for as long as it likes: whoever can end it early does so here, so that its thread is free
     * again. On the loop thread; must not throw.
     */
    protected void leftUnderWay() {}

    /**
     * Whoever waits gets an error now, without waiting for the call to end.
     *
     * @param failure what they get
     */
    public final void fail(Throwable failure) {
        if (isClosed()) return;
        abandoned = true;
        close();
        notifyCallbacks(null, failure);
        if (begun) leftUnderWay();
    }

    @SuppressWarnings("unchecked")
    private void notTaken(@Nullable Object brought) {
        unclaimed((T) brought);
    }

    /**
     * The call has ended, or was never made, and nobody got a value of it: takes back what it brought. Called once, on the loop thread, where it must
     * not block; on a thread of the JDK's if the run has ended meanwhile.
     *
     * @param brought what it brought; null if it failed, was not made, or brought null
     */
    protected void unclaimed(@Nullable T brought) {
        if (brought != null && undo != null) undo.accept(brought);
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
