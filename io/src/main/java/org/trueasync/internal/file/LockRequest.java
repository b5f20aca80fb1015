package org.trueasync.internal.file;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;

/**
 * A lock that a coroutine wants, then has.
 *
 * <pre>
 *  WAITING -> ASKING   no lock of this process excludes it any more
 *  ASKING -> HELD      the system has locked it
 *  any -> LEFT         it was refused or abandoned, or the lock is released
 * </pre>
 *
 * A wait for another process is a call that can't be stopped: if the coroutine stops waiting, the call goes on, and its
 * lock is released (spec F35).
 */
public final class LockRequest {
    static final int WAITING = 0;
    static final int ASKING = 1;
    static final int HELD = 2;
    static final int LEFT = 3;

    final FileCore file;
    final long start;
    final long end;
    final boolean shared;
    /** What it asks the system for. Written under the table's monitor before its turn. */
    List<LockedParts.Range> asksFor = List.of();

    /** Written under the table's monitor. */
    volatile int state = WAITING;

    /** True once the coroutine has stopped waiting for the system's answer. Guarded by the table's monitor. */
    boolean abandoned;

    // Its place among the requests of the table, and those who wait for it. Guarded by the table's monitor.
    boolean entered;

    @Nullable
    LockRequest previous;

    @Nullable
    LockRequest next;

    final Set<LockRequest> followers = new LinkedHashSet<>(2);
    /** The set that it is in while it waits. */
    @Nullable
    Set<LockRequest> place;

    /** True if a coroutine of another loop, or another thread, may hold it up. Written under the table's monitor. */
    volatile boolean waitsForOthers;

    private final Turn turn;
    private @Nullable Asking asking;
    /** True once the caller has the lock. Until then only the coroutine itself may leave: it may be anywhere. */
    private boolean granted;

    private boolean ended;
    private boolean awaitsTurn;
    private boolean counted;

    LockRequest(FileCore file, long start, long size, boolean shared) {
        this.file = file;
        this.start = start;
        this.end = size >= Long.MAX_VALUE - start ? Long.MAX_VALUE : start + size;
        this.shared = shared;
        this.turn = new Turn();
    }

    Object key() {
        return file.handle.key();
    }

    /**
     * True if the later request has to wait for this one. Shared locks don't exclude each other, except until the
     * system has answered this one.
     */
    boolean blocks(LockRequest later) {
        boolean overlap = start < later.end && later.start < end;
        return overlap && !(shared && later.shared && state == HELD);
    }

    /** Its wait counts as active only while it {@link #waitsForOthers}, and after its turn has come. */
    private final class Turn extends IoRequest {
        Turn() {
            super(file.loop, "lock of " + file.path());
            setHidden(true);
        }

        @Override
        protected void armSource() {}

        @Override
        protected void disarmSource() {}
    }

    /** Wakes the coroutine, whose turn it is to ask the system. Any thread. */
    void wakeForTurn() {
        file.loop.post(() -> turn.complete(null), this::leaveQuietly);
    }

    private void leaveQuietly() {
        try {
            leave();
        } catch (RuntimeException e) {
            // the run has ended: there is nobody to tell, and closing the file unlocks it
        }
    }

    /** Lets the loop count the wait, or no longer. Any thread. */
    void postCount() {
        if (Runtimes.hereOrNull() == file.loop) count();
        else file.loop.post(this::count);
    }

    /*
     * If only coroutines of its own loop can end the wait, and all of them wait, that is a deadlock. The answer may
     * change while it waits. It is up to date when the loop looks for a deadlock: what makes it wait for others happens
     * on other loops, which count it late only as long as one of its own loop holds it up too.
     */
    private void count() {
        // Once its turn has come, another thread may still be about to say so.
        boolean counts = awaitsTurn && (state == ASKING || waitsForOthers);
        if (counts == counted) return;
        counted = counts;
        if (counts) file.loop.activeEvents().increment();
        else file.loop.activeEvents().decrement();
    }

    /** Suspends until it is locked. */
    void lock(@Nullable Completable<?> token) {
        try {
            if (LockTable.enter(this, true) == LockTable.Entry.WAIT) awaitTurn(token);
            if (!ask(Workers.FILES, this::tryAll, token)) {
                file.requireOpen("lock");
                ask(Workers.LOCKS, this::lockAll, token);
            }
            LockTable.held(this);
            // It may have been closed after the answer and before the coroutine ran.
            file.requireOpen("lock");
            granted = true;
        } catch (Throwable e) {
            leaveUnlessAsking();
            throw e;
        }
    }

