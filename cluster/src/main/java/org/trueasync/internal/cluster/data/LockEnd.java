package org.trueasync.internal.cluster.data;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.Mutex;
import org.trueasync.Section;
import org.trueasync.cluster.ClusterException;
import org.trueasync.internal.cluster.EngineWaits;
import org.trueasync.spi.SchedulerProvider;

/**
 * A lock as one member sees it: a mutex for its own coroutines, and behind it the turn among members.
 *
 * <p>Loop thread only.
 */
public final class LockEnd {
    private final Shared shared;
    private final String name;
    private final String wakeUpKey;
    private final Mutex local;
    private @Nullable Coroutine<?> holder;
    private long fence;

    LockEnd(Shared shared, String name) {
        this.shared = shared;
        this.name = name;
        wakeUpKey = "lock " + name;
        local = new Mutex(name);
    }

    /**
     * Takes the lock; waits for it.
     *
     * @param token ends the wait, null for none
     */
    public void lock(@Nullable Completable<?> token) {
        EngineWaits.throwIfEnded(token);
        if (token == null) local.lock();
        else local.lock(token);
        try {
            awaitTurn(token);
            holder = Async.currentCoroutine();
        } catch (RuntimeException | Error e) {
            leaveQueue(e);
            local.unlock();
            throw e;
        }
    }

    private void awaitTurn(@Nullable Completable<?> token) {
        boolean passing = false;
        while (true) {
            CompletableFuture<Boolean> wakeUp = shared.wakeUps().listen(wakeUpKey);
            if (take(true, passing)) return;
            passing = !shared.awaitWakeUp(wakeUpKey, wakeUp, token);
        }
    }

    /** Takes the lock if no other holder or waiter is before it. */
    public boolean tryLock() {
        if (!local.tryLock()) return false;
        boolean taken = false;
        try {
            taken = take(false, false);
            if (taken) holder = Async.currentCoroutine();
        } finally {
            if (!taken) local.unlock();
        }
        return taken;
    }

    /** Gives the lock back. */
    public void unlock() {
        requireHeld();
        holder = null;
        long mine = fence;
        try {
            if (give(mine).fence == 0)
                throw new ClusterException(
                        this + " was lost while it was held: the others have taken this member for gone");
        } finally {
            local.unlock();
        }
    }

    /** Returns the fence that the holder got with the lock. */
    public long fence() {
        requireHeld();
        return fence;
    }

    /** True if the calling coroutine holds the lock. */
    public boolean isHeldByCurrent() {
        return holder == Async.currentCoroutine();
    }

    private void requireHeld() {
        if (!isHeldByCurrent())
            throw new ClusterException("coroutine " + Async.currentCoroutine().id() + " does not hold " + this);
    }

    private void leaveQueue(Throwable because) {
        try {
            give(0);
        } catch (RuntimeException | AsyncCancellation e) {
            because.addSuppressed(e);
        }
    }

    /** Gives the lock or the place in the queue back, even if a cancellation is pending: others wait for it. */
    private LockReply give(long mine) {
        return SchedulerProvider.get().shield(() -> call(new GiveLock(shared.self(), mine)));
    }

    private boolean take(boolean waits, boolean passing) {
        var call = new TakeLock(shared.self(), waits, passing, System.currentTimeMillis());
        long got = Async.protect((Section<LockReply, RuntimeException>) () -> call(call)).fence;
        if (got != 0) fence = got;
        return got != 0;
    }

    private LockReply call(LockCall call) {
        LockReply reply = shared.call(SharedConfig.LOCKS, name, call, null, "lock '" + name + "'");
        shared.wakeUps().wake(reply.next, wakeUpKey);
        return reply;
    }

    @Override
    public String toString() {
        return "cluster lock '" + name + "'";
    }
}
