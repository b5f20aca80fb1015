package org.trueasync.internal.await;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.OnceEvent;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopLocal;

/** The end of a {@link CompletionStage} that any thread may complete. */
public final class StageEvent extends OnceEvent implements HeldByWakers {
    /** The events of stages by stage, for reuse. Only the stage's callback, or a waiter, keeps an event reachable. */
    private static final LoopLocal<Map<CompletionStage<?>, WeakReference<StageEvent>>> EVENTS = new LoopLocal<>();

    private final Loop loop;
    private final CompletionStage<?> stage;
    private boolean attached;
    private boolean attaching = true;

    /**
     * Returns the event of a stage. A stage keeps every callback that was attached to it until it ends. So all waits
     * for one {@code CompletableFuture} share one event, however many of them give up. Each call for a stage of any
     * other class, subclasses included, makes a new event.
     *
     * @param loop the runtime's loop
     * @param stage the stage to wait for
     */
    public static StageEvent of(Loop loop, CompletionStage<?> stage) {
        // Another class may define equality of its own, and the map asks for it.
        if (!isPlain(stage)) return new StageEvent(loop, stage);
        Map<CompletionStage<?>, WeakReference<StageEvent>> all = EVENTS.get(loop);
        if (all == null) {
            all = new WeakHashMap<>();
            EVENTS.set(loop, all);
        }
        WeakReference<StageEvent> kept = all.get(stage);
        StageEvent known = kept == null ? null : kept.get();
        if (known != null && !known.isDisposed()) return known;
        var event = new StageEvent(loop, stage);
        all.put(stage, new WeakReference<>(event));
        return event;
    }

    private static boolean isPlain(CompletionStage<?> stage) {
        return stage.getClass() == CompletableFuture.class || stage instanceof Offload;
    }

    private StageEvent(Loop loop, CompletionStage<?> stage) {
        super(loop.activeEvents());
        this.loop = loop;
        this.stage = stage;
    }

    /** Takes the outcome of a future that is done, even if its callback's post has not reached the loop yet. */
    void takeOutcomeIfDone() {
        if (!hasHappened() && stage instanceof CompletableFuture<?> future && isPlain(stage) && future.isDone())
            stage.whenComplete(this::ended);
    }

    @Override
    protected void armSource() {
        attach();
        takeOutcomeIfDone();
    }

    private void attach() {
        if (attached) return;
        attached = true;
        Thread here = Thread.currentThread();
        stage.whenComplete((v, e) -> {
            // Called from inside whenComplete: the stage had ended already, and so has the wait.
            if (attaching && Thread.currentThread() == here) ended(v, e);
            else loop.post(() -> ended(v, e));
        });
        attaching = false;
    }

    private void ended(@Nullable Object result, @Nullable Throwable thrown) {
        if (hasHappened()) return;
        happen(result, thrown == null ? null : Throwing.forAwaiter(unwrapped(thrown)));
    }

    /**
     * Returns the error for the awaiter: the original one that a stage's task threw; a cancellation for a cancelled
     * stage.
     */
    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = Causes.cause(thrown);
        if ((thrown instanceof CompletionException || thrown instanceof ExecutionException) && cause != null)
            return cause;
        if (thrown instanceof CancellationException)
            return new AsyncCancellation("the awaited stage was cancelled", thrown);
        return thrown;
    }

    @Override
    public String info() {
        if (stage instanceof Offload offload) return offload.toString();
        return "completion stage " + stage.getClass().getSimpleName() + (hasHappened() ? ", completed" : ", pending");
    }
}
