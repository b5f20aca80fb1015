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

/** Waits for the coroutines of a scope. */
public final class AwaitScope {
    private AwaitScope() {}

    /**
     * Waits until no coroutine is left in the scope and below, except zombies. Throws an {@link AsyncCancellation} if
     * the scope has been cancelled and not closed.
     *
     * @param scope the scope
     * @param token gives the wait up, or null
     */
    public static void completion(CoroutineScope scope, @Nullable Completable<?> token) {
        String call = "Scope.awaitCompletion";
        scope.requireHere(call);
        Awaiting.markUsed(token);
        requireOutside(scope, call);
        if (scope.isClosed()) {
            if (scope.keepsErrors()) waitFor(scope, call, false, null, null);
            return;
        }
        if (scope.isCancelled()) throw new AsyncCancellation("the scope was cancelled: " + scope);
        if (!scope.isActive()) return;
        Awaiting.requireOpen(token);
        waitFor(scope, call, false, token, null);
    }

    /**
     * Waits until no coroutine is left in a cancelled scope and below, zombies included.
     *
     * @param scope the scope
     * @param errorHandler receives the errors that nobody else takes; null to throw the first one, with the others
     *     attached
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
        if (!scope.isPopulated() && !scope.keepsErrors()) return;
        Awaiting.requireOpen(token);
        waitFor(scope, call, true, token, errorHandler);
    }

    /**
     * Waits until a scope that is being closed is empty, then throws its errors, if there are any. Its coroutines have
     * been told to end, so the wait lasts until they have; a cancellation of the caller is thrown at its next wait.
     * Only if the scope lets its coroutines run on, a cancellation of the caller ends the wait. Does nothing when
     * called from one of the scope's own coroutines.
     *
     * @param scope the scope
     */
    public static void end(CoroutineScope scope) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine("Scope.close");
        if ((!scope.isPopulated() && !scope.keepsErrors()) || scope.contains(self.scope())) return;
        var wait = new ScopeWait(scope, true);
        wait.begin();
        Throwable error;
        try {
            if (scope.letsRunOn()) while (!wait.isOver()) Awaiting.until(self, wait, null);
            // Not even a shutdown ends this wait early: it has told the block's coroutines to end as well.
            else Awaiting.untilOver(wait, wait::isOver);
            error = wait.take();
        } finally {
            wait.end();
        }
        thrownByClose(self, error);
    }

    private static void thrownByClose(CoroutineImpl<?> self, @Nullable Throwable error) {
        if (error == null) return;
        Throwable thrown = Throwing.forAwaiter(error);
        self.thrownByClose(thrown);
        throw Throwing.sneaky(thrown);
    }

    /** Waits until it is over; throws the errors until then, joined, if there are any. */
    private static void waitFor(
            CoroutineScope scope,
            String call,
            boolean forZombies,
            @Nullable Completable<?> token,
            @Nullable Consumer<Throwable> errorHandler) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        var wait = new ScopeWait(scope, forZombies);
        Awaiting.startToken(token);
        wait.begin();
        boolean over = false;
        Throwable error;
        try {
            while (!wait.isOver() || (errorHandler != null && wait.hasNewErrors())) {
                if (errorHandler != null && wait.hasNewErrors()) wait.handOver(errorHandler);
                else Awaiting.until(self, wait, token);
            }
            over = true;
            error = wait.take();
        } finally {
            Awaiting.stopToken(token);
            if (over) wait.end();
            else wait.giveUp();
        }
        if (error != null) throw Throwing.sneaky(Throwing.forAwaiter(error));
    }

    private static void requireOutside(CoroutineScope scope, String call) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        if (scope.contains(self.scope()))
            throw new AsyncException(call + " was called by coroutine " + self.label()
                    + ", which the scope owns: it would wait for itself; call it from outside the scope");
    }
}
