package org.trueasync.internal.kernel;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Context;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.EventFuture;
import org.trueasync.internal.time.HeapTimer;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SwitchHandler;

/**
 * A coroutine: a task, the waker embedded in it, and, while it is under way, the context that it runs on. It is itself the event of its
 * own completion. Loop thread only.
 */
public final class CoroutineImpl<T> extends EmbeddedWaker implements Coroutine<T> {
    private static final int STARTED = 1;
    private static final int COMPLETED = 1 << 1;
    private static final int FAILED = 1 << 2;
    private static final int CANCELLED = 1 << 3;
    private static final int CANCEL_REQUESTED = 1 << 4;
    private static final int OBSERVED = 1 << 5;
    private static final int HIGH_PRIORITY = 1 << 6;
    /** Between ENTER and LEAVE; guards against a second LEAVE or ENTER in a row. */
    private static final int ENTERED = 1 << 7;
    /** A cancellation went out as an interrupt of JDK code. */
    private static final int INTERRUPTED = 1 << 8;
    /** That interrupt met socket I/O, which it closes: the JDK leaves the interrupt status set. */
    private static final int INTERRUPTED_IO = 1 << 9;
    /** Deadlock or shutdown: protection does not hold. */
    private static final int FORCED = 1 << 10;
    /** Nobody holds the handle: an error can't be observed later. */
    static final int FIRE_AND_FORGET = 1 << 11;
    /** The scheduler's own: not listed, not counted, not cancelled. */
    static final int INTERNAL = 1 << 12;
    /** The main coroutine. */
    static final int MAIN = 1 << 13;

    private final long id;
    private final CoroutineScope scope;
    private int flags;
    /** The task until it ends, then its value or what it threw. */
    private @Nullable Object payload;

    @Nullable ExecutionContext context;
    private @Nullable CoroutineExtras extras;
    /** Links of the scope's list. */
    @Nullable CoroutineImpl<?> previousInScope;

    @Nullable CoroutineImpl<?> nextInScope;

    CoroutineImpl(Scheduler scheduler, CoroutineScope scope, long id, Callable<T> task, int flags) {
        super(scheduler);
        this.scope = scope;
        this.id = id;
        this.payload = task;
        this.flags = flags;
    }

    private boolean is(int flag) {
        return (flags & flag) != 0;
    }

    private void set(int flag) {
        flags |= flag;
    }

    private void clear(int flag) {
        flags &= ~flag;
    }

    CoroutineExtras extras() {
        CoroutineExtras e = extras;
        if (e == null) extras = e = new CoroutineExtras();
        return e;
    }

    @Override
    public CoroutineImpl<T> coroutine() {
        return this;
    }

    CoroutineScope scope() {
        return scope;
    }

    // ---- running

    /** Runs the task and everything that belongs to its end. In the coroutine's own context; never throws. */
    @SuppressWarnings("unchecked")
    void execute() {
        set(STARTED);
        if (hasSwitchHandlers()) {
            Throwable refused = enter();
            if (refused != null) {
                end(null, refused);
                return;
            }
        }
        Object value = null;
        Throwable thrown = null;
        try {
            value = ((Callable<T>) Objects.requireNonNull(payload)).call();
        } catch (Throwable e) {
            thrown = e;
        }
        end(value, thrown);
    }

    /** Ends a coroutine that never ran: it was cancelled first. */
    void finaliseUnstarted() {
        end(null, extras().pending != null ? extras().pending : new AsyncCancellation());
    }

    /** Ends a coroutine that could not be given a stack. */
    void failUnstarted(Throwable error) {
        end(null, error);
    }

