package org.trueasync.internal.kernel;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.Context;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.event.EventFuture;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.Holder;
import org.trueasync.internal.event.TokenWait;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.failure.AwaitedTrace;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.foreign.Interruption;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.recorder.Account;
import org.trueasync.internal.recorder.CoroutineEvents;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.time.SectionLimit;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SwitchHandler;

/**
 * A coroutine: a task, the waker embedded in it, and, from its first turn to its end, the context that it runs on. It
 * is itself the event of its own completion. Loop thread, where nothing else is said.
 */
public final class CoroutineImpl<T> extends WaitState implements Coroutine<T>, WaitForNode, HeldByWakers {
    private final long id;
    private final CoroutineScope scope;
    /** The task, see {@link Tasks#run}; once that has run, the coroutine's value or error. */
    private @Nullable Object payload;

    @Nullable
    ExecutionContext context;

    private @Nullable CoroutineExtras extras;
    /** Links of the scope's list. */
    @Nullable
    CoroutineImpl<?> previousInScope;

    @Nullable
    CoroutineImpl<?> nextInScope;

    CoroutineImpl(CoroutineScope scope, long id, Object task, CoroutineKind kind) {
        super(kind);
        this.scope = scope;
        this.id = id;
        this.payload = task;
    }

    CoroutineExtras extras() {
        CoroutineExtras e = extras;
        if (e == null) extras = e = new CoroutineExtras();
        return e;
    }

    Account account() {
        return Objects.requireNonNull(extras().account);
    }

    /** Keeps an account of it from now on, in place of the one so far. Loop thread. */
    public void account(Account account) {
        extras().account = account;
        set(ACCOUNTED);
    }

    /** Ends an account, unless another one has taken its place. Loop thread. */
    public void endAccount(Account account) {
        if (extras().account != account) return;
        extras().account = null;
        clear(ACCOUNTED);
    }

    /** Itself, for what it holds. */
    Holder asHolder() {
        CoroutineExtras e = extras();
        if (e.holder == null) e.holder = new Holder(this);
        return e.holder;
    }

    /** Sets whether what it holds knows it; see {@link Holder}. */
    void knownByWhatItHolds(boolean known) {
        if (extras != null && extras.holder != null) extras.holder.coroutine = known ? this : null;
    }

    @Override
    CoroutineImpl<T> coroutine() {
        return this;
    }

    /** The coroutine behind a handle. */
    static CoroutineImpl<?> of(Coroutine<?> handle) {
        return (CoroutineImpl<?>) Objects.requireNonNull(handle, "coroutine");
    }

    /** The loop that it belongs to. */
    @Override
    public Loop loop() {
        return scope.loop;
    }

    /** The scope that owns it. */
    public CoroutineScope scope() {
        return scope;
    }

    // ---- running

    /**
     * Runs the task and then the exit actions, and keeps the outcome in the payload for {@link #end()}. In the
     * coroutine's own context. What the task or an action throws is part of the outcome. This frame is on every
     * suspended stack.
     */
    void execute() {
        try {
            Object given = begin();
            payload = given == null ? Tasks.run(Objects.requireNonNull(payload)) : runWith(given);
        } catch (Throwable e) {
            payload = e;
            set(FAILED);
        }
        if (extras != null && extras.exitActions != null) exit(extras.exitActions);
    }

    private @Nullable Object runWith(Object given) {
        Object task = Objects.requireNonNull(payload);
        return Inheritance.call(given, () -> {
            try {
                return Tasks.run(task);
            } catch (Throwable e) {
                throw Throwing.sneaky(e);
            }
        });
    }

    /**
     * The task that it runs; its outcome while exit actions and the last switch handlers run; null once it has
     * completed.
     */
    public @Nullable Object task() {
        return is(COMPLETED) ? null : payload;
    }

    private void exit(ExitActionList actions) {
        Throwable earlier = is(FAILED) ? (Throwable) payload : null;
        Throwable thrown = actions.run(action -> shield(Executors.callable(action)), earlier);
        if (thrown == earlier) return;
        payload = thrown;
        set(FAILED);
    }

    /** See {@link org.trueasync.spi.ExitActions#add}. */
    void addExitAction(Runnable action) {
        CoroutineExtras e = extras();
        if (e.exited || is(COMPLETED))
            throw new AsyncException("coroutine " + label() + " ends already; an exit action would never be run");
        if (e.exitActions == null) e.exitActions = new ExitActionList();
        e.exitActions.add(action);
    }

