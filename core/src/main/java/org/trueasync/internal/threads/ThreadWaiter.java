package org.trueasync.internal.threads;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.list.IntrusiveList;
import org.trueasync.internal.machine.Machine;

/**
 * One call of somebody who may have to wait for other threads: a link of a line inside a {@link FlatCombiner}. It begins inside, by the caller itself or by whoever is
 * there; it ends once, and the caller finds its outcome in the fields of the subclass.
 *
 * <pre>
 *  UNDER WAY -> ENDED      before the caller has parked
 *  UNDER WAY -> its Parker -> ENDED   the parker is told
 * </pre>
 */
abstract class ThreadWaiter extends IntrusiveList.Node implements Runnable {
    private static final Object ENDED = new Object();
    private static final int SPINS = Machine.parallelism() > 1 ? 64 : 0;

    private final @Nullable Loop loop;
    private final AtomicReference<@Nullable Object> progress = new AtomicReference<>();
    private volatile boolean begun;
    private boolean gone;
    private @Nullable Throwable bug;
    private @Nullable FlatCombiner gate;

    /**
     * A call that has not begun.
     *
     * @param loop see {@link Parker#loopHere}
     */
    ThreadWaiter(@Nullable Loop loop) {
        this.loop = loop;
    }

    /** Begins it; inside. */
    @Override
    public final void run() {
        try {
            if (!gone) begin();
        } catch (Throwable e) {
            bug = e; // memory is exhausted: the caller is told
            end();
        }
        begun = true;
    }

    /** Ends it at once, or puts it into a line. Inside; not called if its caller has gone before. */
    abstract void begin();

    /** The caller is gone without having seen the outcome, or has been told to leave: takes it out of its line or gives back what it has got. Inside. */
    abstract void withdraw();

    private void leave() {
        gone = true;
        withdraw();
    }

    /** It has its outcome. Inside, once. */
    final void end() {
        if (progress.getAndSet(ENDED) instanceof Parker parker) parker.end();
    }

    /**
     * Has it begin, and waits for its end.
     *
     * @param gate where it belongs
     * @param token gives the wait up, or null; it was open when the caller began, and nothing has run since
     * @throws org.trueasync.AsyncCancellation if cancelled or given up; {@link #withdraw} follows
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

    /** Its run ended before it could be told. On a thread of the JDK's. */
    final void orphaned() {
        if (gate != null) gate.run(this::leave);
    }

    /**
     * The caller was cancelled, but what it wanted has been done: it goes on, and is cancelled at its next wait instead.
     *
     * @param cancellation what the wait has thrown
     * @param loop of the caller, or null
     * @param token the one that it waited with, or null; that it has fired is not told again
     */
    static void cameTooLate(AsyncCancellation cancellation, @Nullable Loop loop, @Nullable Completable<?> token) {
        boolean byToken = cancellation instanceof OperationCanceledException && token != null && token.isCompleted();
        if (loop != null && !byToken) loop.requireCurrent("a wait").cancel(cancellation);
    }
}
