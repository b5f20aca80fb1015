package org.trueasync.internal.scope;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.IterateAction;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.ResumeCallback;

/** The caller's side of an {@link Iteration}: runs it in a scope of its own, and leaves nothing of it behind. */
public final class Iterating {
    private static final String CALL = "Async.iterate";

    private final CoroutineImpl<?> self;
    private final CoroutineScope scope;
    private final Iteration<?> run;
    /** The wait for the scope to become empty; it also gets errors of coroutines that the actions have spawned. */
    private final ScopeWait members;

    /** The exception that the caller will throw. */
    private @Nullable Throwable thrown;

    private Iterating(CoroutineImpl<?> self, CoroutineScope scope, Iteration<?> run) {
        this.self = self;
        this.scope = scope;
        this.run = run;
        this.members = new ScopeWait(scope, true);
    }

    /**
     * Calls the action for each item; returns when all calls have ended.
     *
     * @param source a collection, of which a snapshot is taken, or anything lazy
     * @param action returns false to stop
     * @param concurrency the number of calls that may be in progress; 0 for no limit
     * @param cancelPending whether coroutines that the actions have spawned are in the end cancelled, or awaited
     */
    public static <E> void iterate(
            Iterable<? extends E> source, IterateAction<? super E> action, int concurrency, boolean cancelPending) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(action, "action");
        if (concurrency < 0)
            throw new IllegalArgumentException("concurrency must be >= 0, 0 for no limit, got " + concurrency);
        CoroutineImpl<?> self = Runtimes.currentCoroutine(CALL);
        Iterable<? extends E> items = source instanceof Collection<? extends E> c ? snapshot(c) : source;
        if (items instanceof List<?> known && known.isEmpty()) return;
        CoroutineScope scope = self.scope().child();
        var run = new Iteration<E>(scope, items, action, concurrency);
        new Iterating(self, scope, run).perform(cancelPending);
    }

    @SuppressWarnings("unchecked") // what the collection holds
    private static <E> List<E> snapshot(Collection<? extends E> source) {
        return (List<E>) Arrays.asList(source.toArray());
    }

    private void perform(boolean cancelPending) {
        members.begin();
        boolean ended = false;
        try {
            try {
                run.startWorker();
                while (!run.isOver() && scope.isPopulated()) await();
                if (!cancelPending && run.failure() == null) while (scope.isPopulated()) await();
            } catch (Throwable e) {
                thrown = e;
            }
            end();
            ended = true;
        } finally {
            members.end();
            if (!ended) run.callerLeaves(self);
        }
        if (thrown != null) throw Throwing.sneaky(Throwing.forAwaiter(thrown));
    }

    /**
     * Waits until something has changed; throws the error of an action, or of a coroutine that an action has spawned.
     */
    private void await() {
        park();
        Throwable spawned = members.keepNewErrors();
        // If there are both, the action's error is thrown: the spawned coroutines have been cancelled because of it.
        Throwable error = run.failure() != null ? run.failure() : spawned;
        if (error != null) throw Throwing.sneaky(error);
    }

    private void park() {
        self.newWait();
        self.resumeWhen(run, ResumeCallback.RESOLVE);
        self.resumeWhen(members, ResumeCallback.RESOLVE);
        self.awaitEvents();
    }

    /**
     * Cancels all that still runs, and waits for its end. A cancellation of the caller does not shorten this wait,
     * because everything has been told to end.
     */
    private void end() {
        boolean succeeded = thrown == null && run.failure() == null;
        run.cancelAll(succeeded ? "iterate has ended" : "iterate has ended early");
        while (scope.isPopulated()) {
            try {
                self.shield(() -> {
                    park();
                    return null;
                });
            } catch (AsyncCancellation cancelled) {
                // Not even a shutdown ends this wait early: it has told the others to end as well. Only its expired
                // deadline does.
                if (self.loop().isOver()) {
                    if (run.failure() instanceof AsyncCancellation ofAction) Causes.handOn(ofAction, cancelled);
                    throw cancelled;
                }
                failed(cancelled);
            }
        }
        Throwable late = members.take();
        if (late != null) failed(late);
        if (run.failure() != null) failed(run.failure());
        AsyncCancellation interruption = run.interruption();
        if (thrown == null) thrown = interruption;
        else if (interruption != null) Causes.handOn(interruption, thrown); // errors of sections that it has replaced
    }

    /**
     * Sets the exception to throw. An error replaces a cancellation; of several errors the first one is thrown, with
     * the others attached.
     */
    private void failed(Throwable error) {
        Throwable first = thrown;
        if (first == null) {
            thrown = error;
        } else if (error instanceof AsyncCancellation) {
            // The first error says more; the caller's own cancellation becomes its cause by itself.
        } else if (first instanceof AsyncCancellation) {
            thrown = error;
            if (first instanceof OperationCanceledException) thrown = Causes.joined(error, first);
        } else {
            thrown = Causes.joined(first, error);
        }
    }
}
