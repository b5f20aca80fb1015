package org.trueasync.internal.kernel;

import java.lang.invoke.VarHandle;

/**
 * What is true of a coroutine and can be said in one bit. Sixteen of them, as they fit into a gap of the layout: a million coroutines are an ordinary load. A superclass for the same
 * reason.
 *
 * <pre>
 *  -       -> STARTED                       begin()
 *  any     -> COMPLETED                     end(), with FAILED if there is an error, and CANCELLED if that is a cancellation
 * </pre>
 *
 * The other bits are set once, when it is made or later, but REFUSES_WAITS, which comes and goes, and SKIPPED_TURN. FAILED stands for an error in the payload from
 * the end of the task on: what a task has thrown can become another error until the coroutine has ended, but not a value.
 */
abstract class CoroutineFlags extends EmbeddedWaker {
    static final int STARTED = 1;
    static final int COMPLETED = 1 << 1;
    static final int FAILED = 1 << 2;
    static final int CANCELLED = 1 << 3;
    static final int OBSERVED = 1 << 4;
    static final int HIGH_PRIORITY = 1 << 5;
    /** Nobody holds the handle: an error can't be observed later. */
    static final int FIRE_AND_FORGET = 1 << 6;
    /** The scheduler's own: not listed, not counted, not cancelled. */
    static final int INTERNAL = 1 << 7;
    /** The main coroutine. */
    static final int MAIN = 1 << 8;
    /** Code of the program runs in its place that must not wait: its switch handlers, or an error that is asked about itself. */
    static final int REFUSES_WAITS = 1 << 9;
    /** It is begun although a shutdown came first, and is told of it then. */
    static final int HEEDS_SHUTDOWN = 1 << 10;

    /** Its scope has ended without it, see {@link CoroutineImpl#becomeZombie}. */
    static final int ZOMBIE = 1 << 11;

    /** Nobody will await it: an error is its scope's at once, whoever awaits it nevertheless. */
    static final int LAUNCHED = 1 << 12;

    /** See {@link JdkPark#skipTurn}. */
    private static final int SKIPPED_TURN = 1 << 13;

    private short flags;

    CoroutineFlags(int flags) {
        this.flags = (short) flags;
    }

    /** True if one of these is set. */
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

    /** True, once, if it has skipped a turn. */
    final boolean takeSkippedTurn() {
        boolean skipped = is(SKIPPED_TURN);
        if (skipped) clear(SKIPPED_TURN);
        return skipped;
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

    /** True if nobody asks for its error later. */
    final boolean isForgotten() {
        return is(FIRE_AND_FORGET | LAUNCHED);
    }

    /**
     * True for one that has not begun and may not be dropped: a finally handler, or the task of an executor, whose contract is to run what it
     * has accepted.
     */
    final boolean mustRun() {
        return is(FIRE_AND_FORGET) && !is(STARTED | MAIN);
    }

    // ---- code in its place that must not wait

    /** From now on nothing in it can wait; false if nothing could anyway, and so {@link #allowWaits} must not follow. */
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

    // ---- what users ask. Any thread may, and gets what was true at some moment: the fence keeps the compiler from
    // reading it only once for a whole loop of questions.

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
