package org.trueasync.internal.kernel;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Context;
import org.trueasync.Coroutine;
import org.trueasync.internal.drain.Drain;
import org.trueasync.internal.event.Continuations;
import org.trueasync.internal.event.EventCount;
import org.trueasync.internal.failure.Lineage;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.owner.Owner;
import org.trueasync.internal.settings.Settings;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.internal.unobserved.UnobservedErrorHolder;
import org.trueasync.internal.unobserved.UnobservedOutcomes;
import org.trueasync.spi.Reactor;

/**
 * The door to a runtime's event loop: what channels, scopes, pools, files and all other packages may ask of it.
 * {@link Runtimes#here} finds the one of the calling thread. Loop thread only, where nothing else is said.
 *
 * <p>It is a class, not an interface: then the JVM sees that there is only one implementation, and calls it directly.
 * With an interface, to pass a value through a buffered channel took an eighth longer.
 */
public abstract sealed class Loop implements Owner permits Scheduler {
    /**
     * The number of calls in a row that are served without a switch: together they cost about as much as a switch, and
     * still take almost no time.
     */
    public static final int SERVED_IN_A_ROW = 128;

    /**
     * Which core a loop is, for messages.
     *
     * @param program the same object for all cores of a program
     * @param index the core's number
     */
    public record Core(Object program, int index) {}

    Loop() {}

    // ---- its parts

    /** What it was built from. Any thread. */
    public abstract Settings settings();

    /** The runs above this one. */
    public abstract Lineage lineage();

    /** Where descriptors are watched. */
    public abstract Reactor reactor();

    /** Timers of this loop. */
    public abstract TimerHeap timers();

    /** How many events can wake a coroutine; while there is one the run goes on. */
    public abstract EventCount activeEvents();

    /** Runs the code that follows events. */
    public abstract Continuations continuations();

    /** Outcomes that no code has taken so far. */
    public abstract UnobservedOutcomes unobserved();

    /** What is tried before a deadlock is considered. */
    public abstract StallActions stallActions();

    /** Which core it is, or null. Any thread. */
    @Nullable
    public abstract Core core();

    /** Says which core it is from now on; null for none. */
    public abstract void setCore(@Nullable Core core);

    // ---- the calling thread

    /** Fails unless called on the loop thread. */
    public abstract void requireLoopThread(String call);

    /** True if it is the thread that the loop runs on. Any thread. */
    public abstract boolean isLoopOn(Thread thread);

    /**
     * The running coroutine.
     *
     * @param call what needs it, for the message
     * @throws org.trueasync.AsyncException if none runs
     */
    public abstract CoroutineImpl<?> requireCurrent(String call);

    /** The coroutine whose code runs now, or null. */
    @Nullable
    public abstract CoroutineImpl<?> running();

    /**
     * True if the code of a coroutine runs on the loop now, and not the loop's own or that of a library's virtual
     * thread.
     */
    public abstract boolean runsCoroutine();

    /**
     * True if the code that calls this may wait: a coroutine's, outside scheduler context and not between the
     * preparation of a wait and its end. Whether it is pinned shows only when it tries to, see {@link #isPinned}.
     */
    public abstract boolean maySuspend();

    /**
     * True if the wait that was just tried has thrown this because the coroutine is pinned.
     *
     * @param thrown by the wait
     */
    public abstract boolean isPinned(Throwable thrown);

    // ---- work for the loop

    /**
     * Runs an action in the loop's frame or in a tick. The action may only queue things; it is dropped once the run has
     * ended. Any thread, also one that must not wait; for what can't come without end, as the loop waits for it or has
     * made it.
     */
    public abstract void post(Runnable action);

    /**
     * As {@link #post(Runnable)}, for an action that must not be dropped. Any thread.
     *
     * @param action may only queue things
     * @param orphan runs on a thread of the JDK's instead, if the run has ended
     */
    public abstract void post(Runnable action, Runnable orphan);

    /**
     * As {@link #post(Runnable, Runnable)}, for a call of the program's own, which may come without end: a caller that
     * brings more than the loop takes in is slowed down. A thread is parked, a coroutine of another runtime lets others
     * run there; what such a wait of it would throw is thrown by its next one. Any thread that holds no lock which a
     * loop may need.
     */
    public abstract void bring(Runnable action, Runnable orphan);

    /** As {@link #bring(Runnable, Runnable)}, for an action that is dropped once the run has ended. */
    public final void bring(Runnable action) {
        bring(action, () -> {});
    }

    /**
     * Runs an action in a service coroutine.
     *
     * @param action may wait for a lock, but makes no wait of ours
     */
    public abstract void inService(Runnable action);

    /**
     * Sets who is told, in a service coroutine, when a wait has closed a ring of waits: each of its coroutines waits
     * for the next one.
     *
     * @param listener gets the coroutine whose wait has closed it
     */
    public abstract void whenRingCloses(Consumer<Coroutine<?>> listener);

    /** Sends a report to the diagnostics sink, from a service coroutine. */
    public abstract void report(String text);

    // ---- new coroutines

    /**
     * Queues a new coroutine at the tail; it never begins before the caller suspends or ends.
     *
     * @throws org.trueasync.AsyncException if the scope of the running coroutine has ended
     */
    public abstract <T> CoroutineImpl<T> spawn(Callable<T> task);

    /** As {@link #spawn(Callable)}. */
    public abstract CoroutineImpl<Object> spawn(Body task);

    /**
     * As {@link #spawn(Callable)}, for a coroutine that is not meant to be awaited: its error goes to its scope at
     * once.
     */
    public abstract CoroutineImpl<Object> launch(Body task);

    /** As {@link #launch(Body)}, with a name that reports show. */
    public abstract CoroutineImpl<Object> launch(String name, Body task);

