package org.trueasync.internal.future;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.event.EventFuture;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.failure.UnobservedOutcomes;
import org.trueasync.internal.failure.UnobservedWarning;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * A future: the event of its own completion, with the outcome in it. Completing it queues its waiters, in the order of
 * subscription, and runs no user code.
 *
 * <p>Subclasses make futures of work of their own: {@link #cancelled} says that the result is not wanted any more,
 * {@code arm} that the first waiter has come, and {@code disarm} that the last one has gone. Loop thread only, except
 * {@code isCompleted}, {@code isCancelled} and what describes it.
 */
public class FutureCore<T> extends Event implements HeldByWakers {
    private static final int COMPLETED = 1;
    private static final int FAILED = 1 << 1;
    /** The outcome has been asked for, or another future follows this one. */
    private static final int USED = 1 << 2;
    /** The error has been delivered, or will be. */
    private static final int CAUGHT = 1 << 3;
    /** The right to complete it has gone to another thread. */
    private static final int HANDED_OVER = 1 << 4;
    /** Something outside of the loop may complete it, so its waiters can be woken from there. */
    private static final int FED = 1 << 5;
    /** A check for remaining waiters is under way. */
    private static final int CHECKING = 1 << 6;
    /** A wait for it goes on, which will get the error. */
    private static final int AWAITED = 1 << 7;

    final Loop loop;
    private byte flags;
    /** The value or the error. */
    private @Nullable Object outcome;

    private @Nullable FutureExtras extras;
    /** The watch over an outcome that nobody has taken yet; else null. */
    private UnobservedOutcomes.@Nullable Watch unobservedWatch;

    /**
     * Creates a pending future.
     *
     * @param loop the runtime's loop
     */
    public FutureCore(Loop loop) {
        this.loop = loop;
        String site = loop.settings().spawnSite();
        if (known(site)) extras().createdAt = site;
    }

    private boolean is(int flag) {
        return (flags & flag) != 0;
    }

    private void set(int flag) {
        flags |= (byte) flag;
    }

    private FutureExtras extras() {
        FutureExtras e = extras;
        if (e == null) extras = e = new FutureExtras();
        return e;
    }

    @Override
    protected final void requireLoopThread() {
        loop.requireLoopThread("a future's method");
    }

    // ---- the write side

    /**
     * Completes it with a value.
     *
     * @param value may be null
     * @throws AsyncException if it has been completed, or the right to complete it has gone to another thread
     */
    public final void complete(@Nullable T value) {
        requireMine("complete");
        end(value, null, null);
    }

    /**
     * Completes it with an error.
     *
     * @param error anything
     * @throws AsyncException if it has been completed, or the right to complete it has gone to another thread
     */
    public final void fail(Throwable error) {
        Objects.requireNonNull(error, "error");
        requireMine("error");
        end(null, error, null);
    }

    /**
     * Completes it with a value unless it has been completed, as the reader may have cancelled it.
     *
     * @param value may be null
     */
    public final void tryComplete(@Nullable T value) {
        requireLoopThread();
        if (!is(COMPLETED)) end(value, null, null);
    }

    /**
     * Completes it with an error unless it has been completed.
     *
     * @param error anything
     * @return false if it has been completed: nobody will get this error
     */
    public final boolean tryFail(Throwable error) {
        requireLoopThread();
        if (is(COMPLETED)) return false;
        end(null, Objects.requireNonNull(error, "error"), null);
        return true;
    }

    private void requireMine(String call) {
        loop.requireLoopThread("FutureState." + call);
        if (is(HANDED_OVER)) throw notMine(call);
        if (is(COMPLETED)) throw alreadyCompleted();
    }

    private AsyncException notMine(String call) {
        return new AsyncException("FutureState." + call
                + ": the right to complete this future was handed over to another thread; it is in the RemoteFuture");
    }

    private AsyncException alreadyCompleted() {
        String place = completedLocation();
        return new AsyncException("the future has been " + (isCancelled() ? "cancelled" : "completed") + " already"
                + (!known(place)
                        ? "; with spawn sites on (AsyncRuntime.Builder.spawnSites) this tells where"
                        : ", at " + place));
    }

    private void end(@Nullable Object value, @Nullable Throwable error, @Nullable UnobservedWarning shared) {
        outcome = error == null ? value : error;
        set(error == null ? COMPLETED : COMPLETED | FAILED);
        String site = completionSite();
        if (known(site)) extras().completedAt = site;
        watch(error, shared);
        close();
        try {
            notifyCallbacks(value, error == null ? null : Throwing.forAwaiter(error));
        } finally {
            ended();
        }
    }

    String completionSite() {
        String elsewhere = extras == null ? null : extras.completedAt;
        return elsewhere == null ? loop.settings().spawnSite() : elsewhere;
    }

    /** Sets the place where another thread completes it, unless it has been completed. */
    final void completedAt(String site) {
        if (!is(COMPLETED) && known(site)) extras().completedAt = site;
    }

    /** Called after it has been completed and its callbacks have been called. */
    void ended() {}

    /**
     * Ends it with the outcome of another future. Both futures share the warning about an error, so it needs to be
     * caught only once.
     */
    final void takeOutcomeOf(FutureCore<? extends T> source) {
        Throwable error = source.error();
        if (error == null) {
            end(source.outcome, null, null);
            return;
        }
        UnobservedOutcomes.Watch watched = source.unobservedWatch;
        if (watched == null) set(USED | CAUGHT);
        end(null, error, watched == null ? null : watched.warning());
    }

    // ---- unobserved outcomes

    /** Begins to watch the outcome, unless it is a cancellation, came with the end, or counts as used or caught. */
    private void watch(@Nullable Throwable error, @Nullable UnobservedWarning shared) {
        if (error != null && loop.lineage().isNoFailure(error)) return;
        if (is(error == null ? USED : CAUGHT | AWAITED)) {
            if (shared != null) shared.settle();
        } else if (shared == null || !shared.isSettled()) {
            UnobservedWarning warning =
                    shared != null ? shared : new UnobservedFuture(createdLocation(), completedLocation(), error);
            unobservedWatch = loop.unobserved().watch(this, warning);
        }
    }

    /**
     * Notes that the value counts as used: another future follows this one, or nobody needs the value. An error does
     * not count as caught.
     */
    public final void markUsed() {
        set(USED);
        if (!is(FAILED)) settle();
    }

    /**
     * Notes that the error is caught and the value used: somebody waits for this future, has it as a token, or ignores
     * it.
     */
    public final void markCaught() {
        if (is(CAUGHT)) return;
        set(USED | CAUGHT);
        settle();
    }

    /** Notes that a wait begins: as long as it goes on, the error counts as caught. */
    public final void markAwaited() {
        set(USED | AWAITED);
    }

    /** Undoes {@link #markAwaited}: the wait was given up, so its caller does not get the error. */
    public final void markGivenUp() {
        flags &= (byte) ~AWAITED;
        if (is(FAILED) && unobservedWatch == null) watch(error(), null);
    }

    /** True if it has failed, and a wait for it throws this because of that. */
    public final boolean isErrorOf(Throwable thrown) {
        Throwable error = error();
        return error != null && (thrown == error || thrown.getCause() == error);
    }

    /** Says that neither the value nor the error is to be reported. */
    public final void ignore() {
        loop.requireLoopThread("Future.ignore");
        markCaught();
    }

    private void settle() {
        UnobservedOutcomes.Watch watched = unobservedWatch;
        if (watched == null) return;
        loop.requireLoopThread("taking the outcome of a future");
        unobservedWatch = null;
        watched.settle();
    }

    // ---- the read side

    public final boolean isCompleted() {
        return is(COMPLETED);
    }

    public final boolean isCancelled() {
        return is(FAILED) && outcome instanceof AsyncCancellation;
    }

    /** Returns its error as it was given, or null. */
    final @Nullable Throwable error() {
        return is(FAILED) ? (Throwable) outcome : null;
    }

    /**
     * As {@link #join()}, for a caller that may be on any thread.
     *
     * @param call what asks for it, for the message
     * @throws AsyncException on another thread while the run goes on
     */
    public final T join(String call) {
        loop.requireLoopThreadOrEnd(call);
        return join();
    }

    /** Returns the value of a completed future, or throws its error. Costs no switch. */
    @SuppressWarnings({"unchecked", "NullAway"}) // a value may be null; T says whether it may
    public final T join() {
        markCaught();
        if (!is(FAILED)) return (T) outcome;
        throw Throwing.sneaky(Throwing.forAwaiter((Throwable) outcome));
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    final T value() {
        return (T) outcome;
    }

    /**
     * Ends it with a cancellation. Once it has ended, this only marks the value as used.
     *
     * @param reason the exception that its waiters throw
     */
    public final void cancel(AsyncCancellation reason) {
        loop.requireLoopThread("Future.cancel");
        Objects.requireNonNull(reason, "reason");
        if (is(COMPLETED)) {
            markUsed(); // a caller that cancels does not want the value, which may have come just before
            return;
        }
        end(null, reason, null);
        FutureExtras e = extras;
        if (e != null && e.remote != null) e.remote.withdrawn();
        cancelled(reason);
    }

    /**
     * Called when the reader has cancelled it and the waiters have been woken: the work for it can stop.
     *
     * @param reason the cancellation
     */
    protected void cancelled(AsyncCancellation reason) {}

    @Override
    public boolean replay(EventCallback callback) {
        if (!is(COMPLETED)) return super.replay(callback);
        markCaught();
        Throwable error = error();
        if (error == null) deliver(callback, outcome, null);
        else deliver(callback, null, Throwing.forAwaiter(error));
        return true;
    }

    /** Returns a {@link CompletableFuture} that ends as this future does. */
    public final CompletableFuture<T> toCompletableFuture() {
        loop.requireLoopThread("Future.toCompletableFuture");
        markCaught();
        return EventFuture.started(this, loop.continuations());
    }

    // ---- completed from outside of the loop

    /** Says that from now on something outside of the loop may complete it. */
    public final void feedFromOutside() {
        if (is(FED | COMPLETED)) return;
        set(FED);
        if (isActive()) loop.activeEvents().increment();
    }

    /** Says that nothing outside of the loop can complete it any more. */
    final void outsideIsGone() {
        if (!is(FED)) return;
        if (isActive()) loop.activeEvents().decrement();
        flags &= (byte) ~FED;
    }

    @Override
    protected void arm() {
        if (is(FED)) loop.activeEvents().increment();
    }

    @Override
    protected void disarm() {
        if (is(FED)) loop.activeEvents().decrement();
    }

    /** For {@code disarm}: has {@link #unwanted} called soon, unless it has ended or has a waiter again by then. */
    protected final void checkForWaiters() {
        if (is(COMPLETED | CHECKING)) return;
        set(CHECKING);
        loop.continueWith(() -> {
            // A waiter that has just been woken may wait again when it runs.
            loop.requireCurrent("a future's check").yieldNow();
            flags &= (byte) ~CHECKING;
            if (!is(COMPLETED) && !isActive()) unwanted();
        });
    }

    /** Called in a coroutine if it had waiters and has none any more, see {@link #checkForWaiters}. */
    protected void unwanted() {}

    /**
     * Gives the right to complete it to other threads.
     *
     * @throws AsyncException if it has been given away before, or the future has been completed
     */
    public final RemoteEnd<T> handOver() {
        loop.requireLoopThread("FutureState.handOver");
        if (is(HANDED_OVER))
            throw new AsyncException("FutureState.handOver: this future has been handed over before; once is all");
        if (is(COMPLETED)) throw alreadyCompleted();
        set(HANDED_OVER);
        feedFromOutside();
        var remote = new RemoteEnd<>(this);
        extras().remote = remote;
        return remote;
    }

    // ---- about it

    /** Returns where it was made, or {@code unknown}. */
    public final String createdLocation() {
        return place(extras == null ? null : extras.createdAt);
    }

    /** Returns where it was completed, or {@code unknown}. */
    public final String completedLocation() {
        return place(extras == null ? null : extras.completedAt);
    }

    private static String place(@Nullable String site) {
        return site == null ? CodeSites.UNKNOWN : site;
    }

    private static boolean known(String site) {
        return !site.equals(CodeSites.UNKNOWN);
    }

    /** Returns one line: what it is, where it was made, and its state. */
    public final List<String> awaitingInfo() {
        return List.of(info());
    }

    @Override
    public String info() {
        String made = createdLocation();
        return "future" + (!known(made) ? "" : " created " + made) + state();
    }

    private String state() {
        if (!is(COMPLETED)) return is(HANDED_OVER) ? ", pending in another thread" : ", pending";
        String place = completedLocation();
        String where = !known(place) ? "" : " " + place;
        String how = !is(FAILED) ? "" : isCancelled() ? " by cancellation" : " with an error";
        return ", completed" + where + how;
    }
}
