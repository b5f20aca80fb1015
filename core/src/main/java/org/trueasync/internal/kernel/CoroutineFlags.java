package org.trueasync.internal.kernel;

import java.lang.invoke.VarHandle;

/**
 * The properties of a coroutine that take one bit each: at most sixteen, which fit into a gap of the object's layout,
 * as a million coroutines are an ordinary load. It is a superclass rather than an object of its own for the same
 * reason.
 *
 * <pre>
 *  -       -> STARTED     begin()
 *  any     -> COMPLETED   end(), with FAILED if there is an error, and CANCELLED if that is a cancellation
 * </pre>
 *
 * The other bits are set once, when the coroutine is made or later; only REFUSES_WAITS, SKIPPED_TURN and DRAINED are
 * also cleared. From the end of the task on, FAILED means that the payload is an error. Until the coroutine has ended
 * that error may be replaced by another one, but not by a value.
 */
abstract class CoroutineFlags extends EmbeddedWaker {
    static final int STARTED = 1;
    static final int COMPLETED = 1 << 1;
    static final int FAILED = 1 << 2;
    static final int CANCELLED = 1 << 3;
    static final int OBSERVED = 1 << 4;
    static final int HIGH_PRIORITY = 1 << 5;
    /** No code holds its handle, so that its error can't be observed later. */
    static final int FIRE_AND_FORGET = 1 << 6;
    /** A service coroutine: not listed, not counted, not cancelled. */
    static final int INTERNAL = 1 << 7;
    /** The main coroutine. */
    static final int MAIN = 1 << 8;
    /** User code that must not wait runs in its place: its switch handlers, or a method of an error or of an event. */
    static final int REFUSES_WAITS = 1 << 9;
    /** If a shutdown has started before it begins, its first wait throws. */
    static final int RESPECTS_SHUTDOWN = 1 << 10;

    /** Its scope has ended and lets it run on, see {@link CoroutineImpl#becomeZombie}. */
    static final int ZOMBIE = 1 << 11;

    /** It is not meant to be awaited: its error goes to its scope at once, even if it is awaited. */
    static final int LAUNCHED = 1 << 12;

    /** See {@link JdkPark#skipTurn}. */
    private static final int SKIPPED_TURN = 1 << 13;

    /** It is left where it waits, see {@link Shutdown#requireMaySuspend}. */
    static final int LEFT_WAITING = 1 << 14;

    /** A drain waits for it: the task of an executor, or a drain hook. */
    static final int DRAINED = 1 << 15;

    private short flags;

    CoroutineFlags(int flags) {
        this.flags = (short) flags;
    }

    /** True if at least one of these bits is set. */
    final boolean is(int flag) {
        return (flags & flag) != 0;
    }

    final void set(int flag) {
        flags |= (short) flag;
    }

    private void clear(int flag) {
        flags &= (short) ~flag;
    }

    final void setSkippedTurn() {
        set(SKIPPED_TURN);
    }

    /** True if it has skipped a turn; clears the bit. */
    final boolean takeSkippedTurn() {
        boolean skipped = is(SKIPPED_TURN);
        if (skipped) clear(SKIPPED_TURN);
        return skipped;
    }

    /** True if a drain waits for it; clears the bit. */
    final boolean takeDrained() {
        boolean drained = is(DRAINED);
        if (drained) clear(DRAINED);
        return drained;
    }

    final boolean isObserved() {
        return is(OBSERVED);
    }

    final boolean isLaunched() {
        return is(LAUNCHED);
    }

    final boolean isHighPriority() {
        return is(HIGH_PRIORITY);
    }

    final boolean isMain() {
        return is(MAIN);
    }

    final boolean isInternal() {
        return is(INTERNAL);
    }

    final boolean isZombie() {
        return is(ZOMBIE);
    }

    /** True if no code will ask for its error later. */
    final boolean isForgotten() {
        return is(FIRE_AND_FORGET | LAUNCHED);
    }

    /**
     * True if it has not begun and may not be dropped: a handler, code that follows an event, a thread of the thread
     * factory, or the task of an executor, whose contract is to run what it has accepted.
     */
    final boolean mustRun() {
        return is(FIRE_AND_FORGET) && !is(STARTED | MAIN);
    }

    // ---- code in its place that must not wait

    /** Forbids it to wait. False if that was forbidden already; then {@link #allowWaits} must not follow. */
    final boolean refuseWaits() {
        if (is(REFUSES_WAITS)) return false;
        set(REFUSES_WAITS);
        return true;
    }

    final void allowWaits() {
        clear(REFUSES_WAITS);
    }

    /** True between {@link #refuseWaits} and {@link #allowWaits}, also while JDK code has parked what runs there. */
    final boolean refusesWaits() {
        return is(REFUSES_WAITS);
    }

    // ---- state, for users. Any thread may ask, and gets what was true at some moment: the fence keeps the compiler
    // from reading the flags only once for a whole loop of calls.

    public final boolean isStarted() {
        VarHandle.acquireFence();
        return is(STARTED);
    }

    public final boolean isCompleted() {
        VarHandle.acquireFence();
        return is(COMPLETED);
    }

    public final boolean isCancelled() {
        VarHandle.acquireFence();
        return is(CANCELLED);
    }
}
