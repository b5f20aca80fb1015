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
 *  WAITING -> ASKING   nobody of this process is in the way
 *  ASKING -> HELD      the system has locked it
 * </pre>
 *
 * A wait for another process is a call that can't be stopped: if nobody waits for it any more, it goes on, and is undone (spec F35).
 */
public final class LockRequest {
    static final int WAITING = 0;
    static final int ASKING = 1;
    static final int HELD = 2;

    final FileCore file;
    final long start;
    final long end;
    final boolean shared;
    /** What the system is asked for, and what it has locked for this and for others in front. Both under the table's monitor until it asks. */
    final List<LockTable.Part> own = new ArrayList<>(1);

    final List<LockTable.Part> relied = new ArrayList<>(1);
    volatile int state = WAITING;

    private final Turn turn;
    private @Nullable Asking asking;
    private boolean over;

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

    /** Two shared locks don't exclude each other, but while one asks the system it is not known what will be locked. */
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

    /** Any thread, under the table's monitor. */
    void turnHasCome() {
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

    /** The file may have been closed between an answer and the turn of the coroutine that waited for it; closing did not see this lock then. */
    private void requireOpen() {
        try {
            file.requireOpen("lock");
        } catch (Throwable e) {
            leave();
            throw e;
        }
    }

    private void awaitTurn(@Nullable Completable<?> token) {
        // Where nobody but ourselves can give it back, and all of us wait, that is a deadlock.
        turn.setHidden(LockTable.waitsForItsOwnOnly(this));
        try {
            turn.await(token);
        } catch (Throwable e) {
            leave();
            throw e;
        }
        requireOpen();
    }

    /** Suspends for the system's answer only; false if it is locked by somebody else. */
    boolean tryLock(@Nullable Completable<?> token) {
        boolean locked = LockTable.enter(this, false) && ask(Workers.FILES, this::tryAll, token);
        if (locked) LockTable.held(this);
        else leave();
        if (locked) requireOpen();
        return locked;
    }

    /** If this throws, the request leaves by itself: now, or when the answer has come. */
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
            if (!answered && asking != null) begun.goesOn();
        }
    }

    /** The system is asked. If nobody waits for the answer any more, the request ends when it comes. */
    private final class Asking extends Work<Boolean> {
        private boolean counted;

        Asking(Workers workers, Callable<Boolean> call) {
            super(file.loop, workers, "lock of " + file.path(), call, null);
        }

        /** Nobody waits for the answer, but others may wait for this one to leave: something can still wake them. */
        void goesOn() {
            counted = true;
            file.loop.activeEvents().increment();
        }

        @Override
        protected void unclaimed(@Nullable Boolean locked) {
            asking = null;
            if (counted && Runtimes.hereOrNull() == file.loop)
                file.loop.activeEvents().decrement();
            if (Boolean.TRUE.equals(locked)) LockTable.held(LockRequest.this);
            leave();
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

    /** All of them or none. */
    private boolean all(Locking locking) {
        int done = 0;
        try {
            while (done < own.size() && locking.lock(own.get(done))) done++;
            return done == own.size();
        } finally {
            if (done < own.size()) for (LockTable.Part part : own.subList(0, done)) file.unlock(part);
        }
    }

    /** Gives the lock back. Again does nothing. */
    public void release() {
        if (over) return;
        file.requireLoopThread("AsyncFileLock.close");
        leave();
    }

    /** Gives the lock, or the place in line, back. Loop thread, or after the end of the run. */
    private void leave() {
        if (over) return;
        over = true;
        LockTable.leave(this);
        file.released(this);
    }

    /** The file is closed: whoever waits for the lock gets an error, whoever has it loses it. */
    void fail(Throwable error) {
        if (state == HELD && asking == null) leave();
        else if (asking != null) asking.fail(error);
        else turn.complete(error);
    }

    /** True while the lock is held. */
    public boolean isHeld() {
        return !over && state == HELD;
    }

    /** As it was asked for. */
    public boolean isShared() {
        return shared;
    }

    /** Where it begins. */
    public long position() {
        return start;
    }

    /** How long it is; {@link Long#MAX_VALUE} for all there may ever be. */
    public long size() {
        return end == Long.MAX_VALUE ? Long.MAX_VALUE : end - start;
    }
}
