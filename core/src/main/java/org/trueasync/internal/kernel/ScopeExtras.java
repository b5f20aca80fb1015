package org.trueasync.internal.kernel;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.task.ScopeOwned;
import org.trueasync.internal.time.HeapTimer;
import org.trueasync.internal.time.SectionLimit;

/** What only some scopes have: handlers, waiters, a handle, a deadline, things that end with the scope. */
public final class ScopeExtras {
    /** Gets the errors of a scope's coroutines, or of scopes in it. */
    @FunctionalInterface
    public interface ErrorHandler {
        /**
         * Writes an error to the diagnostics. The only handler that is not user code, so it is trusted with every
         * error.
         */
        ErrorHandler REPORT = (scope, coroutine, error) ->
                scope.loop.settings.diagnostics().accept(FailureText.taken(coroutine, error));

        /**
         * Makes a handler that passes errors on, each with the place where its coroutine was spawned.
         *
         * @param taker called in a coroutine of its own
         */
        static ErrorHandler passing(Consumer<Throwable> taker) {
            return (scope, coroutine, error) -> {
                FailureText.origin(coroutine).attachTo(error);
                taker.accept(error);
            };
        }

        /**
         * Takes an error, in a coroutine of its own.
         *
         * @param scope the one that has the handler
         * @param coroutine which failed
         * @param error what it threw
         * @throws Throwable the error was not taken
         */
        void onError(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) throws Throwable;
    }

    /** For errors of its own coroutines, and for errors from scopes in it if there is no {@link #childErrorHandler}. */
    public @Nullable ErrorHandler errorHandler;

    /** For errors from scopes in it. */
    public @Nullable ErrorHandler childErrorHandler;

    /** See {@link Names#readable}. */
    public @Nullable String name;

    /** The scope serves one request, with all scopes below. */
    public boolean request;

    final ScopeListeners waits = new ScopeListeners();
    final ScopeOwned owned = new ScopeOwned();
    private @Nullable List<Consumer<CoroutineScope>> finallyHandlers;
    private @Nullable WeakReference<Object> handle;
    private Handles.@Nullable Watch leakWatch;
    private @Nullable HeapTimer deadline;

    /** The waits for its coroutines. */
    public ScopeListeners waits() {
        return waits;
    }

    /** What ends with the scope. */
    public ScopeOwned owned() {
        return owned;
    }

    /**
     * The users' handle, which the scope does not keep alive.
     *
     * @param maker makes it, the first time and after it has been collected
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <H> H handle(Function<ScopeExtras, H> maker) {
        Object known = knownHandle();
        if (known != null) return (H) known;
        H made = maker.apply(this);
        handle = new WeakReference<>(made);
        return made;
    }

    @Nullable
    Object knownHandle() {
        return handle == null ? null : handle.get();
    }

    /** Sets the watch for its lost handle, which ends with the scope. */
    public void watchedBy(Handles.Watch watch) {
        leakWatch = watch;
    }

    /** Adds a handler of its end. */
    public void addFinally(Consumer<CoroutineScope> handler) {
        if (finallyHandlers == null) finallyHandlers = new ArrayList<>(2);
        finallyHandlers.add(handler);
    }

    boolean hasFinallyHandlers() {
        return finallyHandlers != null;
    }

    /** Replaces the timer that will end the scope; it ends with the scope. */
    public void setDeadline(HeapTimer timer) {
        if (deadline != null) deadline.stop();
        deadline = timer;
    }

    /** True once there is a timer that will end the scope, or has done so. */
    public boolean hasDeadline() {
        return deadline != null;
    }

    /** The time until that timer ends the scope, in nanoseconds; {@link SectionLimit#NONE} if there is none. */
    long remaining() {
        return deadline == null ? SectionLimit.NONE : deadline.remainingNanos();
    }

    /** Called when the scope has closed. */
    void closed(CoroutineScope scope) {
        if (deadline != null) deadline.stop();
        waits.forgetGivenUp();
        // Errors that a wait leaves go on when the handle is lost.
        if (leakWatch != null && !waits.hasAny()) leakWatch.clean();
        List<Consumer<CoroutineScope>> handlers = finallyHandlers;
        finallyHandlers = null;
        if (handlers != null) FinallyHandlers.ofScope(scope, handlers);
    }
}
