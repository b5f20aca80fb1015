package org.trueasync.internal.scope;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Runtimes;

/** Waiting for the coroutines of a scope. */
public final class ScopeWaiting {
    private ScopeWaiting() {}

    /**
     * Until no coroutine that is of interest is left, in the scope and below.
     *
     * @param scope the scope
     * @param token gives the wait up, or null
     */
    public static void completion(CoroutineScope scope, @Nullable Completable<?> token) {
        String call = "Scope.awaitCompletion";
        scope.requireHere(call);
        Awaiting.markUsed(token);
        requireOutside(scope, call);
        if (scope.isClosed()) return;
        if (scope.isCancelled()) throw new AsyncCancellation("the scope was cancelled: " + scope);
        if (!scope.isActive()) return;
        Awaiting.requireOpen(token);
        waitFor(scope, call, false, token, null);
    }

    /**
     * Until no coroutine is left in a cancelled scope and below, zombies included.
     *
     * @param scope the scope
     * @param errorHandler gets the errors that nobody else takes; null to have the first one thrown
     * @param token gives the wait up, or null
     */
    public static void afterCancellation(
            CoroutineScope scope, @Nullable Consumer<Throwable> errorHandler, @Nullable Completable<?> token) {
        String call = "Scope.awaitAfterCancellation";
        scope.requireHere(call);
        Awaiting.markUsed(token);
        requireOutside(scope, call);
        if (!scope.isCancelled())
            throw new AsyncException(call + " needs a cancelled scope, and this one is open: " + scope
                    + "; cancel it first, or use awaitCompletion");
        if (!scope.isPopulated()) return;
        Awaiting.requireOpen(token);
        waitFor(scope, call, true, token, errorHandler);
    }

    /**
     * Until a scope that is being closed is empty. The coroutines have been told to end, so this wait does not end before them, and a cancellation of the caller is due at
     * its next wait; only those that were let run on are left alone when the caller is cancelled. From one of its own coroutines it does nothing.
     *
     * @param scope the scope
     */
    public static void end(CoroutineScope scope) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine("Scope.close");
        if (!scope.isPopulated() || scope.contains(self.scope())) return;
        if (scope.letsRunOn()) {
            thrownByClose(self, outcome(self, scope, true, null, null));
            return;
        }
        var wait = new ScopeWait(scope, true);
        Throwable error;
        scope.extras().waits().add(wait);
        try {
            // Not even a shutdown leaves behind what the block owns: it has been told to end as well.
            Awaiting.untilOver(wait, wait::isOver);
            error = wait.take();
        } finally {
            scope.extras().waits().remove(wait);
            wait.leave();
        }
        thrownByClose(self, error);
    }

    private static void thrownByClose(CoroutineImpl<?> self, @Nullable Throwable error) {
        if (error == null) return;
        Throwable thrown = Throwing.forAwaiter(error);
        self.thrownByClose(thrown);
        throw Throwing.sneaky(thrown);
    }

    private static void waitFor(
            CoroutineScope scope,
            String call,
            boolean forZombies,
            @Nullable Completable<?> token,
            @Nullable Consumer<Throwable> errorHandler) {
        Throwable error = outcome(Runtimes.currentCoroutine(call), scope, forZombies, token, errorHandler);
        if (error != null) throw Throwing.sneaky(Throwing.forAwaiter(error));
    }

    /** Waits to the end; what has gone wrong until then is returned. Who leaves before leaves the errors behind. */
    private static @Nullable Throwable outcome(
            CoroutineImpl<?> self,
            CoroutineScope scope,
            boolean forZombies,
            @Nullable Completable<?> token,
            @Nullable Consumer<Throwable> errorHandler) {
        var wait = new ScopeWait(scope, forZombies);
        Awaiting.hold(token);
        scope.extras().waits().add(wait);
        try {
            while (true) {
                if (errorHandler != null && wait.hasNews()) wait.handOver(errorHandler);
                else if (wait.isOver()) return wait.take();
                else Awaiting.until(self, wait, token);
            }
        } finally {
            scope.extras().waits().remove(wait);
            Awaiting.release(token);
            wait.leave();
        }
    }

    private static void requireOutside(CoroutineScope scope, String call) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        if (scope.contains(self.scope()))
            throw new AsyncException(call + " was called by coroutine " + self.label()
                    + ", which the scope owns: it would wait for itself; call it from outside the scope");
    }
}
