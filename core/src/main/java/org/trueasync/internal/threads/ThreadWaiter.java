package org.trueasync.internal.threads;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.queue.IntrusiveList;
import org.trueasync.internal.run.Machine;

/**
 * One call that may have to wait for other threads: a link of a queue inside a {@link FlatCombiner}. The caller or the
 * thread inside begins it there. It ends once, and the caller finds its outcome in the fields of the subclass.
 *
 * <pre>
 *  UNDER WAY -> ENDED      before the caller has parked
 *  UNDER WAY -> its Parker -> ENDED   the parker ends the wait
 * </pre>
 */
abstract class ThreadWaiter extends IntrusiveList.Node implements Runnable {
    private static final Object ENDED = new Object();
    private static final int SPINS = Machine.parallelism() > 1 ? 64 : 0;

    private final @Nullable Loop loop;
    private final AtomicReference<@Nullable Object> progress = new AtomicReference<>();
    private volatile boolean begun;
    private boolean callerHasLeft;
    private @Nullable Throwable bug;
    private @Nullable FlatCombiner gate;

    /**
     * Creates a call that has not begun.
     *
     * @param loop see {@link Parker#loopHere}
     */
    ThreadWaiter(@Nullable Loop loop) {
        this.loop = loop;
    }

    /** Begins the call. Inside. */
    @Override
    public final void run() {
        try {
            if (!callerHasLeft) begin();
        } catch (Throwable e) {
            bug = e; // memory is exhausted: the caller throws it
            end();
        }
        begun = true;
    }

    /** Ends the call at once, or puts it into a queue. Inside; not called if its caller has left before. */
    abstract void begin();

    /**
     * Called when the caller has left without having seen the outcome: removes the call from its queue, or gives back
     * what it has got. Inside.
     */
    abstract void withdraw();

    private void leave() {
        callerHasLeft = true;
        withdraw();
    }

    /** Ends the call, which has its outcome. Inside, once. */
    final void end() {
        if (progress.getAndSet(ENDED) instanceof Parker parker) parker.end();
    }

    /**
     * Has the call begin, and waits for its end.
     *
     * @param gate the combiner of its state
     * @param token gives the wait up, or null; it had not fired when the caller began, and no other coroutine has run
     *     since
     * @throws org.trueasync.AsyncCancellation if the caller is cancelled or the token fires; {@link #withdraw} follows
     */
    final void call(FlatCombiner gate, @Nullable Completable<?> token) {
        this.gate = gate;
        gate.run(this);
        for (int i = 0; i < SPINS && !begun; i++) Thread.onSpinWait();
        if (progress.get() != ENDED) park(gate, token);
        if (bug != null) throw Throwing.sneaky(bug);
    }

    private void park(FlatCombiner gate, @Nullable Completable<?> token) {
        try {
            Parker parker = loop == null ? new ThreadParker(this) : new CoroutineParker(loop, this);
            if (progress.compareAndSet(null, parker)) parker.await(token);
        } catch (Throwable e) {
            gate.run(this::leave);
            throw e;
        }
    }

    /** Withdraws the call if the caller's run ended before the outcome arrived. On a thread of the JDK's. */
    final void orphaned() {
        if (gate != null) gate.run(this::leave);
    }

    /**
     * Cancels the caller at its next wait instead, because its call had succeeded before the cancellation.
     *
     * @param cancellation the exception of the wait
     * @param loop the caller's loop, or null
     * @param token the token of the wait, or null; if it was the cause, there is no cancellation at the next wait
     */
    static void cancelNextWait(AsyncCancellation cancellation, @Nullable Loop loop, @Nullable Completable<?> token) {
        boolean byToken = cancellation instanceof OperationCanceledException && token != null && token.isCompleted();
        if (loop != null && !byToken) loop.requireCurrent("a wait").cancel(cancellation);
    }
}
