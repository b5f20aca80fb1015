package org.trueasync.internal.scope;

import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.IterateAction;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;

/**
 * One run over a source. It is itself the event that all its workers have ended. A worker takes an item, calls the
 * action, and takes the next item, as long as the action does not suspend. When a coroutine gives up control, a
 * microtask checks whether a worker is inside the action, and then starts another worker for the next item. So a source
 * whose actions never wait costs one coroutine.
 *
 * <pre>
 *  a worker:  at the source, one at a time  ->  in the action  ->  at the source  -> ...
 * </pre>
 *
 * <p>A worker that finds another one at the source ends: that one takes the next item, and while its action waits, a
 * further worker is started for the item after that. So while items are left, a worker is at the source, in the action,
 * or about to begin.
 */
final class Iteration<E> extends Event implements WaitForNode, HeldByWakers {
    private final CoroutineScope scope;
    private final Iterable<? extends E> items;
    private final IterateAction<? super E> action;
    private final int concurrency;
    private final String site;
    private final @Nullable Inheritance inheritance;
    private final Microtask goOn = Microtask.of(this::goOn);
    /** The iterator; null until the first item is wanted, as making it may wait. */
    private @Nullable Iterator<? extends E> source;
    /** The number of workers that have not ended. */
    private int workers;
    /** The number of actions in progress. */
    private int busy;
    /** True while a worker is queued and has not begun. */
    private boolean starting;
    /** True while a worker takes the next item. */
    private boolean atSource;
    /** True once no further items are taken. */
    private boolean stopped;
    /**
     * The first cancellation that an action, the source or a worker ended with after the scope was cancelled or the run
     * had failed; null if none did.
     */
    private @Nullable AsyncCancellation interruption;
    /** The first error of the source or of an action; a cancellation only while there is no other one. */
    private @Nullable Throwable failure;
    /** The caller, once it has left before the end; then nobody asks for errors any more. */
    private @Nullable CoroutineImpl<?> gone;

    /**
     * Creates a run that has not begun.
     *
     * @param scope the scope of its coroutines
     * @param items the source
     * @param action called for each item
     * @param concurrency the number of actions that may be in progress; 0 for no limit
     */
    Iteration(CoroutineScope scope, Iterable<? extends E> items, IterateAction<? super E> action, int concurrency) {
        this.scope = scope;
        this.items = items;
        this.action = action;
        this.concurrency = concurrency == 0 ? Integer.MAX_VALUE : concurrency;
        this.site = scope.loop().settings().spawnSite();
        this.inheritance = scope.loop().inheritance();
    }

    // ---- workers

    private final class Worker extends EventCallback implements Callable<Object> {
        private boolean begun;

        @Override
        @SuppressWarnings("NullAway") // a task without a value
        public Object call() {
            begun = true;
            starting = false;
            // A slot is free: that of its own last action, or the one that it was started for, which no other worker
            // can take.
            while (!atSource && !stopped) visitNext();
            return null;
        }

        boolean isOf(Iteration<?> run) {
            return Iteration.this == run;
        }

        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
            event.removeCallback(this);
            workers--;
            if (!begun) {
                starting = false;
                // If the scope lets begun workers run on, they take the remaining items.
                if (workers == 0 || !scope.isCancelled()) failed(Objects.requireNonNull(error));
            }
            if (workers == 0) notifyCallbacks(null, null);
        }
    }

    void startWorker() {
        var worker = new Worker();
        CoroutineImpl<Object> coroutine =
                scope.spawn(CoroutineKind.ORDINARY, null, Tasks.task((Callable<Object>) worker));
        coroutine.setSpawnLocation(site);
        coroutine.inherits(inheritance == null ? null : inheritance.copy());
        coroutine.markObserved();
        coroutine.addCallback(worker);
        starting = true;
        workers++;
    }

    /**
     * Runs when a coroutine gives up control: if a worker is inside the action, starts another one for the next item.
     */
    private void goOn() {
        if (workers == 0 || stopped || atSource || starting || busy >= concurrency || scope.isCancelled()) return;
        try {
            startWorker();
        } catch (Throwable e) {
            failed(e);
            scope.loop().inService(this::cancelOthers);
        }
    }

    // ---- in a worker

    private void visitNext() {
        boolean found = false;
        E item = null;
        atSource = true;
        try {
            scope.loop().shareLoop();
            Iterator<? extends E> from = source;
            if (from == null) source = from = items.iterator();
            found = !stopped && from.hasNext();
            if (found) item = from.next();
            else stopped = true;
        } catch (Throwable e) {
            failed(e);
            cancelOthers();
        } finally {
            atSource = false;
        }
        if (found && !stopped) visit(item);
    }

    @SuppressWarnings("NullAway") // E says whether an item may be null
    private void visit(@Nullable E item) {
        busy++;
        goOn.enqueue();
        try {
            if (!action.visit(item)) stopped = true;
        } catch (Throwable e) {
            failed(e);
            cancelOthers();
        } finally {
            busy--;
        }
    }

    // ---- its end

    private void failed(Throwable error) {
        stopped = true;
        if (error instanceof AsyncCancellation cancellation && (scope.isCancelled() || failure != null)) {
            if (interruption == null) interruption = cancellation;
            else Causes.handOn(cancellation, interruption);
        } else if (failure instanceof AsyncCancellation) {
            failure = Causes.joined(error, failure);
        } else {
            failure = Causes.joined(failure, error);
        }
        report(error);
    }

    /** Gives errors to the scope, also those that come later: the caller leaves before the end. */
    void callerLeaves(CoroutineImpl<?> caller) {
        gone = caller;
        report(failure);
    }

    private void report(@Nullable Throwable error) {
        if (gone != null && error != null && !(error instanceof AsyncCancellation)) scope.report(gone, error);
    }

    /** Cancels the actions in progress, after an error. In a coroutine. */
    private void cancelOthers() {
        if (failure != null) cancelAll("iterate has failed: another action, or the source, threw");
    }

    /**
     * Takes no further items, and cancels the actions in progress. In a coroutine.
     *
     * @param why the message of the cancellation
     */
    void cancelAll(String why) {
        stopped = true;
        scope.setLetsRunOn(false);
        scope.cancel(why, false);
    }

    boolean isOver() {
        return workers == 0;
    }

    /** Returns the first error of the source or of an action, with later ones attached, or null. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    @Nullable
    AsyncCancellation interruption() {
        return interruption;
    }

    /** Adds the workers, and with them what their actions have spawned. */
    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        return scope.addAllTo(by);
    }

    @Override
    public @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        Object task = ((CoroutineImpl<?>) sought).task();
        return task instanceof Iteration<?>.Worker worker && worker.isOf(this) ? sought : null;
    }

    @Override
    public String info() {
        return "iterate, " + busy + " in progress" + (stopped ? ", no further items" : "");
    }
}