    /** Returns what its inheritance wants it to run with, or null. */
    private @Nullable Object begin() {
        if (isCancelledUnstarted()) throw cancellation().reason();
        set(STARTED);
        if (!isInternal()) loop().counters.begun++;
        if (kind().respectsShutdown && loop().shutdown.reason() != null)
            cancellation().cancelFirstWait(loop().shutdown.reason());
        if (extras == null) return null;
        // VirtualThreads.wipe resets it, with all other state of the thread.
        if (extras.name != null) Thread.currentThread().setName(extras.name);
        Object given = extras.inheritance == null ? null : inherit(extras);
        SwitchHandlerList handlers = extras.switchHandlers;
        Throwable refused = handlers == null ? null : handlers.enter(this);
        if (refused != null) throw Throwing.sneaky(refused);
        return given;
    }

    private static @Nullable Object inherit(CoroutineExtras extras) {
        Inheritance given = Objects.requireNonNull(extras.inheritance);
        extras.inheritance = null;
        return given.give();
    }

    /** Sets what it inherits when it begins, in place of what its spawner's thread hands down now. */
    public void inherits(@Nullable Inheritance inheritance) {
        if (inheritance != null || extras != null) extras().inheritance = inheritance;
    }

    /** Ends a coroutine that {@link #execute} has run. In the coroutine's own context. */
    void end() {
        if (is(FAILED)) end(null, (Throwable) payload);
        else end(payload, null);
    }

    /** Ends a coroutine that never ran: it was cancelled first. */
    void finaliseUnstarted() {
        end(null, cancellation().reason());
    }

    /** Ends a coroutine that could not be given a stack. */
    void failUnstarted(Throwable error) {
        end(null, error);
    }

    /**
     * Never throws. If one step fails the others are done all the same: the scope and the runtime rely on being told.
     */
    private void end(@Nullable Object value, @Nullable Throwable thrown) {
        Throwable error = thrown;
        Throwable outcome = thrown;
        try {
            reset();
            if (!is(STARTED)) loop().counters.begun++;
            error = withHandlersErrors(thrown);
            refuseWaits(); // methods of the error, which may be the program's code, are called below
            AsyncCancellation byRun = loop().shutdown.lineage.cancellation(error, loop().isShuttingDown());
            if (byRun != null) outcome = byRun;
            else outcome = extras == null || extras.cancellation == null ? error : extras.cancellation.outcome(error);
            if (outcome instanceof AsyncCancellation cancelled) ErrorCustody.reportCarried(this, cancelled);
        } catch (Throwable e) {
            if (outcome == null) outcome = e;
            else loop().errors.atEnd(e);
        }
        payload = outcome != null ? outcome : value;
        set(COMPLETED | (outcome != null ? FAILED : 0) | (outcome instanceof AsyncCancellation ? CANCELLED : 0));
        try {
            notifyOfEnd(value, error, outcome);
        } finally {
            // also if a step fails, or the report of that: nothing may wait for this coroutine for ever
            context = null;
            leaveRun();
        }
    }

    private void notifyOfEnd(@Nullable Object value, @Nullable Throwable error, @Nullable Throwable outcome) {
        try {
            if (CoroutineEvents.end()) CoroutineRecords.ended(this, outcome);
            if (outcome != null && loop().ring != null) Turns.endedBadly(this, loop().ring);
            FaultPoint.pass();
            forgetWaits();
            notifyCallbacks(outcome == null ? value : null, outcome == null ? null : Throwing.forAwaiter(outcome));
        } catch (Throwable e) {
            loop().errors.unhandled(e);
        }
        context = null;
        try {
            close();
            followUp(error, outcome);
        } catch (Throwable e) {
            if (outcome != null && !(outcome instanceof AsyncCancellation))
                loop().errors.unhandled(outcome);
            loop().errors.unhandled(e);
        }
    }

    private void leaveRun() {
        try {
            scope.left(this);
        } catch (Throwable e) {
            loop().errors.unhandled(e);
        } finally {
            loop().ended(this);
        }
    }

    /**
     * Calls the switch handlers for the last time. Returns what the body has thrown, joined with what the handlers
     * throw now or have thrown before.
     */
    private @Nullable Throwable withHandlersErrors(@Nullable Throwable thrown) {
        Throwable all = thrown;
        SwitchHandlerList handlers = switchHandlers();
        if (is(STARTED) && handlers != null && !handlers.isEmpty()) {
            extras().exited = true;
            Throwable fromHandlers = handlers.finish(this);
            if (fromHandlers != null) all = Causes.joined(all, fromHandlers);
        }
        Throwable late = takeHandlerError();
        return late == null ? all : Causes.joined(all, late);
    }