    private void end(@Nullable Object value, @Nullable Throwable thrown) {
        reset();
        if (is(STARTED) && hasSwitchHandlers()) {
            Throwable fromHandlers = runSwitchHandlers(false, true);
            clear(ENTERED);
            if (fromHandlers != null) {
                if (thrown == null) thrown = fromHandlers;
                else thrown.addSuppressed(fromHandlers);
            }
        }
        Throwable outcome = outcome(thrown);
        boolean severe = outcome instanceof VirtualMachineError;
        payload = outcome != null ? outcome : value;
        set(COMPLETED | (outcome != null ? FAILED : 0) | (outcome instanceof AsyncCancellation ? CANCELLED : 0));
        clearWaker();
        context = null;
        try {
            notifyCallbacks(outcome == null ? value : null, outcome == null ? null : Throwing.forAwaiter(outcome));
        } catch (Throwable e) {
            scheduler.errors.unhandled(e);
        }
        close();
        CoroutineExtras e = extras;
        if (e != null) {
            e.switchHandlers = null;
            e.delay = null;
            e.pending = null;
            List<Consumer<?>> handlers = e.finallyHandlers;
            e.finallyHandlers = null;
            // After a stack overflow or exhausted memory user handlers are not trusted to run; waiters have been told above.
            if (handlers != null && !severe) FinallyHandlers.schedule(scheduler, this, handlers);
        }
        if (outcome != null && !(outcome instanceof AsyncCancellation) && !is(OBSERVED)) scheduler.errors.failed(this, outcome);
        scope.left(this);
        scheduler.ended(this);
    }

    /** What the coroutine ends with, given what its body threw and whether it was asked to stop. */
    private @Nullable Throwable outcome(@Nullable Throwable thrown) {
        CoroutineExtras e = extras;
        AsyncCancellation first = e == null ? null : e.cancellation;
        if (e == null || first == null) return thrown;
        boolean undelivered = e.pending != null;
        if (thrown == null) return undelivered && !wasInterruptConsumed() ? first : null;
        if (thrown instanceof AsyncCancellation) return thrown == first ? thrown : first;
        if (is(INTERRUPTED) && isInterruptEffect(thrown)) {
            first.addSuppressed(thrown);
            return first;
        }
        return withCause(thrown, first);
    }

    private boolean wasInterruptConsumed() {
        return is(INTERRUPTED) && (is(INTERRUPTED_IO) || !Thread.currentThread().isInterrupted());
    }