    /** As {@link #spawn(Callable)}, for a task of any shape, see {@link Tasks#task}. */
    public abstract <T> CoroutineImpl<T> spawnTask(Object task);

    /** As {@link #spawnTask(Object)}, with a name that reports show. */
    public abstract <T> CoroutineImpl<T> spawnTask(String name, Object task);

    /**
     * Runs the code that follows an event in a coroutine of its own: it is the user's code, which may meet a lock, and
     * where events fire nothing may wait. The coroutine belongs to the main scope, whatever has made the event fire.
     */
    public abstract void continueWith(Runnable action);

    /**
     * Runs a handler in a coroutine of the main scope, so that the end of another scope can't keep it from running. The
     * caller has to look at what it throws.
     *
     * @param handler queued at the tail
     */
    public abstract <T> CoroutineImpl<T> spawnHandler(Callable<T> handler);

    /** What the running coroutine hands down, for coroutines that are spawned later; null if there is nothing. */
    @Nullable
    public abstract Inheritance inheritance();

    // ---- fairness of calls that are served without a switch

    /**
     * For a call that may be served without a switch; asked before it takes effect. True once a coroutine has made
     * {@link #SERVED_IN_A_ROW} of them in a row: then {@link #giveWay} must follow as soon as the call has taken
     * effect, so that a loop of such calls holds up no other coroutine. Calls are counted, and no clock is asked: a
     * program goes the same way each time it is run.
     *
     * <p>False where nothing can suspend, as such calls are served there too: in callbacks and microtasks, in virtual
     * threads of libraries, and between the preparation of a wait and its end.
     *
     * @throws AsyncCancellation instead of true, if the running coroutine was cancelled: nothing has taken effect yet
     */
    public abstract boolean isOthersTurn();

    /**
     * Lets the others run after a call that has taken effect. What becomes due meanwhile, a cancellation for instance,
     * is thrown by the next call: this one has succeeded, and its value is not lost.
     */
    public abstract void giveWay();

    /**
     * As {@link #giveWay()}, for a call after which the coroutine is to rest. Only where {@link #maySuspend}.
     *
     * @param nanos for how long, above 0
     * @return false if that is over before, as the next call has something to throw, or the coroutine is pinned
     */
    public abstract boolean rest(long nanos);

    /**
     * For a step that has no effect of its own: counts it as a call, and lets the others run when it is their turn.
     *
     * @throws AsyncCancellation if the running coroutine was cancelled
     */
    public abstract void shareLoop();

    /**
     * As {@link #shareLoop()}, for a step that takes as long as several calls.
     *
     * @param calls how many
     */
    public abstract void shareLoop(int calls);

    // ---- scopes

    /** The scope of the running coroutine; the main one where none runs. */
    public abstract CoroutineScope currentScope();

    /** The scope of main and of everything that has no other. */
    public abstract CoroutineScope mainScope();

    /**
     * The users' handle of the main scope: the same throughout a run.
     *
     * @param maker makes it the first time
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public abstract <H> H mainHandle(Function<CoroutineScope, H> maker);

    /** The context that everything in this runtime sees. */
    public abstract Context rootContext();

    /** The coroutines that users see, by number. */
    public abstract List<CoroutineImpl<?>> liveCoroutines();

    // ---- errors

    /** Registers a holder of unobserved errors; it is told when the run ends. */
    public abstract void registerErrorHolder(UnobservedErrorHolder holder);

    /** Removes a holder of unobserved errors: all of its errors have been asked for. */
    public abstract void unregisterErrorHolder(UnobservedErrorHolder holder);

    /**
     * Reports a failure after 0.9 seconds, unless the error is asked for before.
     *
     * @param failed the coroutine that failed
     * @param error what it threw
     * @param due false once the error has been asked for
     */
    public abstract void reportSoon(CoroutineImpl<?> failed, Throwable error, BooleanSupplier due);

    // ---- the end

    /** Starts a graceful shutdown, with its drain; a second call does nothing. In a coroutine. */
    public abstract void shutDown(AsyncCancellation reason);

    /** As {@link #shutDown}, without a drain; ends one that goes on. In a coroutine. */
    public abstract void shutDownNow(AsyncCancellation reason);

    /** What is under way here, and what takes part in the drain. */
    public abstract Drain drain();

    /**
     * Begins a drain that lasts until {@link #shutDownNow}. In a coroutine.
     *
     * @param whenDone called once, when nothing is under way any more, or the drain has ended
     */
    public abstract void drainWithParent(Runnable whenDone);

    /** True once coroutines are being cancelled: what has not begun need not begin. False during the drain. */
    public abstract boolean isShuttingDown();

    /** True once no coroutine may wait any more. */
    public abstract boolean isOver();

    /** The coroutines that did not end; known once the run has ended. */
    public abstract List<String> survivors();

    /**
     * As {@link org.trueasync.spi.Cleanup#atEnd}.
     *
     * @param action may wait
     * @return an entry for {@link #notAtEnd}
     */
    public abstract Object atEnd(Body action);

    /**
     * Removes an action from what is done at the end.
     *
     * @param entry what {@link #atEnd} returned
     */
    public abstract void notAtEnd(Object entry);

    /**
     * Registers an action that releases something when the run is over, a resource of the process for instance.
     *
     * @param release called once, on the loop thread, when no coroutine runs any more; neither blocks nor throws
     */
    public abstract void atStop(Runnable release);

    // ---- state of other packages

    /** The value of a {@link LoopLocal}, which alone calls this. */
    @Nullable
    public abstract Object local(int index);

    /** Sets the value of a {@link LoopLocal}, which alone calls this. */
    public abstract void local(int index, @Nullable Object value);
}