    /** Starts what follows its end: the finally handlers, and the handling of an error that is not awaited. */
    private void followUp(@Nullable Throwable error, @Nullable Throwable outcome) {
        FaultPoint.pass();
        CoroutineExtras e = extras;
        if (e != null) {
            e.switchHandlers = null;
            List<Consumer<?>> handlers = e.finallyHandlers;
            e.finallyHandlers = null;
            // After a stack overflow or exhausted memory user handlers are not trusted to run; waiters have been told
            // by then.
            if (handlers != null && !(outcome instanceof VirtualMachineError))
                FinallyHandlers.ofCoroutine(this, handlers);
        }
        if (outcome instanceof AsyncCancellation && error != null && e != null && e.closeErrors != null)
            for (Throwable hidden : e.closeErrors)
                if (Causes.carries(error, hidden)) ScopeFailure.hiddenInACancellation(this, hidden);
        if (e != null && e.givenUp != null) {
            Set<ScopeListeners.GivenUp> waits = e.givenUp;
            e.givenUp = null;
            waits.forEach(ScopeListeners.GivenUp::handOn);
        }
        if (outcome != null && (isLaunched() || !(is(OBSERVED) || isHeld()))) ErrorCustody.unobserved(this, outcome);
    }

    private boolean isHeld() {
        return extras != null && extras.custody != null && extras.custody.isHeld();
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!is(COMPLETED)) return false;
        if (is(FAILED)) deliver(callback, null, Throwing.forAwaiter((Throwable) Objects.requireNonNull(payload)));
        else deliver(callback, payload, null);
        return true;
    }

    /**
     * Waits for the end of this coroutine. The {@code await} of a waker is {@link #awaitEvents}, in the coroutine that
     * waits.
     */
    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a task may return null; T says whether it does
    public T await() {
        loop().requireLoopThread("Coroutine.await");
        try {
            if (is(COMPLETED)) return join();
            CoroutineImpl<?> self = Runtimes.currentCoroutine("Coroutine.await");
            self.newWait();
            self.resumeWhen(this, ResumeCallback.RESOLVE);
            return (T) self.awaitEvents();
        } catch (Throwable e) {
            throw Throwing.sneaky(AwaitedTrace.of(e, Runtimes::labelHere));
        }
    }

    @Override
    public T await(Completable<?> cancellation) {
        return TokenWait.installed().await(this, cancellation);
    }

    @Override
    public T await(Duration limit) {
        return TokenWait.installed().await(this, limit);
    }

    /** Returns the value of a completed coroutine, or throws its error. Costs no switch. */
    @SuppressWarnings({"unchecked", "NullAway"}) // a task may return null; T says whether it does
    public T join() {
        if (!is(FAILED)) return (T) payload;
        markObserved();
        throw Throwing.sneaky(Throwing.forAwaiter((Throwable) Objects.requireNonNull(payload)));
    }

    // ---- responsibility for its error

    ErrorCustody custody() {
        CoroutineExtras e = extras();
        if (e.custody == null) e.custody = new ErrorCustody(this);
        return e.custody;
    }

    /**
     * Marks the error as observed: the code that asks for it, or will be told of it, is responsible for it from now on.
     */
    public void markObserved() {
        if (is(OBSERVED)) return;
        set(OBSERVED);
        if (extras != null && extras.custody != null) extras.custody.observed();
    }

    /** See {@link ErrorCustody#markNotNeeded}. */
    public void markNotNeeded() {
        if (!is(OBSERVED)) custody().markNotNeeded();
    }

    /** Undoes {@link #markNotNeeded}: that wait was given up, so the coroutine counts as never awaited. */
    public void undoNotNeeded() {
        if (extras != null && extras.custody != null) extras.custody.undoNotNeeded();
    }

    /**
     * Lets a wait for several coroutines hold the error while it goes on. The error is not observed by that.
     *
     * @return false if the error was observed or handed to the scope before; else {@link #markObserved} or
     *     {@link #releaseError} must follow
     */
    public boolean holdError() {
        return custody().hold();
    }

    /** Ends {@link #holdError}: the wait for several was given up while it held the error. */
    public void releaseError() {
        if (custody().release() && !is(OBSERVED) && !isLaunched())
            ErrorCustody.unobserved(this, (Throwable) Objects.requireNonNull(payload));
    }

    // ---- cancellation

    @Override
    public void cancel() {
        cancel(new AsyncCancellation());
    }

    @Override
    @SuppressWarnings("AnnotateFormatMethod") // the annotation is another library's
    public void cancel(String reason, @Nullable Object... values) {
        Objects.requireNonNull(reason, "reason");
        cancel(new AsyncCancellation(values.length == 0 ? reason : reason.formatted(values)));
    }

    @Override
    public void cancel(AsyncCancellation reason) {
        loop().requireLoopThread("Coroutine.cancel");
        Objects.requireNonNull(reason, "reason");
        if (!is(COMPLETED) && !isInternal()) cancellation().request(reason);
    }

    /** See {@link Cancellation#force}. */
    void forceCancel(AsyncCancellation reason) {
        if (!is(COMPLETED) && !isInternal()) cancellation().force(reason);
    }

    /**
     * Lets it run on although its scope ends. It stays a member of the scope, but a wait for the scope's completion no
     * longer waits for it.
     */
    void becomeZombie() {
        if (is(ZOMBIE)) return;
        set(ZOMBIE);
        scope.lostActive();
    }

    /**
     * Null if it has needed none so far: for a request, an interrupt, a protected section, a time limit or a library
     * call.
     */
    @Nullable
    Cancellation cancellationOrNull() {
        return extras == null ? null : extras.cancellation;
    }

    Cancellation cancellation() {
        CoroutineExtras e = extras();
        if (e.cancellation == null) e.cancellation = new Cancellation(this);
        return e.cancellation;
    }

    /**
     * Notes an error that the closing of a scope throws in it. If a cancellation is being thrown already,
     * try-with-resources adds the error to that as suppressed, where no code looks for it.
     *
     * @param error about to be thrown
     */
    public void thrownByClose(Throwable error) {
        CoroutineExtras e = extras();
        if (e.closeErrors == null) e.closeErrors = new ArrayList<>(1);
        e.closeErrors.add(error);
    }

    boolean wasThrownByClose(Throwable error) {
        List<Throwable> thrown = extras == null ? null : extras.closeErrors;
        return thrown != null && thrown.stream().anyMatch(t -> t == error);
    }

    /** Notes a wait for a scope that it has given up: it may close the scope, as long as it has not ended. */
    void hasGivenUp(ScopeListeners.GivenUp wait) {
        CoroutineExtras e = extras();
        if (e.givenUp == null) e.givenUp = new LinkedHashSet<>(2);
        e.givenUp.add(wait);
    }

    void forget(ScopeListeners.GivenUp wait) {
        if (extras != null && extras.givenUp != null) extras.givenUp.remove(wait);
    }

    /** See {@link Cancellation#interrupted}. */
    void interrupted(Interruption byOther) {
        if (!is(COMPLETED) && !isInternal()) cancellation().interrupted(byOther);
    }

    boolean isWaiting() {
        return status == WAITING;
    }

    /** True while it is in a wait of ours, or has been woken from one and has not gone on. */
    public boolean isWaitingOrQueued() {
        return status == QUEUED || status == WAITING;
    }

    /** Throws what is due: an error of its switch handlers, a cancellation. Called where the coroutine may suspend. */
    void throwPending() {
        if (extras == null) return;
        Throwable late = takeHandlerError();
        if (late != null) throw Throwing.sneaky(late);
        if (extras.cancellation != null) extras.cancellation.throwIfDue();
    }

    void cancellationDelivered(Throwable thrown) {
        if (extras != null && extras.cancellation != null) extras.cancellation.delivered(thrown);
    }

    /**
     * Goes on with an operation that has succeeded although its wait has thrown. A request to cancel is due again at
     * the next wait, and so is an error of switch handlers. A token that fired too late has no effect.
     *
     * @param thrown by the wait that ended last
     */
    public void deferToNextWait(Throwable thrown) {
        if (extras != null && extras.cancellation != null && extras.cancellation.makeDueAgain(thrown)) return;
        if (!(thrown instanceof OperationCanceledException)) failLater(thrown);
    }

    /** See {@link Cancellation#protect}. */
    public <V> V protect(Callable<V> section) {
        return cancellation().protect(section);
    }

    /** See {@link Cancellation#shield}. */
    public <V> V shield(Callable<V> section) {
        return cancellation().shield(section);
    }

    /** See {@link Cancellation#within}. */
    public <V> V within(Duration limit, Callable<V> section) {
        return cancellation().within(limit, section);
    }

    // ---- switch handlers

    boolean hasSwitchHandlers() {
        return extras != null && extras.switchHandlers != null && !extras.switchHandlers.isEmpty();
    }

    /** Null for most coroutines; may be empty. */
    @Nullable
    SwitchHandlerList switchHandlers() {
        return extras == null ? null : extras.switchHandlers;
    }

    /** Adds a handler of its switches. */
    public void addSwitchHandler(SwitchHandler handler) {
        loop().requireLoopThread("SwitchHandlers.add");
        Objects.requireNonNull(handler, "handler");
        if (is(COMPLETED))
            throw new AsyncException("coroutine " + label() + " has completed; a switch handler would never be called");
        CoroutineExtras e = extras();
        if (e.switchHandlers == null) e.switchHandlers = new SwitchHandlerList();
        e.switchHandlers.add(handler, runsItsOwnCode());
    }

    /**
     * True if its own code runs now. False while its switch handlers run, and in a microtask between its LEAVE and the
     * next ENTER.
     */
    private boolean runsItsOwnCode() {
        return loop().current == this && !refusesWaits() && !isServed() && !isWaitingOrQueued();
    }

    /** True while the {@link Service} runs its switch handlers. */
    boolean isServed() {
        SwitchHandlerList handlers = switchHandlers();
        return handlers != null && handlers.isServed();
    }

    /**
     * Keeps an error that can't be thrown now, of switch handlers around a wait in JDK code for instance. It is thrown
     * at the next wait, or joins the coroutine's outcome.
     */
    void failLater(Throwable fromHandlers) {
        CoroutineExtras e = extras();
        e.handlerError = Causes.joined(e.handlerError, fromHandlers);
    }

    private @Nullable Throwable takeHandlerError() {
        CoroutineExtras e = extras;
        Throwable error = e == null ? null : e.handlerError;
        if (error != null && e != null) e.handlerError = null;
        return error;
    }

    // ---- for users

    @Override
    public long id() {
        return id;
    }

    @Override
    public @Nullable String name() {
        ExecutionContext c = context;
        String ofThread = c == null ? null : Names.readable(c.thread.getName());
        return ofThread != null || extras == null ? ofThread : extras.name;
    }

    /** Takes over the name that a thread of the thread factory was given before its start. */
    void takeNameOf(Thread thread) {
        String given = thread.getName();
        if (!given.isEmpty()) extras().name = Names.readable(given);
    }

    /** Its number and its name, for a person to read: {@code #4 'indexer'}. */
    public String label() {
        return FailureText.label(this);
    }

    @Override
    public Coroutine<T> asHighPriority() {
        loop().requireLoopThread("Coroutine.asHighPriority");
        if (!is(HIGH_PRIORITY)) {
            set(HIGH_PRIORITY);
            if (loop().agenda.queue.remove(this)) loop().agenda.queue.addFirst(this);
        }
        return this;
    }

    @Override
    public Context context() {
        loop().requireLoopThread("Coroutine.context");
        CoroutineExtras e = extras();
        if (e.context == null) e.context = new Context(scope.context());
        return e.context;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable T result() {
        loop().requireLoopThreadOrEnd("Coroutine.result");
        return is(COMPLETED) && !is(FAILED) ? (T) payload : null;
    }

    @Override
    public @Nullable Throwable exception() {
        loop().requireLoopThreadOrEnd("Coroutine.exception");
        if (!is(COMPLETED) || !is(FAILED))
            return null; // its exit actions may turn what its task has thrown into something else
        markObserved();
        return (Throwable) payload;
    }

    // Any thread may ask for the state, and gets one that was true at some moment. The fence keeps the compiler from
    // reading the fields only once for a whole loop of calls.

    @Override
    public boolean isQueued() {
        VarHandle.acquireFence();
        if (is(COMPLETED)) return false;
        if (!is(STARTED)) return true;
        ExecutionContext c = context;
        return status == QUEUED || (c != null && c.state == ExecutionContext.READY);
    }

    @Override
    public boolean isRunning() {
        VarHandle.acquireFence();
        return loop().current == this && !is(COMPLETED);
    }

    @Override
    public boolean isSuspended() {
        VarHandle.acquireFence();
        return is(STARTED) && !is(COMPLETED) && loop().current != this;
    }

    @Override
    public boolean isCancellationRequested() {
        VarHandle.acquireFence();
        CoroutineExtras e = extras;
        Cancellation c = e == null ? null : e.cancellation;
        return c != null && c.isRequested();
    }

    @Override
    public String spawnLocation() {
        CoroutineExtras e = extras;
        String site = e == null ? null : e.spawnLocation;
        return site == null ? CodeSites.UNKNOWN : site;
    }

    /**
     * Sets the place that is shown as its origin: where the user asked for it, not where it was queued.
     *
     * @param site {@code File.java:12}; {@link CodeSites#UNKNOWN} changes nothing
     */
    public void setSpawnLocation(String site) {
        if (!site.equals(CodeSites.UNKNOWN)) extras().spawnLocation = site;
    }

    @Override
    public String suspendLocation() {
        loop().requireLoopThreadToInspect("Coroutine.suspendLocation");
        return CodeSites.innermost(trace());
    }

    @Override
    public List<String> awaitingInfo() {
        loop().requireLoopThreadToInspect("Coroutine.awaitingInfo");
        if (is(COMPLETED)) return List.of();
        List<String> events = awaitedEvents();
        if (events.isEmpty() && isSuspended() && context != null && context.isBlocked())
            events = List.of(JdkWait.describe(context));
        Cancellation c = cancellationOrNull();
        String call = c == null || events.isEmpty() ? null : c.callText();
        if (call == null) return events;
        var withCall = new ArrayList<>(events);
        withCall.set(0, events.getFirst() + ", in " + Names.readable(call));
        return withCall;
    }

    @Override
    public StackTraceElement @Nullable [] trace() {
        loop().requireLoopThreadToInspect("Coroutine.trace");
        ExecutionContext c = context;
        if (c == null || !isSuspended()) return null;
        return c.trace();
    }

    /** The frames of user code while it is suspended, innermost first; empty at other times. */
    List<StackTraceElement> userFrames() {
        ExecutionContext c = context;
        return c == null || !isSuspended() ? List.of() : c.userFrames();
    }

    @Override
    public void onFinally(Consumer<Coroutine<T>> callback) {
        loop().requireLoopThread("Coroutine.onFinally");
        Objects.requireNonNull(callback, "callback");
        if (is(COMPLETED)) callback.accept(this);
        else extras().addFinally(callback);
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        loop().requireLoopThread("Coroutine.toCompletableFuture");
        markObserved();
        return EventFuture.of(this, loop().continuations);
    }

    @Override
    public String info() {
        String spawned = spawnLocation();
        return "coroutine " + label() + (spawned.equals(CodeSites.UNKNOWN) ? "" : " spawned " + spawned)
                + (is(COMPLETED) ? ", completed" : isSuspended() ? ", suspended" + whereSuspended() : "");
    }

    /**
     * Empty on other threads, which may not look at stacks: every message that names a coroutine asks for this, and
     * loggers print on threads of their own.
     */
    private String whereSuspended() {
        return loop().isLoopThread() ? " " + suspendLocation() : "";
    }

    @Override
    public String toString() {
        return info();
    }

    /** Lets the others run. */
    public void yieldNow() {
        suspend(YieldWait.INSTANCE);
    }

    /**
     * Waits at least this long; 0 lets the others run.
     *
     * @param nanos >= 0
     */
    public void delay(long nanos) {
        suspend(nanos == 0 ? YieldWait.INSTANCE : sleep(nanos));
    }

    /** Adds this coroutine: nothing else brings about its end. */
    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        return by.add(this);
    }

    @Override
    public Coroutine<?> needs(Coroutine<?> sought) {
        return this;
    }

    /** True if time alone may end its wait: a section that it is in has a limit, or a scope that it belongs to. */
    boolean hasTimeLimit() {
        Cancellation c = cancellationOrNull();
        return c == null ? scope.hasDeadline() : c.hasTimeLimit();
    }

    /**
     * The time that the limits of its sections and scopes leave to the code that it runs, in nanoseconds;
     * {@link SectionLimit#NONE} for no limit.
     */
    public long remaining() {
        Cancellation c = cancellationOrNull();
        return c == null ? scope.remaining() : c.remaining();
    }

    // Event: a coroutine needs no arming; it goes on whether or not anyone waits.

    @Override
    public void start() {}

    @Override
    public void stop() {}
}
