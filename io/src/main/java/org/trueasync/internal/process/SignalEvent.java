package org.trueasync.internal.process;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.event.EventFuture;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.io.Signal;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SourceEvent;

/**
 * The next delivery of a signal. Registered from its creation on, so that no delivery is missed; counted as an active
 * event only while it is awaited.
 */
public final class SignalEvent extends SourceEvent implements Completable<Signal> {
    private final Loop loop;
    private final Signal signal;
    private final Disposition disposition;
    private final @Nullable Event token;
    private final TokenCallback onToken = new TokenCallback();
    private @Nullable SignalWaiter waiter;
    private Handles.@Nullable Watch cleanable;
    private boolean done;
    private @Nullable Throwable error;

    private SignalEvent(Loop loop, Signal signal, @Nullable Event token) {
        super(loop.activeEvents());
        this.loop = loop;
        this.signal = signal;
        this.disposition = Disposition.of(signal);
        this.token = token;
    }

    /**
     * See {@link org.trueasync.io.Signals#next(Signal)}.
     *
     * @param signal which
     * @param token at whose end the wait is given up, or null
     */
    public static SignalEvent next(Signal signal, @Nullable Completable<?> token) {
        Objects.requireNonNull(signal, "signal");
        Runtimes.currentCoroutine("Signals.next");
        Loop loop = Runtimes.here("Signals.next");
        Awaiting.markUsed(token);
        ReservedSignals.refuse(signal);
        var event = new SignalEvent(loop, signal, token == null ? null : Awaiting.event(token));
        event.begin();
        return event;
    }

    private void begin() {
        if (token != null) {
            if (token.isClosed()) {
                token.replay(onToken);
                if (!done) onToken.onEvent(token, null, null);
                return;
            }
            token.addCallback(onToken);
        }
        try {
            SignalWaiter registration = disposition.join(loop, this);
            waiter = registration;
            Disposition from = disposition;
            cleanable = Handles.whenUnreachable(this, () -> from.leave(registration));
        } catch (Throwable e) {
            release();
            throw e;
        }
    }

    private final class TokenCallback extends EventCallback {
        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable thrown) {
            settle(
                    thrown != null
                            ? thrown
                            : new OperationCanceledException(
                                    "the wait for " + signal + " was given up: " + event.info(), null));
        }
    }

    /** Called when the signal has come. On the loop thread. */
    void happened() {
        settle(null);
    }

    private void settle(@Nullable Throwable failure) {
        if (done || isDisposed()) return;
        done = true;
        error = failure;
        close();
        release();
        notifyCallbacks(failure == null ? signal : null, failure);
    }

    @Override
    protected void release() {
        if (token != null) token.removeCallback(onToken);
        if (cleanable != null) cleanable.clean(); // which leaves
        else if (waiter != null) disposition.leave(waiter);
        cleanable = null;
        waiter = null;
    }

    @Override
    protected void armSource() {
        if (waiter != null) waiter.awaited(this);
        if (token != null) token.start(); // may end this at once
    }

    @Override
    protected void disarmSource() {
        if (waiter != null) waiter.awaited(null);
        if (token != null) token.stop();
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!done) return super.replay(callback);
        deliver(callback, error == null ? signal : null, error);
        return true;
    }

    @Override
    public boolean isCompleted() {
        return done;
    }

    @Override
    public boolean isCancelled() {
        return error instanceof AsyncCancellation;
    }

    @Override
    public void cancel() {
        cancel(new AsyncCancellation("wait for " + signal + " cancelled"));
    }

    @Override
    public void cancel(AsyncCancellation reason) {
        requireLoopThread();
        Objects.requireNonNull(reason, "reason");
        // A caller that gives up on purpose may rely on the default action from now on. Not in the loop's frame, where
        // no lock may be taken that another thread may hold: there the action comes back a little later.
        if (waiter != null && Thread.currentThread().isVirtual()) disposition.leaveAndSettle(waiter);
        settle(reason);
    }

    @Override
    public CompletableFuture<Signal> toCompletableFuture() {
        requireLoopThread();
        return EventFuture.started(this, loop.continuations());
    }

    @Override
    public String info() {
        return "signal " + signal + (done ? error == null ? ", delivered" : ", abandoned" : "");
    }
}
