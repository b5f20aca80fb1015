package org.trueasync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.kernel.ScopeExtras;
import org.trueasync.internal.scope.DelayedDisposal;
import org.trueasync.internal.scope.LostHandle;
import org.trueasync.internal.scope.ScopeWaiting;
import org.trueasync.internal.site.Names;
import org.trueasync.internal.task.Tasks;

/**
 * The owner of coroutines and of other scopes. Every coroutine has one: that of the coroutine that spawned it, unless told otherwise. A scope ends
 * what it owns together: {@link #cancel} and {@link #dispose} reach everything in it and below, never what is above or beside; an error that nobody awaits
 * ends the scope in which it happened, and then the one above, until a handler or somebody who waits takes it.
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
 * <p>Ending a scope interrupts its coroutines, whichever way it was made. One that is to let them run on says so with {@link #letRunOn}: what has begun goes on then, as
 * <i>zombies</i>, which still belong to the scope but which {@link #awaitCompletion} does not wait for. {@link #toString} says which of the two it is.
 *
 * <p>Loop thread only, except {@code isCancelled}, {@code isClosed}, {@code isFinished}, {@code name} and {@code provideScope}.
 */
public final class Scope implements ScopeProvider, AutoCloseable {
    private final CoroutineScope scope;

    /**
     * A scope without a parent: nothing above cancels it, and errors that leave it end the run.
     *
     * @throws AsyncException outside a runtime
     */
    public Scope() {
        this(CoroutineScope.independent(Runtimes.here("new Scope")));
        scope.extras().handle(e -> this);
        LostHandle.watch(this, scope);
    }

    /**
     * A scope without a parent, with a name that {@code toString}, dumps and reports show.
     *
     * @param name what can't be printed is shown as {@code ?}, and what is beyond 100 characters is cut; a blank one is none
     * @throws AsyncException outside a runtime
     */
    public Scope(String name) {
        this();
        scope.extras().name = Names.readable(name);
    }

    private Scope(CoroutineScope scope) {
        this.scope = scope;
    }

    /** The handle of a scope: the one that there is already. */
    private static Scope of(CoroutineScope scope) {
        return scope.extras().handle(e -> new Scope(scope));
    }

    /**
     * A scope inside the current coroutine's. If that one lets its coroutines run on, so does this one.
     *
     * @throws AsyncException outside a runtime, or if that scope has ended
     */
    public static Scope inherit() {
        return inherit(Runtimes.here("Scope.inherit").currentScope());
    }

    /**
     * A scope inside another one. If that one lets its coroutines run on, so does this one.
     *
     * @param parent the other one
     * @throws AsyncException if it has ended
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
     * The main scope of the runtime on the calling thread, which owns the main coroutine; the same object throughout a run.
     *
     * @throws AsyncException if there is no runtime here
     */
    public static Scope global() {
        return Runtimes.here("Scope.global").mainHandle(Scope::new);
    }

    // ---- spawning

