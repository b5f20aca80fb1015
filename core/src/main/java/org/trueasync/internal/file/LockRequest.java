package org.trueasync.internal.file;

import java.util.ArrayList;
import java.util.List;
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
 * </pre>
 *
 * A wait for another process is a call that can't be stopped: if the coroutine stops waiting, the call goes on, and its
 * lock is released (spec F35).
 */
public final class LockRequest {
    static final int WAITING = 0;
    static final int ASKING = 1;
    static final int HELD = 2;

    final FileCore file;
    final long start;
    final long end;
    final boolean shared;
    /**
     * The parts that this request asks the system for. This and {@link #relied} are guarded by the table's monitor
     * until it asks.
     */
    final List<LockTable.Part> own = new ArrayList<>(1);

    /** All parts that the lock relies on: its own and those that earlier locks have locked. */
    final List<LockTable.Part> relied = new ArrayList<>(1);

    volatile int state = WAITING;

    private final Turn turn;
    private @Nullable Asking asking;
    private boolean ended;

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

    private final class Turn extends IoRequest {
        Turn() {
            super(file.loop, "lock of " + file.path());
        }

        @Override
        protected void armSource() {}

        @Override
        protected void disarmSource() {}
    }

    /** Wakes the coroutine, whose turn it is to ask the system. Any thread. */
    void wakeForTurn() {
        file.loop.post(() -> turn.complete(null), this::leave);
    }

    /** Suspends until it is locked. */
    void lock(@Nullable Completable<?> token) {
        if (!LockTable.enter(this, true)) awaitTurn(token);
        if (!ask(Workers.FILES, this::tryAll, token)) {
            requireOpen();
            ask(Workers.LOCKS, this::lockAll, token);
        }
        LockTable.held(this);
        requireOpen();
    }

    /**
     * Throws if the file is closed. It may have been closed after the answer and before the coroutine ran;
     * {@link #fail} missed the lock then.
     */
    private void requireOpen() {
        try {
            file.requireOpen("lock");
        } catch (Throwable e) {
            leave();
            throw e;
        }
    }

    private void awaitTurn(@Nullable Completable<?> token) {
        // If only coroutines of this runtime can release it, and all of them wait, that is a deadlock.
        turn.setHidden(LockTable.waitsForOwnRuntimeOnly(this));
        try {
            turn.await(token);
        } catch (Throwable e) {
            leave();
            throw e;
        }
        requireOpen();
    }

    /** Suspends for the system's answer only; false if another lock excludes this one. */
    boolean tryLock(@Nullable Completable<?> token) {
        boolean locked = LockTable.enter(this, false) && ask(Workers.FILES, this::tryAll, token);
        if (locked) LockTable.held(this);
        else leave();
        if (locked) requireOpen();
        return locked;
    }

    /**
     * Asks the system on a helper thread. If this throws, the request leaves the table by itself: now, or when the
     * answer has come.
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
            if (!answered && asking != null) begun.countAsActive();
        }
    }

    /** The call that asks the system. If the coroutine stops waiting, the request ends when the answer comes. */
    private final class Asking extends Work<Boolean> {
        private boolean counted;

        Asking(Workers workers, Callable<Boolean> call) {
            super(file.loop, workers, "lock of " + file.path(), call, null);
        }

        /**
         * Counts the call as active: its coroutine has stopped waiting, but others may wait for this request to leave,
         * and the answer wakes them.
         */
        void countAsActive() {
            counted = true;
            file.loop.activeEvents().increment();
        }

        @Override
        protected void unclaimed(@Nullable Boolean locked) {
            asking = null;
            boolean held = Boolean.TRUE.equals(locked);
            boolean onLoop = Runtimes.hereOrNull() == file.loop;
            // Leaving may meet a lock: not in the loop's frame.
            if (onLoop && !Thread.currentThread().isVirtual()) file.loop.inService(() -> end(held, true));
            else end(held, onLoop);
        }

        private void end(boolean held, boolean onLoop) {
            try {
                if (held) LockTable.held(LockRequest.this);
                leave();
            } finally {
                if (counted && onLoop) file.loop.activeEvents().decrement();
            }
        }
    }

    /** On a helper thread. */
    private boolean tryAll() {
        return all(part -> file.handle.tryLock(part.start, part.size(), shared));
    }

    /** On a helper thread. */
    private boolean lockAll() {
        return all(part -> {
            file.handle.lock(part.start, part.size(), shared);
            return true;
        });
    }

    private interface Locking {
        boolean lock(LockTable.Part part);
    }

    /** Locks all own parts or none. */
    private boolean all(Locking locking) {
        int done = 0;
        try {
            while (done < own.size() && locking.lock(own.get(done))) done++;
            return done == own.size();
        } finally {
            if (done < own.size()) for (LockTable.Part part : own.subList(0, done)) file.unlock(part);
        }
    }

    /** Releases the lock. A second call does nothing. */
    public void release() {
        if (ended) return;
        file.requireLoopThread("AsyncFileLock.close");
        leave();
    }

    /** Gives up the lock, or the place in the queue. Loop thread, or after the end of the run. */
    private void leave() {
        if (ended) return;
        ended = true;
        LockTable.leave(this);
        file.released(this);
    }

    /** Called when the file is closed: releases the lock if it is held, else fails the wait for it. */
    void fail(Throwable error) {
        if (state == HELD && asking == null) leave();
        else if (asking != null) asking.fail(error);
        else turn.complete(error);
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
