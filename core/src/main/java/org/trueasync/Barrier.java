package org.trueasync;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.sync.Gate;
import org.trueasync.internal.task.Tasks;

/**
 * A place where a number of coroutines wait for each other, round after round. A coroutine that leaves before the round
 * is complete (cancelled, or its token ended) has not arrived; the others go on waiting. Loop thread only, except
 * {@code arrivedCount}; for the coroutines of one runtime.
 */
public final class Barrier {
    private final @Nullable String name;
    private final Loop loop;
    private final int parties;
    private final @Nullable Body action;
    private Gate round = new Gate(this::toString);
    private int arrived;

    /**
     * Creates a barrier for that many coroutines.
     *
     * @param parties >= 1
     * @throws IllegalArgumentException if fewer
     * @throws AsyncException outside a runtime
     */
    public Barrier(int parties) {
        this(parties, null, null);
    }

    /**
     * Creates a barrier for that many coroutines, with an action at the end of each round.
     *
     * @param parties >= 1
     * @param action run by the last coroutine to arrive, before the others go on; may wait. If it throws, {@code await}
     *     throws the error in all coroutines of this round; a cancellation only in the coroutine that runs it, and in
     *     the others an {@link AsyncException} with it as the cause
     */
    public Barrier(int parties, Body action) {
        this(parties, Objects.requireNonNull(action, "action"), null);
    }

    /**
     * As {@link #Barrier(int)}, with a name that {@code toString} and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @param parties >= 1
     */
    public Barrier(String name, int parties) {
        this(parties, null, Names.readable(name));
    }

    /**
     * As {@link #Barrier(int, Body)}, with a name that {@code toString} and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @param parties >= 1
     * @param action run by the last coroutine to arrive, before the others go on; may wait. If it throws, {@code await}
     *     throws the error in all coroutines of this round; a cancellation only in the coroutine that runs it, and in
     *     the others an {@link AsyncException} with it as the cause
     */
    public Barrier(String name, int parties, Body action) {
        this(parties, Objects.requireNonNull(action, "action"), Names.readable(name));
    }

    private Barrier(int parties, @Nullable Body action, @Nullable String name) {
        if (parties < 1) throw new IllegalArgumentException("parties of a barrier must be >= 1, got " + parties);
        this.loop = Runtimes.here("new Barrier");
        this.parties = parties;
        this.action = action;
        this.name = name;
    }

    /**
     * Waits until all have arrived. The last one to arrive does not wait, but runs the action, if there is one.
     *
     * @return how many had arrived before, from 0
     * @throws AsyncCancellation if this coroutine was cancelled, and has to wait
     * @throws AsyncException if the action was cancelled, with the cancellation as the cause
     * @throws java.util.concurrent.CompletionException with a checked exception of the action as its cause; any other
     *     error of the action is thrown as it is
     */
    public int await() {
        return arrive(null);
    }

    /**
     * As {@link #await()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call; its error is the cause
     */
    public int await(Completable<?> cancellation) {
        return arrive(Objects.requireNonNull(cancellation, "cancellation"));
    }

    private int arrive(@Nullable Completable<?> cancellation) {
        String call = "Barrier.await";
        loop.requireLoopThread(call);
        Awaiting.admit(cancellation);
        Gate mine = round;
        int before = arrived++;
        if (arrived == parties) {
            complete(mine);
            return before;
        }
        try {
            mine.pass(cancellation, call);
            return before;
        } catch (Throwable e) {
            if (mine == round) arrived--;
            throw e;
        }
    }

    /**
     * Completes a round. The next round begins before the action, which may wait: coroutines that arrive meanwhile
     * belong to the next round.
     */
    private void complete(Gate mine) {
        round = new Gate(this::toString);
        arrived = 0;
        Throwable failure = null;
        try {
            if (action != null) Tasks.of(action).call();
        } catch (Throwable e) {
            failure = Throwing.forAwaiter(e);
        }
        mine.open(failure instanceof AsyncCancellation cancelled ? actionWasCancelled(cancelled) : failure);
        if (failure != null) throw Throwing.sneaky(failure);
    }

    /** What the others get: with the cancellation itself they would end as if they had been cancelled. */
    private AsyncException actionWasCancelled(AsyncCancellation cancelled) {
        return new AsyncException(
                "the action of " + Names.of("barrier", name) + " was cancelled, so this round is broken;"
                        + " coroutines that arrive now begin another one",
                cancelled);
    }

    /** Returns how many have arrived in this round. */
    public int arrivedCount() {
        return arrived;
    }

    @Override
    public String toString() {
        return Names.of("barrier", name) + ", " + arrived + " of " + parties + " arrived";
    }
}