    /** Suspends for the system's answer only; false if another lock excludes this one. */
    boolean tryLock(@Nullable Completable<?> token) {
        try {
            LockTable.Entry entry = LockTable.enter(this, false);
            // for a part that is being unlocked, or another file that is being closed: not for a lock
            if (entry == LockTable.Entry.WAIT) awaitTurn(token);
            boolean locked = entry != LockTable.Entry.REFUSED && ask(Workers.FILES, this::tryAll, token);
            if (locked) LockTable.held(this);
            else leave();
            if (locked) file.requireOpen("lock");
            granted = locked;
            return locked;
        } catch (Throwable e) {
            leaveUnlessAsking();
            throw e;
        }
    }

    /** Suspends until it may ask the system. Its turn may have come already. */
    void awaitTurn(@Nullable Completable<?> token) {
        awaitsTurn = true;
        try {
            count();
            turn.await(token);
        } finally {
            awaitsTurn = false;
            count();
        }
        file.requireOpen("lock");
    }

    /**
     * Asks the system on a helper thread. If the coroutine stops waiting, {@link #asking} stays set until the answer
     * has come, and the request leaves the table then.
     */
    private boolean ask(Workers workers, Callable<Boolean> call, @Nullable Completable<?> token) {
        var begun = new Asking(workers, call);
        asking = begun;
        boolean answered = false;
        try {
            boolean answer = Boolean.TRUE.equals(begun.await(token));
            answered = true;
            asking = null;
            return answer;
        } catch (InputOutputException e) {
            throw IoRequest.again(e);
        } finally {
            if (!answered && asking != null) LockTable.abandoned(this);
        }
    }

    /** The call that asks the system. If the coroutine stops waiting, the request ends when the answer comes. */
    private final class Asking extends Work<Boolean> {
        private boolean locked;

        Asking(Workers workers, Callable<Boolean> call) {
            super(file.loop, workers, "lock of " + file.path(), call, null);
        }

        @Override
        protected void unclaimed(@Nullable Boolean answer) {
            locked = Boolean.TRUE.equals(answer);
            // Leaving may meet a lock: not in the loop's frame.
            if (Runtimes.hereOrNull() == file.loop && !Thread.currentThread().isVirtual())
                file.loop.inService(this::end);
            else end();
        }

        /** May be suspended at the table's monitor, so its coroutine must not take it for over before it is. */
        private void end() {
            try {
                if (locked) LockTable.held(LockRequest.this);
            } finally {
                try {
                    leave();
                } finally {
                    asking = null;
                }
            }
        }
    }

    /** On a helper thread. */
    private boolean tryAll() {
        return all(range -> file.handle.tryLock(range.start(), range.size(), shared));
    }

    /** On a helper thread. */
    private boolean lockAll() {
        return all(range -> {
            file.handle.lock(range.start(), range.size(), shared);
            return true;
        });
    }

    private interface Locking {
        boolean lock(LockedParts.Range range);
    }

    /** Locks all that it asks for, or nothing. */
    private boolean all(Locking locking) {
        int done = 0;
        try {
            while (done < asksFor.size() && locking.lock(asksFor.get(done))) done++;
            return done == asksFor.size();
        } finally {
            if (done < asksFor.size()) for (LockedParts.Range range : asksFor.subList(0, done)) file.unlock(range);
        }
    }

    /** Releases the lock. A second call does nothing. */
    public void release() {
        if (ended) return;
        file.requireLoopThread("AsyncFileLock.close");
        leave();
    }

    private void leaveUnlessAsking() {
        if (asking == null) leave();
    }

    /** Gives up the lock, or the place in the queue. Loop thread, or after the end of the run. */
    private void leave() {
        if (ended) return;
        try {
            LockTable.leave(this);
        } finally {
            if (state == LEFT) {
                ended = true;
                file.released(this);
            }
        }
    }

    /** Called when the file is closed: releases the lock, or fails the wait for it. */
    void fail(Throwable error) {
        if (granted) leave();
        else if (asking != null) asking.fail(error);
        else turn.complete(error);
    }

    /** Called when the run has ended: its coroutine may have been left where it waited. */
    void runEnded() {
        leaveUnlessAsking();
    }

    /** True while the lock is held. */
    public boolean isHeld() {
        return !ended && state == HELD;
    }

    /** True if the lock is shared, false if it is exclusive. */
    public boolean isShared() {
        return shared;
    }

    /** Position in the file at which the lock begins. */
    public long position() {
        return start;
    }

    /** Length in bytes; {@link Long#MAX_VALUE} if the lock has no end. */
    public long size() {
        return end == Long.MAX_VALUE ? Long.MAX_VALUE : end - start;
    }
}
