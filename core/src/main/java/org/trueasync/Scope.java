package org.trueasync;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopLocal;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.kernel.ScopeExtras;
import org.trueasync.internal.scope.AwaitScope;
import org.trueasync.internal.scope.DelayedDisposal;
import org.trueasync.internal.scope.LostHandle;
import org.trueasync.internal.sync.Limits;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;

/**
 * The owner of coroutines and of other scopes. Every coroutine has a scope: by default that of the coroutine that
 * spawned it. A scope ends all that it owns together: {@link #cancel} and {@link #dispose} reach everything in it and
 * in the scopes below, never a scope above or beside it. An unobserved error ends the scope in which it happened, then
 * the scope above that one, and so on, until a handler takes the error or a wait for a scope throws it.
 *
 * <p>Made for try-with-resources: no coroutine outlives the block.
 *
 * {@snippet class="org.trueasync.snippets.CoordinationTest" region="scope" :
 * try (var scope = new Scope()) {
 *     scope.spawn(() -> fetch(a));
 *     scope.spawn(() -> fetch(b));
 *     scope.awaitCompletion(timeout(5_000));
 * }
 * }
 *
 * <p>Ending a scope cancels its coroutines, unless {@link #letRunOn} was called: then those that have begun run on as
 * <i>zombies</i>. They still belong to the scope, but {@link #awaitCompletion} does not wait for them.
 * {@link #toString} says which of the two the scope does.
 *
 * <p>Loop thread only, except {@code isCancelled}, {@code isClosed}, {@code isFinished}, {@code name} and
 * {@code provideScope}.
 */
public final class Scope implements ScopeProvider, AutoCloseable {
    /** The handle of each main scope, held so that it is never collected. */
    private static final LoopLocal<Scope> GLOBAL = new LoopLocal<>();

    private final CoroutineScope scope;
    /** Keeps the scope above from being lost as long as this object is held. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final @Nullable Object above;

    /**
     * Creates a scope without a parent: nothing above cancels it, and errors that leave it end the run. If this object
     * becomes unreachable while the scope has coroutines, that is reported, and they are cancelled. A local variable
     * keeps it reachable only up to its last use; a scope below and a wait for the scope keep it reachable, too. After
     * {@link #disposeAfterTimeout} the coroutines run until that time all the same.
     *
     * @throws AsyncException outside a runtime
     */
    public Scope() {
        this(CoroutineScope.independent(Runtimes.here("new Scope")));
        scope.extras().handle(e -> this);
        LostHandle.watch(this, scope);
    }

    /**
     * Creates a scope without a parent, with a name that {@code toString}, dumps and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @throws AsyncException outside a runtime
     */
    public Scope(String name) {
        this();
        scope.extras().name = Names.readable(name);
    }

    private Scope(CoroutineScope scope) {
        this.scope = scope;
        CoroutineScope parent = scope.parent();
        this.above = parent == null ? null : parent.knownHandle();
    }

    /** Returns the handle of a scope: the existing one if it has one. */
    private static Scope of(CoroutineScope scope) {
        return scope.extras().handle(e -> new Scope(scope));
    }

    /**
     * Creates a scope inside the current coroutine's scope. If that scope lets its coroutines run on, so does the new
     * one.
     *
     * @throws AsyncException outside a runtime, or if that scope has been cancelled or disposed of
     */
    public static Scope inherit() {
        return inherit(Runtimes.here("Scope.inherit").currentScope());
    }

    /**
     * Creates a scope inside another one. If that scope lets its coroutines run on, so does the new one.
     *
     * @param parent the scope above the new one
     * @throws AsyncException if the parent has been cancelled or disposed of, or belongs to another runtime
     */
    public static Scope inherit(Scope parent) {
        parent.scope.requireHere("Scope.inherit");
        return inherit(parent.scope);
    }

    /**
     * As {@link #inherit()}, with a name; see {@link #Scope(String)}.
     *
     * @param name for reports
     */
    public static Scope inherit(String name) {
        String readable = Names.readable(name);
        Scope made = inherit();
        made.scope.extras().name = readable;
        return made;
    }

    private static Scope inherit(CoroutineScope parent) {
        CoroutineScope child = parent.child();
        Scope made = of(child);
        LostHandle.watch(made, child);
        return made;
    }

    /**
     * Returns the main scope of the runtime on the calling thread, which owns the main coroutine; the same object
     * throughout a run.
     *
     * @throws AsyncException if there is no runtime here
     */
    public static Scope global() {
        Loop loop = Runtimes.here("Scope.global");
        Scope known = GLOBAL.get(loop);
        if (known != null) return known;
        Scope made = of(loop.mainScope());
        GLOBAL.set(loop, made);
        return made;
    }

    // ---- spawning