    /**
     * Queues a new coroutine that this scope owns, whichever scope the caller belongs to. It begins when the caller waits or ends.
     *
     * @param task what it does
     * @return its handle
     * @throws AsyncException if this scope has been cancelled or disposed of, or if called from a thread without its runtime
     */
    public <T> Coroutine<T> spawn(Callable<T> task) {
        return scope.spawn(task);
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public Coroutine<?> spawn(Body task) {
        return scope.spawn(task);
    }

    /**
     * Queues a new coroutine that nobody will await: what it throws is this scope's at once, and goes to its handlers, or ends it.
     *
     * @param task what it does
     * @return its handle: to cancel it, or to ask how far it is. Awaiting it takes no error away from the scope
     * @throws AsyncException if this scope has been cancelled or disposed of, or if called from a thread without its runtime
     */
    public Coroutine<?> launch(Body task) {
        return scope.launch(task);
    }

    /**
     * As {@link #launch(Body)}, with a name; see {@link Async#spawn(String, Task)}.
     *
     * @param name for reports
     * @param task what it does
     * @return its handle
     */
    public Coroutine<?> launch(String name, Body task) {
        return scope.launch(name, task);
    }

    /**
     * As {@link #spawn(Callable)}.
     *
     * @param task what it does
     * @return its handle
     */
    public <T> Coroutine<T> spawn(Task<T> task) {
        return scope.spawnTask(Tasks.task((Callable<T>) task));
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public Coroutine<?> spawn(VoidTask task) {
        return scope.spawnTask(Tasks.task((Body) task));
    }

    /**
     * As {@link #spawn(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public Coroutine<?> spawn(Runnable task) {
        return scope.spawnTask(Tasks.task(task));
    }

    /**
     * As {@link #spawn(Callable)}, with a name; see {@link Async#spawn(String, Task)}.
     *
     * @param name for reports
     * @param task what it does
     * @return its handle
     */
    public <T> Coroutine<T> spawn(String name, Task<T> task) {
        return scope.spawnTask(name, Tasks.task((Callable<T>) task));
    }

    /**
     * As {@link #spawn(String, Task)}, for a task without a result.
     *
     * @param name for reports
     * @param task what it does
     */
    public Coroutine<?> spawn(String name, VoidTask task) {
        return scope.spawnTask(name, Tasks.task((Body) task));
    }

    /**
     * As {@link #spawn(String, Task)}.
     *
     * @param name for reports
     * @param task what it does
     */
    public <T> Coroutine<T> spawn(String name, Callable<T> task) {
        return scope.spawnTask(name, Tasks.task(task));
    }

    /**
     * As {@link #spawn(String, Task)}, for a task without a result.
     *
     * @param name for reports
     * @param task what it does
     */
    public Coroutine<?> spawn(String name, Body task) {
        return scope.spawnTask(name, Tasks.task(task));
    }

    /**
     * As {@link #spawn(String, Task)}, for a task without a result.
     *
     * @param name for reports
     * @param task what it does
     */
    public Coroutine<?> spawn(String name, Runnable task) {
        return scope.spawnTask(name, Tasks.task(task));
    }

    @Override
    public Scope provideScope() {
        return this;
    }

    // ---- waiting

    /**
     * Waits until every coroutine of this scope and of those below has ended, also those spawned meanwhile; zombies don't count. Returns at once if
     * there are none. What goes wrong until then, and no handler takes, is thrown at the end: the first error, with the others as suppressed ones. Who leaves before, because of the token or a
     * cancellation, leaves the errors to the scope's handlers and to the scope above.
     *
     * @param cancellation gives the wait up; the scope goes on
     * @throws OperationCanceledException if the token ended first
     * @throws AsyncCancellation if the scope was cancelled before the call and has not emptied yet
     * @throws AsyncException if the caller belongs to this scope or to one below: it would wait for itself
     */
    public void awaitCompletion(Completable<?> cancellation) {
        ScopeWaiting.completion(scope, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * As {@link #awaitCompletion(Completable)}, without a limit: for tasks that are known to end.
     *
     * @throws AsyncCancellation if this coroutine was cancelled, or the scope before the call
     * @throws AsyncException if the caller belongs to this scope or to one below: it would wait for itself
     */
    public void awaitCompletion() {
        ScopeWaiting.completion(scope, null);
    }

    /**
     * Waits until every coroutine of this cancelled scope and of those below has ended, zombies included. Errors that no handler takes are thrown at the end: the first one, with the
     * others as suppressed ones.
     *
     * @throws AsyncException if the scope was not cancelled or disposed of, or if the caller belongs to it
     */
    public void awaitAfterCancellation() {
        ScopeWaiting.afterCancellation(scope, null, null);
    }

    /**
     * As {@link #awaitAfterCancellation()}.
     *
     * @param errorHandler gets each such error, and the wait goes on; null to have it thrown in the end. What it throws itself is thrown in place of the error, in the end
     * @param cancellation gives the wait up; null for no limit
     * @throws OperationCanceledException if the token ended first
     */
    public void awaitAfterCancellation(
            @Nullable BiConsumer<Throwable, Scope> errorHandler, @Nullable Completable<?> cancellation) {
        Consumer<Throwable> handler = errorHandler == null ? null : error -> errorHandler.accept(error, this);
        ScopeWaiting.afterCancellation(scope, handler, cancellation);
    }

    // ---- ending

    /** As {@link #cancel(AsyncCancellation)} with a reason that says just that. */
    public void cancel() {
        cancel(new AsyncCancellation("scope cancelled"));
    }

    /**
     * Ends everything in this scope: scopes below first, then its own coroutines in spawn order. What has not begun never does; what has is
     * cancelled, or becomes a zombie where the scope lets it run on. Nothing can be spawned from now on. Returns at once; again does nothing.
     *
     * @param reason what the coroutines see thrown
     */
    public void cancel(AsyncCancellation reason) {
        end("Scope.cancel", Objects.requireNonNull(reason, "reason"), false);
    }

    /** Ends the scope as {@link #cancel()} does; the word for one that is not needed any more. */
    public void dispose() {
        end("Scope.dispose", new AsyncCancellation("scope disposed of"), false);
    }

    /** As {@link #dispose}, but whatever has begun may end in peace, here and below. */
    public void disposeSafely() {
        end("Scope.disposeSafely", new AsyncCancellation("scope disposed of"), true);
    }

    /**
     * Disposes of the scope after a time, unless it is empty by now. Called again, the new time counts.
     *
     * @param time >= 0
     * @throws IllegalArgumentException if negative
     */
    public void disposeAfterTimeout(Duration time) {
        scope.requireHere("Scope.disposeAfterTimeout");
        DelayedDisposal.start(scope, time);
    }

    /**
     * Disposes of the scope and waits until all in it have ended. A cancellation of the caller does not shorten that, as the coroutines have been told to
     * end; but what a scope lets run on is not waited for any longer then. From a coroutine of this scope it does not wait.
     *
     * <p>Errors of its coroutines that no handler takes meanwhile are thrown when all have ended: the first one, with the others as suppressed ones. If a cancellation is on its way out of the block,
     * Java attaches that error to the cancellation; the scope of the calling coroutine is told of it then.
     */
    @Override
    public void close() {
        dispose();
        ScopeWaiting.end(scope);
    }

    private void end(String call, AsyncCancellation reason, boolean asZombies) {
        scope.requireHere(call);
        scope.cancel(reason, asZombies);
    }

    /**
     * From now on ending this scope does not interrupt what has begun: that runs on to its own end, and the run waits for it. Scopes that are made in this one from now
     * on do the same; those that are there keep what they have. Returns this.
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

    /** Takes {@link #letRunOn} back: ending this scope interrupts what has begun, as it does anyway. Scopes in it keep what they have. Returns this. */
    public Scope asNotSafely() {
        scope.requireHere("Scope.asNotSafely");
        scope.setLetsRunOn(false);
        return this;
    }

    // ---- handlers

    /**
     * Has errors of this scope's coroutines that nobody awaits taken by a handler, so that the scope and its other coroutines live on. Also gets those from
     * scopes below, where {@link #setChildScopeExceptionHandler} has not set another one. Replaces an earlier handler.
     *
     * @param handler takes the errors
     */
    public void setExceptionHandler(ScopeExceptionHandler handler) {
        scope.requireHere("Scope.setExceptionHandler");
        scope.extras().errorHandler = adapted(handler);
    }

    /**
     * Has errors of this scope's coroutines that nobody awaits written to the diagnostics, with the coroutine and where it was spawned, so that the scope and its other
     * coroutines live on. For servers: a bug in the handling of one connection is told, and ends that one alone.
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
     * <p>Takes exhausted memory and stack overflows as well, which a handler of the program's does not get. Replaces an earlier handler. Returns this.
     */
    public Scope reportErrors() {
        scope.requireHere("Scope.reportErrors");
        scope.extras().errorHandler = ScopeExtras.ErrorHandler.REPORT;
        return this;
    }

    /**
     * Has errors that leave a scope below taken by a handler, so that this scope lives on. Replaces an earlier handler.
     *
     * @param handler takes the errors
     */
    public void setChildScopeExceptionHandler(ScopeExceptionHandler handler) {
        scope.requireHere("Scope.setChildScopeExceptionHandler");
        scope.extras().childErrorHandler = adapted(handler);
    }

    /** Must not know this handle, which would then never be lost. */
    private static ScopeExtras.ErrorHandler adapted(ScopeExceptionHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return (owner, coroutine, error) -> handler.handle(of(owner), coroutine, error);
    }

    /**
     * Runs the callback once when the scope has been cancelled or disposed of and is empty, or at the end of the run, in a coroutine of its own; at once and in
     * the caller when it has closed already. Several run in the order of registration.
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

    /** The values that this scope's coroutines share: what {@link Async#currentContext()} brings in them. */
    public Context context() {
        scope.requireHere("Scope.context");
        return scope.context();
    }

    /**
     * Declares that this scope serves one request: {@link Async#requestContext()} brings its context to everything in it and below. For those who embed
     * the runtime in a server. Returns this.
     */
    public Scope asRequest() {
        scope.requireHere("Scope.asRequest");
        scope.extras().request = true;
        return this;
    }

    // ---- about it

    /** The name that it was given, as reports show it; null if it has none. */
    public @Nullable String name() {
        return scope.name();
    }

    /** True while no coroutine runs or waits here or below, zombies apart; so also before the first one. */
    public boolean isFinished() {
        return !scope.isActive();
    }

    /** True once it has been cancelled or disposed of and everything in it has ended. */
    public boolean isClosed() {
        return scope.isClosed();
    }

    /** True once it has been cancelled or disposed of, by hand, by the scope above, or by an error in it. */
    public boolean isCancelled() {
        return scope.isCancelled();
    }

    /** The scopes directly below that have not closed, oldest first. */
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

    /** What this is the handle of. */
    CoroutineScope core() {
        return scope;
    }

    /** The handle of the current coroutine's scope. */
    static Scope current() {
        Loop loop = Runtimes.here("Async.spawnWith");
        CoroutineScope current = loop.currentScope();
        return current == loop.mainScope() ? global() : of(current);
    }
}