    private static boolean isInterruptEffect(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof InterruptedException || t instanceof IOException) return true;
        }
        return false;
    }

    private static Throwable withCause(Throwable thrown, Throwable cause) {
        for (Throwable t = thrown; t != null; t = t.getCause()) if (t == cause) return thrown;
        try {
            if (thrown.getCause() == null) return thrown.initCause(cause);
        } catch (IllegalStateException fixed) {
            // its cause was set to null for good
        }
        thrown.addSuppressed(cause);
        return thrown;
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!is(COMPLETED)) return false;
        markObserved();
        if (is(FAILED)) deliver(callback, null, Throwing.forAwaiter((Throwable) Objects.requireNonNull(payload)));
        else deliver(callback, payload, null);
        return true;
    }

    /** The value of a completed coroutine, or its error thrown; the await that costs no switch. */
    @SuppressWarnings({"unchecked", "NullAway"}) // a task may return null; T says whether it does
    public T join() {
        if (!is(FAILED)) return (T) payload;
        markObserved();
        throw Throwing.sneaky(Throwing.forAwaiter((Throwable) Objects.requireNonNull(payload)));
    }

    /** Whoever asks for the error, or will be told of it, is responsible for it from now on. */
    public void markObserved() {
        if (is(OBSERVED)) return;
        set(OBSERVED);
        if (extras != null && extras.failure != null) extras.failure.observed = true;
    }

    boolean isObserved() {
        return is(OBSERVED);
    }

    boolean isFireAndForget() {
        return is(FIRE_AND_FORGET);
    }

    boolean isMain() {
        return is(MAIN);
    }

    boolean isInternal() {
        return is(INTERNAL);
    }

    // ---- cancellation

    @Override
    public void cancel() {
        cancel(new AsyncCancellation());
    }

    @Override
    public void cancel(AsyncCancellation reason) {
        scheduler.requireLoopThread("Coroutine.cancel");
        Objects.requireNonNull(reason, "reason");
        if (is(COMPLETED | INTERNAL)) return;
        CoroutineExtras e = extras();
        if (e.pending != null) return;
        e.pending = reason;
        if (e.cancellation == null) e.cancellation = reason;
        set(CANCEL_REQUESTED);
        if (e.protections == 0) deliverCancellation(false);
    }

    /** The cancellation of deadlock and shutdown: neither protection nor an earlier one that was caught holds it up. */
    void forceCancel(AsyncCancellation reason) {
        if (is(COMPLETED | INTERNAL)) return;
        CoroutineExtras e = extras();
        if (e.pending == null) e.pending = reason;
        if (e.cancellation == null) e.cancellation = reason;
        set(CANCEL_REQUESTED | FORCED);
        deliverCancellation(true);
    }

    private void deliverCancellation(boolean forced) {
        AsyncCancellation reason = Objects.requireNonNull(extras().pending);
        if (!is(STARTED)) {
            status = IGNORED;
            scheduler.neverStart(this);
        } else if (scheduler.current == this) {
            // delivered at its next suspension
        } else if (context != null && context.state != ExecutionContext.HELD) {
            interrupt();
        } else if (forced) {
            overrideOutcome(reason);
        } else if (status == QUEUED || status == WAITING) {
            cancelWait(reason);
        }
    }

    private void cancelWait(AsyncCancellation reason) {
        boolean alreadyFails = status == QUEUED && hasError();
        if (alreadyFails) extras().pending = null; // the error that woke it goes first, and this cancellation with it
        else overrideOutcome(reason);
    }

    /** Blocked in JDK code: only an interrupt reaches it. */
    private void interrupt() {
        ExecutionContext blocked = Objects.requireNonNull(context);
        set(INTERRUPTED);
        if (ForeignWait.isSocketIo(blocked.thread.getStackTrace())) set(INTERRUPTED_IO);
        blocked.thread.interrupt();
    }

    /** Throws a cancellation that is due; called where the coroutine is about to suspend, and where a protected section ends. */
    void throwPendingCancellation() {
        CoroutineExtras e = extras;
        if (e == null || e.pending == null || (e.protections > 0 && !is(FORCED))) return;
        AsyncCancellation reason = e.pending;
        if (is(INTERRUPTED)) {
            boolean unnoticed = Thread.interrupted() && !is(INTERRUPTED_IO);
            clear(INTERRUPTED | INTERRUPTED_IO);
            if (!unnoticed) {
                e.pending = null;
                return;
            }
        }
        e.pending = null;
        throw reason;
    }

    void cancellationDelivered(Throwable thrown) {
        if (extras != null && extras.pending == thrown) extras.pending = null;
    }

    /**
     * Runs a section in which no cancellation is thrown. One that came meanwhile is due at the first suspension after the outermost section, so
     * that the section's value is not lost; only if the section failed it is thrown in place of the error, which it carries.
     */
    @SuppressWarnings("NullAway") // a section may return null; V says whether it does
    public <V> V protect(Callable<V> section) {
        CoroutineExtras e = extras();
        e.protections++;
        V value = null;
        Throwable thrown = null;
        try {
            value = section.call();
        } catch (Throwable t) {
            thrown = t;
        }
        e.protections--;
        if (thrown == null) return value;
        AsyncCancellation deferred = e.pending;
        if (e.protections > 0 || deferred == null || deferred == thrown) throw Throwing.sneaky(Throwing.forAwaiter(thrown));
        e.pending = null;
        deferred.addSuppressed(thrown);
        throw deferred;
    }

    // ---- switch handlers

    boolean hasSwitchHandlers() {
        return extras != null && extras.switchHandlers != null && !extras.switchHandlers.isEmpty();
    }

    /** Adds a handler of its switches. */
    public void addSwitchHandler(SwitchHandler handler) {
        if (is(COMPLETED)) throw new AsyncException("coroutine #" + id + " has completed; a switch handler would never be called");
        CoroutineExtras e = extras();
        if (e.switchHandlers == null) e.switchHandlers = new SwitchHandlerList();
        e.switchHandlers.add(handler);
        if (scheduler.current == this) set(ENTERED);
    }

    /** ENTER; returns what the handlers threw. */
    @Nullable Throwable enter() {
        if (is(ENTERED)) return null;
        set(ENTERED);
        return runSwitchHandlers(true, false);
    }

    /** LEAVE; returns what the handlers threw. */
    @Nullable Throwable leave() {
        if (!is(ENTERED)) return null;
        clear(ENTERED);
        return runSwitchHandlers(false, false);
    }

    private @Nullable Throwable runSwitchHandlers(boolean entering, boolean finishing) {
        SwitchHandlerList handlers = Objects.requireNonNull(extras().switchHandlers);
        scheduler.handlersRunning = true;
        try {
            return handlers.run(this, entering, finishing);
        } finally {
            scheduler.handlersRunning = false;
        }
    }

    boolean isEntered() {
        return is(ENTERED);
    }

    // ---- what users ask

    @Override
    public long id() {
        return id;
    }

    @Override
    public Coroutine<T> asHighPriority() {
        scheduler.requireLoopThread("Coroutine.asHighPriority");
        if (!is(HIGH_PRIORITY)) {
            set(HIGH_PRIORITY);
            scheduler.moveToHead(this);
        }
        return this;
    }

    boolean isHighPriority() {
        return is(HIGH_PRIORITY);
    }

    @Override
    public Context context() {
        CoroutineExtras e = extras();
        if (e.context == null) e.context = new Context(scope.context());
        return e.context;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable T result() {
        return is(COMPLETED) && !is(FAILED) ? (T) payload : null;
    }

    @Override
    public @Nullable Throwable exception() {
        if (!is(FAILED)) return null;
        markObserved();
        return (Throwable) payload;
    }

    @Override
    public boolean isStarted() {
        return is(STARTED);
    }

    @Override
    public boolean isQueued() {
        if (is(COMPLETED)) return false;
        if (!is(STARTED)) return true;
        return status == QUEUED || (context != null && context.state == ExecutionContext.READY);
    }

    @Override
    public boolean isRunning() {
        return scheduler.current == this && !is(COMPLETED);
    }

    @Override
    public boolean isSuspended() {
        return is(STARTED) && !is(COMPLETED) && scheduler.current != this;
    }

    @Override
    public boolean isCompleted() {
        return is(COMPLETED);
    }

    @Override
    public boolean isCancelled() {
        return is(CANCELLED);
    }

    @Override
    public boolean isCancellationRequested() {
        return is(CANCEL_REQUESTED);
    }

    @Override
    public String spawnLocation() {
        String site = extras == null ? null : extras.spawnLocation;
        return site == null ? CodeSites.UNKNOWN : site;
    }

    @Override
    public String suspendLocation() {
        return CodeSites.innermost(trace());
    }

    @Override
    public List<String> awaitingInfo() {
        if (is(COMPLETED)) return List.of();
        List<String> events = awaitedEvents();
        if (!events.isEmpty() || !isSuspended() || context == null) return events;
        return context.state == ExecutionContext.BLOCKED ? List.of(ForeignWait.describe(context.thread)) : List.of();
    }

    @Override
    public StackTraceElement @Nullable [] trace() {
        ExecutionContext c = context;
        if (c == null || !isSuspended()) return null;
        return c.trace();
    }

    @Override
    public void onFinally(Consumer<Coroutine<T>> callback) {
        scheduler.requireLoopThread("Coroutine.onFinally");
        Objects.requireNonNull(callback, "callback");
        if (is(COMPLETED)) callback.accept(this);
        else extras().addFinally(callback);
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        scheduler.requireLoopThread("Coroutine.toCompletableFuture");
        markObserved();
        return EventFuture.of(this);
    }

    @Override
    public String info() {
        String spawned = spawnLocation();
        return "coroutine #" + id + (spawned.equals(CodeSites.UNKNOWN) ? "" : " spawned " + spawned) + (is(COMPLETED) ? ", completed" : "");
    }

    @Override
    public String toString() {
        return info();
    }

    /** Lets the others run. */
    public void yieldNow() {
        yieldToQueue();
    }

    /** Waits at least this long, on a timer that is reused from one call to the next. */
    public void delay(long nanos) {
        if (nanos == 0) {
            yieldToQueue();
            return;
        }
        CoroutineExtras e = extras();
        HeapTimer timer = e.delay;
        if (timer == null) e.delay = timer = scheduler.timers.delay();
        newWait();
        timer.setDelay(nanos);
        resumeWhen(timer, ResumeCallback.RESOLVE);
        await();
    }

    /** The context of the scope that owns it. */
    public Context scopeContext() {
        return scope.context();
    }

    // Event: a coroutine needs no arming; it goes on whether or not anyone waits.

    @Override
    public void start() {}

    @Override
    public void stop() {}
}
