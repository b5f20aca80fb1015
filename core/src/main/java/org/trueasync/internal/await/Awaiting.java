package org.trueasync.internal.await;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.Timeout;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.failure.AwaitedTrace;
import org.trueasync.internal.future.FutureAccess;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ResumeCallback;

/** Waits for one thing, with or without a token. Also does what all waits do with their tokens. */
public final class Awaiting {
    private Awaiting() {}

    /**
     * Returns the value of an awaitable, or throws its error. If it has ended, the call costs no switch; if its run has
     * ended too, any thread may ask.
     *
     * @param awaited what to wait for
     * @param token gives the wait up, or null
     */
    public static <T> T one(Completable<T> awaited, @Nullable Completable<?> token) {
        try {
            return awaitValue(awaited, token);
        } catch (Throwable e) {
            throw Throwing.sneaky(AwaitedTrace.of(e, Runtimes::labelHere));
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // a value may be null; T says whether it may
    private static <T> T awaitValue(Completable<T> awaited, @Nullable Completable<?> token) {
        markUsed(token);
        if (awaited instanceof CoroutineImpl<T> coroutine && coroutine.isCompleted()) {
            coroutine.loop().requireLoopThreadOrEnd("Async.await");
            return coroutine.join();
        }
        FutureCore<?> future = FutureAccess.coreOf(awaited);
        if (future != null && future.isCompleted()) return (T) future.join("Async.await");
        CoroutineImpl<?> self = Runtimes.currentCoroutine("Async.await");
        if (future == null) return (T) waitFor(self, awaited, event(awaited), token);
        future.markAwaited();
        try {
            T value = (T) waitFor(self, awaited, future, token);
            future.markCaught();
            return value;
        } catch (Throwable e) {
            if (future.isErrorOf(e)) future.markCaught();
            else future.markGivenUp();
            throw e;
        }
    }

    private static @Nullable Object waitFor(
            CoroutineImpl<?> self, Completable<?> awaited, Event event, @Nullable Completable<?> token) {
        if (!event.isClosed()) requireOpen(token, awaited);
        self.newWait();
        self.resumeWhen(event, ResumeCallback.RESOLVE);
        if (token != null && token != awaited) endWaitWith(self, token, event);
        return self.awaitEvents();
    }

    /**
     * Returns the value of a stage, or throws its error.
     *
     * @param foreign any stage
     * @param token gives the wait up, or null
     */
    public static <T> T stage(CompletionStage<T> foreign, @Nullable Completable<?> token) {
        try {
            return awaitValue(foreign, token);
        } catch (Throwable e) {
            throw Throwing.sneaky(AwaitedTrace.of(e, Runtimes::labelHere));
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    private static <T> T awaitValue(CompletionStage<T> foreign, @Nullable Completable<?> token) {
        Objects.requireNonNull(foreign, "what to await");
        CoroutineImpl<?> self = Runtimes.currentCoroutine("Async.await");
        markUsed(token);
        StageEvent event = StageEvent.of(self.loop(), foreign);
        event.takeOutcomeIfDone();
        if (!event.isClosed()) requireOpen(token, null);
        self.newWait();
        self.resumeWhen(event, ResumeCallback.RESOLVE);
        if (token != null) endWaitWith(self, token, event);
        return (T) self.awaitEvents();
    }

    /**
     * Subscribes to a token. When it fires, the wait is given up as by {@link ResumeCallback#CANCEL}, but the error
     * also says that the awaited thing goes on.
     */
    private static void endWaitWith(CoroutineImpl<?> self, Completable<?> token, Event awaited) {
        self.resumeWhen(
                event(token),
                (waker, fired, result, error) -> waker.wakeWithError(new OperationCanceledException(
                        "the wait was given up: " + fired.info() + goesOn(awaited), error)));
    }

    /**
     * Returns the event behind one of several things to await.
     *
     * @param here the waiter's runtime
     * @param member of any type
     * @throws AsyncException if it can't be awaited, or not here
     */
    static Event member(Loop here, @Nullable Object member) {
        Objects.requireNonNull(member, "what to await has a member that is null");
        if (!(member instanceof Completable<?> completable)) throw notOurs(member);
        if (member instanceof CoroutineImpl<?> coroutine && coroutine.loop() != here)
            coroutine.loop().requireLoopThread("a wait for coroutine " + coroutine.label());
        return event(completable);
    }

    /** Notes the error that an event is replayed with; null if it has none. */
    private static final class Failure extends EventCallback {
        @Nullable
        Throwable error;

        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable failure) {
            error = failure;
        }
    }

    /**
     * Suspends a coroutine until an event or the token fires; both subscriptions last for this wait only.
     *
     * @param self the running coroutine
     * @param event what to wait for
     * @param token gives the wait up, or null
     * @return what the event fired with
     */
    public static @Nullable Object until(CoroutineImpl<?> self, Event event, @Nullable Completable<?> token) {
        self.newWait();
        self.resumeWhen(event, ResumeCallback.RESOLVE);
        if (token != null) self.resumeWhen(event(token), ResumeCallback.CANCEL);
        return self.awaitEvents();
    }

    /**
     * Suspends the running coroutine until an event fires.
     *
     * @param event what to wait for
     * @return what the event fired with
     */
    public static @Nullable Object until(Event event) {
        return until(Runtimes.currentCoroutine("a wait for " + event.info()), event, null);
    }

    /**
     * Waits for something that was told to end, and that will end. A cancellation of the caller does not shorten the
     * wait; it is thrown at the caller's next wait. Only an expired shutdown deadline ends the wait early.
     *
     * @param event fires whenever the awaited thing may have ended
     * @param isOver true once it has ended
     */
    public static void untilOver(Event event, BooleanSupplier isOver) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine("a wait for " + event.info());
        AsyncCancellation cancelled = null;
        while (!isOver.getAsBoolean()) {
            try {
                self.shield(() -> until(self, event, null));
            } catch (AsyncCancellation e) {
                if (self.loop().isOver()) throw e;
                cancelled = e;
            }
        }
        if (cancelled != null) self.deferToNextWait(cancelled);
    }

    /**
     * Starts the token's time now, for a wait in several steps with one token: otherwise each step would start the time
     * anew. {@link #stopToken} must follow.
     *
     * @param token the token, or null
     */
    public static void startToken(@Nullable Completable<?> token) {
        if (token != null) event(token).start();
    }

    /**
     * Undoes {@link #startToken}.
     *
     * @param token the token, or null
     */
    public static void stopToken(@Nullable Completable<?> token) {
        if (token != null) event(token).stop();
    }

    /** Fails if a token has fired already; the wait does not begin then. */
    private static void requireOpen(@Nullable Completable<?> token, @Nullable Completable<?> awaited) {
        if (token == null || token == awaited || !token.isCompleted()) return;
        var failure = new Failure();
        Event event = event(token);
        event.replay(failure);
        String addition = awaited == null ? "" : goesOn(event(awaited));
        throw new OperationCanceledException(
                "the wait was given up before it began: " + event.info() + addition, failure.error);
    }

    /** Returns the part of the message that says that only the wait has ended, and the awaited thing goes on. */
    private static String goesOn(Event awaited) {
        if (awaited instanceof Timeout) return "";
        String what =
                awaited instanceof CoroutineImpl<?> coroutine ? "coroutine " + coroutine.label() : "what was awaited";
        return "; " + what
                + " goes on: cancel it if nobody needs it, or use withTimeout for a section that ends with its limit";
    }

    /**
     * Fails if a token has fired already. For calls that must not start their work in that case.
     *
     * @param token the token, or null
     * @throws OperationCanceledException if it has
     */
    public static void requireOpen(@Nullable Completable<?> token) {
        requireOpen(token, null);
    }

    /**
     * Begins a call that has an effect: marks the token as used, and refuses the call if the token has fired, even if
     * the call would not have to wait.
     *
     * @param token the token, or null
     * @throws OperationCanceledException if it has fired
     */
    public static void admit(@Nullable Completable<?> token) {
        if (token == null) return;
        markUsed(token);
        requireOpen(token, null);
    }

    /**
     * Marks something as used: a call waits for it or has it as a token, even if the call is served at once. The
     * failure of a used coroutine is not an unobserved error.
     *
     * @param used the awaited thing or the token, or null
     */
    public static void markUsed(@Nullable Completable<?> used) {
        if (used instanceof CoroutineImpl<?> coroutine) {
            coroutine.markObserved();
        } else if (used != null) {
            FutureCore<?> future = FutureAccess.coreOf(used);
            if (future != null) future.markCaught();
        }
    }

    /**
     * Returns the event behind an awaitable. A future counts as used, and its error as caught, from this call on.
     *
     * @param completable of this library
     * @throws AsyncException if another library implements it
     */
    public static Event event(Completable<?> completable) {
        Objects.requireNonNull(completable, "what to await");
        if (completable instanceof Event event) return event;
        FutureCore<?> future = FutureAccess.coreOf(completable);
        if (future == null) throw notOurs(completable);
        future.markCaught();
        return future;
    }

    private static AsyncException notOurs(Object awaited) {
        return new AsyncException(awaited.getClass().getName()
                + " can't be awaited: it must be a Completable of this library; a CompletionStage brings in foreign work,"
                + " Future.from makes it one of several");
    }
}
