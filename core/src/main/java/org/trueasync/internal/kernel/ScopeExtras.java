package org.trueasync.internal.kernel;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.owner.ScopeOwned;
import org.trueasync.internal.site.Names;
import org.trueasync.internal.unobserved.Handles;
import org.trueasync.spi.TimerEvent;

/** What only some scopes have: handlers, waiters, a handle, a deadline, things that end with the scope. */
public final class ScopeExtras {
    /** Gets an error of one of its coroutines, or of a scope in it. */
    @FunctionalInterface
    public interface ErrorHandler {
        /** Writes it to the diagnostics. The one handler that is none of the program's, so it is trusted with every error. */
        ErrorHandler REPORT =
                (scope, coroutine, error) -> scope.scheduler.diagnostics.accept(FailureText.taken(coroutine, error));

        /**
         * Gives errors away, with where their coroutines were spawned.
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

    /** For errors of its own coroutines. */
    public @Nullable ErrorHandler errorHandler;

    /** For errors from scopes in it. */
    public @Nullable ErrorHandler childErrorHandler;

    /** See {@link Names#readable}. */
    public @Nullable String name;

    /** It serves one request, with all that is below. */
    public boolean request;

    final ScopeWaits waits = new ScopeWaits();
    final ScopeOwned owned = new ScopeOwned();
    private @Nullable List<Consumer<CoroutineScope>> finallyHandlers;
    private @Nullable WeakReference<Object> handle;
    private Handles.@Nullable Watch leakWatch;
    private @Nullable TimerEvent deadline;

    /** Those who wait for its coroutines. */
    public ScopeWaits waits() {
        return waits;
    }

    /** What ends with the scope. */
    public ScopeOwned owned() {
        return owned;
    }

    /**
     * What users hold; not kept alive by the scope.
     *
     * @param maker makes it, the first time and after it has gone
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <H> H handle(Function<ScopeExtras, H> maker) {
        Object known = handle == null ? null : handle.get();
        if (known != null) return (H) known;
        H made = maker.apply(this);
        handle = new WeakReference<>(made);
        return made;
    }

    /** Has the watch for its lost handle end with the scope. */
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
    public void setDeadline(TimerEvent timer) {
        if (deadline != null) deadline.dispose();
        deadline = timer;
    }

    /** The scope has closed. */
    void closed(CoroutineScope scope) {
        if (deadline != null) deadline.dispose();
        if (leakWatch != null) leakWatch.clean();
        List<Consumer<CoroutineScope>> handlers = finallyHandlers;
        finallyHandlers = null;
        if (handlers != null) FinallyHandlers.ofScope(scope, handlers);
    }
}
