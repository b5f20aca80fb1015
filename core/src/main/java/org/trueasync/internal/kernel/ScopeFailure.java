package org.trueasync.internal.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.failure.FailureReason;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.task.CoroutineKind;

/**
 * An error that is not awaited, on its way from the scope of the failed coroutine upwards. At each scope: a handler
 * takes the error; without a handler the scope is cancelled, unless it is the main scope, and the waits for the scope
 * get the error; without a wait the scope above is asked. An error that nothing takes ends the run.
 *
 * <p>An object of this class is an error that the waits for a scope hold. It is enough that one of them takes it. If
 * all of them leave it, and no later wait takes it, it goes on from the scope as if they had not been there.
 */
public final class ScopeFailure {
    private final CoroutineScope scope;
    private final CoroutineImpl<?> coroutine;
    private final Throwable error;
    private int holders;
    private boolean taken;

    ScopeFailure(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) {
        this.scope = scope;
        this.coroutine = coroutine;
        this.error = error;
    }

    /** What the coroutine threw. */
    public Throwable error() {
        return error;
    }

    /** The same failure with another error, for one holder. */
    public ScopeFailure with(Throwable other) {
        var changed = new ScopeFailure(scope, coroutine, other);
        changed.held();
        return changed;
    }

    /** Counts one more holder. */
    public void held() {
        holders++;
    }

    /** Notes that a holder throws or reports the error. */
    public void take() {
        taken = true;
    }

    boolean isTaken() {
        return taken;
    }

    /** Counts one holder less, which has not taken the error. In a coroutine. */
    public void leave() {
        if (--holders == 0 && !taken) offerOrEnd(scope, coroutine, error);
    }

    /** Reports soon that the error is still with waits that have been given up, unless it is taken before. */
    void reportSoon() {
        scope.loop.errors.notices.add(() -> !taken && holders > 0, () -> FailureText.left(coroutine, error));
    }

    // ---- the way upwards

    /** Handles the error of a coroutine that is not awaited. */
    static void failed(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) {
        Loop loop = scope.loop;
        boolean heldBack = scope == loop.mainScope && !takes(scope, error);
        // There it is kept if code may still ask the coroutine's handle for it.
        if (heldBack || coroutine.isMain() || coroutine.isInternal()) loop.errors.failed(coroutine, error);
        else offer(scope, coroutine, error);
    }

    /** Handles an error that the cancellation of an ended coroutine carries, where no code looks for it. */
    static void hiddenInACancellation(CoroutineImpl<?> coroutine, Throwable error) {
        Loop loop = coroutine.loop();
        if (!loop.isShuttingDown() && (coroutine.isMain() || coroutine.isInternal()))
            loop.errors.failed(coroutine, error);
        else offerOrEnd(coroutine.scope(), coroutine, error);
    }

    private static void offerOrEnd(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) {
        if (scope.loop.isShuttingDown()) scope.loop.errors.atEnd(coroutine, error);
        else offer(scope, coroutine, error);
    }

    /** Offers an error to a scope and those above. */
    static void offer(CoroutineScope scope, CoroutineImpl<?> failed, Throwable error) {
        offer(scope, failed, error, false);
    }

    private static boolean takes(CoroutineScope scope, Throwable error) {
        ScopeExtras extras = scope.extrasOrNull();
        return extras != null && (handler(scope, error, false) != null || extras.waits.hasAny());
    }

    /**
     * The handler for an error, or null. After exhausted memory or a stack overflow user code is not trusted to run.
     */
    private static ScopeExtras.@Nullable ErrorHandler handler(
            CoroutineScope scope, Throwable error, boolean fromChild) {
        ScopeExtras extras = scope.extrasOrNull();
        if (extras == null) return null;
        ScopeExtras.ErrorHandler handler =
                fromChild && extras.childErrorHandler != null ? extras.childErrorHandler : extras.errorHandler;
        return error instanceof VirtualMachineError && handler != ScopeExtras.ErrorHandler.REPORT ? null : handler;
    }

    /** By a loop, as trees may be deep. */
    private static void offer(CoroutineScope scope, CoroutineImpl<?> failed, Throwable error, boolean fromChild) {
        FaultPoint.pass();
        CoroutineScope at = scope;
        ScopeExtras.ErrorHandler handler = handler(at, error, fromChild);
        while (handler == null) {
            if (failTogether(at, failed, error)) return;
            at = at.parent;
            if (at == null) {
                scope.loop.errors.unhandled(failed, error);
                return;
            }
            handler = handler(at, error, true);
        }
        call(handler, at, failed, error);
    }

    /**
     * Calls a handler in a scope below, so that a wait for the scope includes its handlers. That scope is hidden, so
     * that handlers go on when the scope is cancelled.
     */
    private static void call(
            ScopeExtras.ErrorHandler handler, CoroutineScope scope, CoroutineImpl<?> failed, Throwable error) {
        scope.loop.spawner.spawnFirst(scope.hiddenChild("error handler"), CoroutineKind.FOLLOW_UP, () -> {
            try {
                handler.onError(scope, failed, error);
            } catch (AsyncCancellation e) {
                // A shutdown has ended the handler. The error is kept for the end of the run; as an unhandled one it
                // would cut all clean-up short.
                if (scope.loop.isShuttingDown()) scope.loop.errors.atEnd(error);
                else untaken(scope, failed, Causes.joined(error, e));
            } catch (Throwable e) {
                untaken(scope, failed, Causes.joined(error, e));
            }
            return null;
        });
    }

    private static void untaken(CoroutineScope scope, CoroutineImpl<?> failed, Throwable error) {
        if (failTogether(scope, failed, error)) return;
        if (scope.parent != null) offer(scope.parent, failed, error, true);
        else scope.loop.errors.unhandled(failed, error);
    }

    /** Cancels the scope, as no handler has taken the error. True if waits for the scope get the error. */
    private static boolean failTogether(CoroutineScope scope, CoroutineImpl<?> failed, Throwable error) {
        Loop loop = scope.loop;
        if (scope != loop.mainScope && !scope.isCancelled()) {
            var reason = new FailureReason("coroutine " + failed.label() + " of the same scope failed", error, false);
            List<CoroutineScope> ending = scope.markCancelled(reason);
            // An interrupt may meet a lock, and this may be the tick.
            loop.inService(() -> CoroutineScope.deliver(ending, reason, false));
        }
        ScopeExtras extras = scope.extrasOrNull();
        return extras != null && extras.waits.failed(scope, failed, error);
    }
}
