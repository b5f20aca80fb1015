package org.trueasync.internal.cores;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.SpawnTrace;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * A task on its way to another core and back: a message there, a coroutine there, a message back. It is also the future
 * of the task's outcome, for the caller.
 *
 * <p>The future does not count as fed from outside: a core that can only wait for others may be part of a deadlock,
 * which {@link Quiescence} detects.
 */
final class CoreCall<T> extends FutureCore<T> {
    private final CoreMember caller;
    private final CoreMember target;
    private final Callable<T> task;

    /** Set on the caller's loop; read there and on the target's. */
    private volatile @Nullable AsyncCancellation cancellation;

    // On the target's loop, until it is sent back.
    private @Nullable Coroutine<?> coroutine;
    private boolean sentBack;
    private @Nullable T value;
    private @Nullable Throwable error;

    CoreCall(CoreMember caller, CoreMember target, Callable<T> task) {
        super(caller.loop);
        this.caller = caller;
        this.target = target;
        this.task = Inheritance.withContext(task);
    }

    /** Sends it. On the caller's loop. */
    void send() {
        markUsed(); // the value need not be awaited
        caller.sends();
        target.bring(this::arrives, this::targetEnded);
    }

    // ---- on the target's loop

    private void arrives() {
        AsyncCancellation early = cancellation;
        if (early != null) {
            error = early;
        } else if (target.refuses()) {
            error = hasEnded();
        } else {
            Event event = target.scope.launchFrom(createdLocation(), Tasks.task((Body) this::perform));
            event.addCallback(new End());
            coroutine = (Coroutine<?>) event;
            return;
        }
        sendBack();
    }

    private void perform() {
        try {
            value = task.call();
        } catch (Throwable e) {
            error = e;
            if (!(e instanceof AsyncCancellation)) origin().attachTo(e);
        }
    }

    /** The stack of the error begins here, and does not show the caller. */
    private SpawnTrace origin() {
        long id = Objects.requireNonNull(coroutine).id();
        return new SpawnTrace("#" + id + " on core " + target.index, createdLocation());
    }

    /** Called at the coroutine's end, also if it was cancelled before it began. */
    private final class End extends EventCallback {
        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable thrown) {
            coroutine = null;
            if (error == null) error = thrown;
            sendBack();
        }
    }

    private void sendBack() {
        sentBack = true;
        target.sends();
        caller.post(this::returns, this::callerEnded);
    }

    private void cancelThere() {
        Coroutine<?> running = coroutine;
        AsyncCancellation reason = cancellation;
        if (sentBack || running == null || reason == null) return;
        target.loop.inService(() -> running.cancel(reason));
    }

    // ---- the target's or the caller's loop has ended; on a thread of the JDK's

    private void targetEnded() {
        error = hasEnded();
        target.run().quiescence().answersForOther();
        caller.post(this::returns, this::callerEnded);
    }

    private void callerEnded() {
        caller.run().quiescence().lost();
        report(error);
    }

    private CoreHasEnded hasEnded() {
        return new CoreHasEnded(target.index);
    }

    // ---- back on the caller's loop

    private void returns() {
        Throwable thrown = error;
        if (thrown instanceof CoreHasEnded) markCaught();
        if (thrown == null) tryComplete(value);
        else if (!tryFail(thrown)) caller.loop.inService(() -> report(thrown));
    }

    private void report(@Nullable Throwable dropped) {
        if (dropped == null || dropped instanceof AsyncCancellation || dropped instanceof CoreHasEnded) return;
        caller.loop
                .settings()
                .diagnostics()
                .accept("A call to core " + target.index + " has failed, and nobody waits for it any more\n"
                        + Causes.trace(dropped));
    }

    @Override
    protected void cancelled(AsyncCancellation reason) {
        cancellation = Objects.requireNonNull(reason);
        caller.sends();
        target.post(this::cancelThere, () -> target.run().quiescence().lost());
    }

    @Override
    public String info() {
        return isCompleted() ? super.info() : "call to core " + target.index + ", pending";
    }
}
