package org.trueasync.internal.await;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.Future;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.future.FutureAccess;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** Waiting for one thing or for all of several, with or without a token. */
public final class Awaiting {
    private Awaiting() {}

    /**
     * The value of an awaitable, or its error thrown. Something that has ended costs no switch.
     *
     * @param one what to wait for
     * @param token gives the wait up, or null
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // a value may be null; T says whether it may
    public static <T> T one(Completable<T> one, @Nullable Completable<?> token) {
        markUsed(token);
        if (one instanceof CoroutineImpl<T> coroutine && coroutine.isCompleted()) return coroutine.join();
        if (one instanceof Future<T> future && future.isCompleted())
            return FutureAccess.coreOf(future).join();
        CoroutineImpl<?> self = Runtimes.currentCoroutine("Async.await");
        Event event = event(one);
        if (!event.isClosed()) requireOpen(token, one);
        self.newWait();
        self.resumeWhen(event, ResumeCallback.RESOLVE);
        if (token != null && token != one) self.resumeWhen(event(token), ResumeCallback.CANCEL);
        return (T) self.await();
    }

    /**
     * The values of all, in the order of the input; the first error, in the order of ending, is thrown at once.
     *
     * @param all what to wait for
     * @param token gives the wait up, or null
     */
    public static <T> List<T> allOrFail(
            Iterable<? extends Completable<? extends T>> all, @Nullable Completable<?> token) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine("Async.awaitAllOrFail");
        markUsed(token);
        var members = new ArrayList<Event>();
        for (Completable<? extends T> member : all) {
            Event event = event(member);
            markUsed(member);
            members.add(event);
        }
        var pending = new Pending();
        for (Event member : members) if (!member.isClosed()) pending.count++;
        for (Event member : members) if (member.isClosed()) valueOf(member);
        if (pending.count > 0) {
            requireOpen(token, null);
            self.newWait();
            for (Event member : members) if (!member.isClosed()) self.resumeWhen(member, pending);
            if (token != null) self.resumeWhen(event(token), ResumeCallback.CANCEL);
            self.await();
        }
        var values = new ArrayList<T>(members.size());
        for (Event member : members) values.add(Awaiting.<T>valueOf(member));
        return values;
    }

    /** Wakes at the first error or the last value. */
    private static final class Pending implements ResumeCallback {
        int count;

        @Override
        public void onEvent(Waker waker, Event event, @Nullable Object result, @Nullable Throwable error) {
            if (error != null) waker.wakeWithError(error);
            else if (--count == 0) waker.wake(null);
        }
    }

    /** The value of an event that has ended, or its error thrown. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"}) // as above
    private static <T> T valueOf(Event ended) {
        if (ended instanceof CoroutineImpl<?> coroutine) return (T) coroutine.join();
        var outcome = new Outcome();
        ended.replay(outcome);
        if (outcome.error != null) throw org.trueasync.internal.kernel.Throwing.sneaky(outcome.error);
        return (T) outcome.value;
    }

    private static final class Outcome extends EventCallback {
        @Nullable
        Object value;

        @Nullable
        Throwable error;

        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable failure) {
            value = result;
            error = failure;
        }
    }

    /** A token that has fired already ends the wait before it begins. */
    private static void requireOpen(@Nullable Completable<?> token, @Nullable Completable<?> awaited) {
        if (token == null || token == awaited || !token.isCompleted()) return;
        var outcome = new Outcome();
        Event event = event(token);
        event.replay(outcome);
        throw new OperationCanceledException("the wait was given up before it began: " + event.info(), outcome.error);
    }

    /**
     * Fails if a token has fired already; for calls that begin something which is better not begun then.
     *
     * @param token the token, or null
     * @throws OperationCanceledException if it has
     */
    public static void requireOpen(@Nullable Completable<?> token) {
        requireOpen(token, null);
    }

    /**
     * Notes that somebody waits for it, or has it as a token, also where it is never consulted because the call is served at once: a coroutine
     * that is used and fails is not an unobserved failure.
     *
     * @param used what is waited for or the token, or null
     */
    public static void markUsed(@Nullable Completable<?> used) {
        if (used instanceof CoroutineImpl<?> coroutine) coroutine.markObserved();
        else if (used instanceof Future<?> future) FutureAccess.coreOf(future).markCaught();
    }

    /**
     * The event behind an awaitable. A future counts as used and its error as caught from here on.
     *
     * @param completable of this library
     * @throws AsyncException if it is somebody else's implementation
     */
    public static Event event(Completable<?> completable) {
        java.util.Objects.requireNonNull(completable, "what to await");
        if (completable instanceof Event event) return event;
        if (completable instanceof Future<?> future) {
            FutureCore<?> core = FutureAccess.coreOf(future);
            core.markCaught();
            return core;
        }
        throw new AsyncException(
                completable.getClass().getName()
                        + " can't be awaited: a Completable must be an Event of this library; use a CompletionStage to bring in foreign work");
    }
}