    /**
     * Queues a new coroutine that this scope owns, whichever scope the caller belongs to. It begins when the caller
     * waits or ends.
     *
     * @param task what it does
     * @return its handle
     * @throws AsyncException if this scope has been cancelled or disposed of, or if called from a thread without its
     *     runtime
     */
    public <T> Coroutine<T> spawn(Callable<T> task) {
        return scope.spawn(CoroutineKind.ORDINARY, null, Tasks.task(task));
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public Coroutine<?> spawn(Body task) {
        return scope.spawn(CoroutineKind.ORDINARY, null, Tasks.task(task));
    }

    /**
     * Queues a new coroutine that is never awaited. An error that it throws goes at once to the handlers of this scope,
     * or ends the scope.
     *
     * @param task what it does
     * @return its handle: to cancel it, or to ask for its state. Awaiting it does not keep an error from the scope
     * @throws AsyncException if this scope has been cancelled or disposed of, or if called from a thread without its
     *     runtime
     */
    public Coroutine<?> launch(Body task) {
        return scope.spawn(CoroutineKind.LAUNCHED, null, Tasks.task(task));
    }

    /**
     * As {@link #launch(Body)}, with a name; see {@link Async#spawn(String, Callable)}.
     *
     * @param name for reports
     * @param task what it does
     * @return its handle
     */
    public Coroutine<?> launch(String name, Body task) {
        return scope.spawn(CoroutineKind.LAUNCHED, Objects.requireNonNull(name, "name"), Tasks.task(task));
    }

    /**
     * As {@link #spawn(Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param task what it does
     * @return its handle
     */
    public <T> Coroutine<T> spawn(Task<T> task) {
        return spawn((Callable<T>) task);
    }

    /**
     * As {@link #spawn(String, Callable)}. The compiler takes this one for lambdas and method references.
     *
     * @param name for reports
     * @param task what it does
     * @return its handle
     */
    public <T> Coroutine<T> spawn(String name, Task<T> task) {
        return spawn(name, (Callable<T>) task);
    }

    /**
     * As {@link #spawn(Callable)}, with a name; see {@link Async#spawn(String, Callable)}.
     *
     * @param name for reports
     * @param task what it does
     * @return its handle
     */
    public <T> Coroutine<T> spawn(String name, Callable<T> task) {
        return scope.spawn(CoroutineKind.ORDINARY, Objects.requireNonNull(name, "name"), Tasks.task(task));
    }

    /**
     * As {@link #spawn(String, Callable)}, for a task without a result.
     *
     * @param name for reports
     * @param task what it does
     */
    public Coroutine<?> spawn(String name, Body task) {
        return scope.spawn(CoroutineKind.ORDINARY, Objects.requireNonNull(name, "name"), Tasks.task(task));
    }

    @Override
    public Scope provideScope() {
        return this;
    }

    // ---- waiting

    /**
     * Waits until every coroutine of this scope and of the scopes below has ended, also those spawned meanwhile;
     * zombies don't count. Returns at once if there are none. Errors that no handler takes meanwhile are thrown at the
     * end: the first one, with the others as suppressed ones; a checked exception is the cause of a
     * {@link java.util.concurrent.CompletionException}. If the token or a cancellation ends the wait earlier, the next
     * wait for the scope or {@link #close} throws these errors. If this coroutine ends first, they go to the scope's
     * handlers or to the scope above.
     *
     * @param cancellation ends the wait when it fires; the scope goes on
     * @throws OperationCanceledException if the token ended first, or had ended before the call and there is something
     *     to wait for
     * @throws AsyncCancellation if this coroutine was cancelled, or if the scope was cancelled or disposed of before
     *     the call and is not empty yet, even of zombies
     * @throws AsyncException if the caller belongs to this scope or to one below: it would wait for itself
     */
    public void awaitCompletion(Completable<?> cancellation) {
        awaitAll(Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * As {@link #awaitCompletion(Completable)}, without a token: for tasks that are known to end.
     *
     * @throws AsyncCancellation if this coroutine was cancelled, or if the scope was cancelled or disposed of before
     *     the call and is not empty yet, even of zombies
     * @throws AsyncException if the caller belongs to this scope or to one below: it would wait for itself
     */
    public void awaitCompletion() {
        awaitAll(null);
    }

    /**
     * As {@link #awaitCompletion(Completable)}; gives up after a time.
     *
     * @param limit >= 0
     * @throws OperationCanceledException if the time is over; its cause is an {@link AsyncTimeoutException}
     * @throws IllegalArgumentException if the limit is negative
     */
    public void awaitCompletion(Duration limit) {
        awaitAll(Limits.token(limit, "Scope.awaitCompletion"));
    }

    private void awaitAll(@Nullable Completable<?> cancellation) {
        try {
            AwaitScope.completion(scope, cancellation);
        } finally {
            // a scope that somebody waits for is not lost
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Waits until every coroutine of this cancelled scope and of the scopes below has ended, zombies included. Errors
     * that no handler takes are thrown at the end, as by {@link #awaitCompletion(Completable)}.
     *
     * @throws AsyncException if the scope was not cancelled or disposed of, or if the caller belongs to it or to a
     *     scope below
     * @throws AsyncCancellation if this coroutine was cancelled
     */
    public void awaitAfterCancellation() {
        AwaitScope.afterCancellation(scope, null, null);
    }

    /**
     * As {@link #awaitAfterCancellation()}, with a handler for the errors, and a token.
     *
     * @param errorHandler gets each such error, and the wait goes on; null to have the errors thrown at the end. If the
     *     handler throws, that is thrown at the end in place of the error, which is attached to it; but a cancellation
     *     that it throws ends the wait
     * @param cancellation ends the wait when it fires; null for none
     * @throws OperationCanceledException if the token ended first
     */
    public void awaitAfterCancellation(
            @Nullable BiConsumer<Throwable, Scope> errorHandler, @Nullable Completable<?> cancellation) {
        Consumer<Throwable> handler = errorHandler == null ? null : error -> errorHandler.accept(error, this);
        AwaitScope.afterCancellation(scope, handler, cancellation);
    }

    // ---- ending

    /** As {@link #cancel(AsyncCancellation)} with the reason "scope cancelled". */
    public void cancel() {
        end("Scope.cancel", "scope cancelled", false);
    }

    /**
     * Ends everything in this scope: the scopes below first, then its own coroutines in spawn order. A coroutine that
     * has not begun never does; one that has begun is cancelled, or becomes a zombie if its scope lets it run on.
     * Nothing can be spawned from now on. Returns at once. A second call does nothing.
     *
     * @param reason what is thrown in the coroutines
     */
    public void cancel(AsyncCancellation reason) {
        Objects.requireNonNull(reason, "reason");
        scope.requireHere("Scope.cancel");
        scope.cancel(reason, false);
    }

    /** Ends the scope as {@link #cancel()} does, with another reason: for a scope that is not needed any more. */
    public void dispose() {
        end("Scope.dispose", "scope disposed of", false);
    }

    /** As {@link #dispose}, but coroutines that have begun, here and in the scopes below, run on to their own end. */
    public void disposeSafely() {
        end("Scope.disposeSafely", "scope disposed of", true);
    }

    /**
     * Disposes of the scope after a time. Does nothing if the scope is empty now, or has ended. A second call replaces
     * the time.
     *
     * @param time >= 0
     * @throws IllegalArgumentException if negative
     */
    public void disposeAfterTimeout(Duration time) {
        scope.requireHere("Scope.disposeAfterTimeout");
        DelayedDisposal.start(scope, time);
    }

    /**
     * Disposes of the scope and waits until everything in it has ended. A cancellation of the caller does not shorten
     * the wait, as the coroutines have been told to end: it is thrown at the caller's next wait. It ends the wait only
     * if this scope lets its coroutines run on ({@link #letRunOn}). Called by a coroutine of this scope or of one
     * below, this does not wait.
     *
     * <p>Errors of its coroutines that no handler takes meanwhile are thrown when all have ended: the first one, with
     * the others as suppressed ones. If a cancellation leaves the block at the same time, Java attaches that error to
     * it as a suppressed one; the scope of the calling coroutine then gets the error too.
     *
     * @throws AsyncException outside a coroutine
     */
    @Override
    public void close() {
        dispose();
        AwaitScope.end(scope);
    }

    private void end(String call, String why, boolean asZombies) {
        scope.requireHere(call);
        scope.cancel(why, asZombies);
    }

    /**
     * Lets coroutines that have begun run on when this scope is ended from now on: they run to their own end, and the
     * run waits for them. Scopes created in this one from now on do the same; existing ones don't change. Returns this.
     */
    public Scope letRunOn() {
        scope.requireHere("Scope.letRunOn");
        scope.setLetsRunOn(true);
        return this;
    }

    /** Another name for {@link #letRunOn}. */
    public Scope allowZombies() {
        return letRunOn();
    }

    /**
     * Revokes {@link #letRunOn}: ending this scope cancels its coroutines, which is the default. Scopes in it don't
     * change. Returns this.
     */
    public Scope asNotSafely() {
        scope.requireHere("Scope.asNotSafely");
        scope.setLetsRunOn(false);
        return this;
    }

    // ---- handlers

    /**
     * Sets a handler for the unobserved errors of this scope's coroutines, so that the scope and its other coroutines
     * live on. It also gets the errors from scopes below, unless {@link #setChildScopeExceptionHandler} has set another
     * handler for those. Replaces an earlier handler.
     *
     * @param handler takes the errors
     */
    public void setExceptionHandler(ScopeExceptionHandler handler) {
        scope.requireHere("Scope.setExceptionHandler");
        scope.extras().errorHandler = adapted(handler);
    }

    /**
     * Has unobserved errors of this scope's coroutines written to the diagnostics, with the coroutine and where it was
     * spawned, so that the scope and its other coroutines live on. For servers: a bug in the handling of one connection
     * is reported, and ends that connection alone.
     *
     * {@snippet class="org.trueasync.snippets.InputOutput" region="server" :
     * try (var server = TcpServer.listen("127.0.0.1", 8080);
     *         var connections = new Scope().reportErrors()) {
     *     while (true) {
     *         var peer = server.accept();
     *         connections.launch(() -> serve(peer)); // a bug in serve ends this connection alone
     *     }
     * }
     * }
     *
     * <p>Also takes each {@link VirtualMachineError}, {@code OutOfMemoryError} for instance, which a handler of the
     * program does not get. Replaces an earlier handler. Returns this.
     */
    public Scope reportErrors() {
        scope.requireHere("Scope.reportErrors");
        scope.extras().errorHandler = ScopeExtras.ErrorHandler.REPORT;
        return this;
    }

    /**
     * Sets a handler for the errors that leave a scope below, so that this scope lives on. Replaces an earlier handler.
     *
     * @param handler takes the errors
     */
    public void setChildScopeExceptionHandler(ScopeExceptionHandler handler) {
        scope.requireHere("Scope.setChildScopeExceptionHandler");
        scope.extras().childErrorHandler = adapted(handler);
    }

    /**
     * Static, because the handler must not keep the {@code Scope} reachable: a lost handle is noticed when it is
     * collected.
     */
    private static ScopeExtras.ErrorHandler adapted(ScopeExceptionHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return (owner, coroutine, error) -> handler.handle(of(owner), coroutine, error);
    }

    /**
     * Runs the callback once when the scope has been cancelled or disposed of and is empty, or at the end of the run,
     * in a coroutine outside of the scope. Several callbacks run in one coroutine, in the order of registration. If the
     * scope has closed already, the callback runs at once in the caller.
     *
     * @param callback gets this scope; may wait
     */
    public void onFinally(Consumer<Scope> callback) {
        scope.requireHere("Scope.onFinally");
        Objects.requireNonNull(callback, "callback");
        if (scope.isClosed()) callback.accept(this);
        else scope.extras().addFinally(ended -> callback.accept(of(ended)));
    }

    // ---- values

    /** Returns the context that this scope's coroutines share: what {@link Async#currentContext()} returns in them. */
    public Context context() {
        scope.requireHere("Scope.context");
        return scope.context();
    }

    /**
     * Declares that this scope serves one request: {@link Async#requestContext()} returns its context in all coroutines
     * of this scope and of those below, unless a scope in between serves a request of its own. For servers that embed
     * the runtime. Returns this.
     */
    public Scope asRequest() {
        scope.requireHere("Scope.asRequest");
        scope.extras().request = true;
        return this;
    }

    // ---- about it

    /** Returns the name that it was given, as reports show it; null if it has none. */
    public @Nullable String name() {
        return scope.name();
    }

    /**
     * True while neither this scope nor one below has a coroutine, zombies not counted; so also before the first one.
     */
    public boolean isFinished() {
        return !scope.isActive();
    }

    /** True once it has been cancelled or disposed of and everything in it has ended. */
    public boolean isClosed() {
        return scope.isClosed();
    }

    /**
     * True once it has been cancelled or disposed of (by a call, by the scope above, or by an error in it) or has
     * closed.
     */
    public boolean isCancelled() {
        return scope.isCancelled();
    }

    /** Returns how many of its own coroutines have not ended, zombies too; those of the scopes below don't count. */
    public int size() {
        scope.requireHere("Scope.size");
        return scope.live();
    }

    /** Returns the scopes directly below that have not closed, oldest first. */
    public List<Scope> childScopes() {
        scope.requireHere("Scope.childScopes");
        var children = new ArrayList<Scope>();
        for (CoroutineScope child : scope.childScopes()) children.add(of(child));
        return children;
    }

    @Override
    public String toString() {
        return scope.toString();
    }

    /** Returns the kernel's scope behind this handle. */
    CoroutineScope core() {
        return scope;
    }

    /** Returns the handle of the current coroutine's scope. */
    static Scope current() {
        Loop loop = Runtimes.here("Async.spawnWith");
        CoroutineScope current = loop.currentScope();
        return current == loop.mainScope() ? global() : of(current);
    }
}
