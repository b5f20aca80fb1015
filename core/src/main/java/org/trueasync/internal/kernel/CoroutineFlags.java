package org.trueasync.internal.kernel;

import java.lang.invoke.VarHandle;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.spi.Event;

/**
 * The kind of a coroutine, and its properties that take one bit each: thirteen bits and three for the kind, which fit
 * into a gap of the object's layout, as a million coroutines are an ordinary load. It is a superclass rather than an
 * object of its own for the same reason.
 *
 * <pre>
 *  -       -> STARTED     begin()
 *  any     -> COMPLETED   end(), with FAILED if there is an error, and CANCELLED if that is a cancellation
 * </pre>
 *
 * The kind never changes. The other bits are set once; only REFUSES_WAITS, SKIPPED_TURN and UNDER_WAY are also cleared.
 * From the end of the task on, FAILED means that the payload is an error. Until the coroutine has ended that error may
 * be replaced by another one, but not by a value.
 */
@SuppressWarnings("EnumOrdinal") // the kind takes three bits
abstract class CoroutineFlags extends Event {
    static final int STARTED = 1;
    static final int COMPLETED = 1 << 1;
    static final int FAILED = 1 << 2;
    static final int CANCELLED = 1 << 3;
    static final int OBSERVED = 1 << 4;
    static final int HIGH_PRIORITY = 1 << 5;
    /** User code that must not wait runs in its place: its switch handlers, or a method of an error or of an event. */
    static final int REFUSES_WAITS = 1 << 6;

    /** Its scope has ended and lets it run on, see {@link CoroutineImpl#becomeZombie}. */
    static final int ZOMBIE = 1 << 7;

    /** See {@link JdkWait#skipTurn}. */
    private static final int SKIPPED_TURN = 1 << 8;

    /** It is left where it waits, see {@link Shutdown#refuseToSuspend}. */
    static final int LEFT_WAITING = 1 << 9;

    /** The drain counts it. */
    private static final int UNDER_WAY = 1 << 10;

    /** It has an {@link org.trueasync.internal.recorder.Account}. */
    static final int ACCOUNTED = 1 << 11;

    /** The first bit of the kind's ordinal. */
    private static final int KIND = 13;

    private short flags;

    CoroutineFlags(CoroutineKind kind) {
        this.flags = (short) (kind.ordinal() << KIND);
    }

    final CoroutineKind kind() {
        return CoroutineKind.at(flags >> KIND & 7);
    }

    /** As {@code kind() == kind}, without a look at memory. */
    private boolean is(CoroutineKind kind) {
        return (flags >> KIND & 7) == kind.ordinal();
    }

    /** True if at least one of these bits is set. */
    final boolean is(int flag) {
        return (flags & flag) != 0;
    }

    final void set(int flag) {
        flags |= (short) flag;
    }

    final void clear(int flag) {
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

    /** True once the drain counts it, as long as it does. */
    final boolean isUnderWay() {
        return is(UNDER_WAY);
    }

    final void setUnderWay() {
        set(UNDER_WAY);
    }

    /** True if the drain counts it; clears the bit. */
    final boolean takeUnderWay() {
        boolean counted = is(UNDER_WAY);
        if (counted) clear(UNDER_WAY);
        return counted;
    }

    final boolean isObserved() {
        return is(OBSERVED);
    }

    final boolean isLaunched() {
        return is(CoroutineKind.LAUNCHED);
    }

    final boolean isHighPriority() {
        return is(HIGH_PRIORITY);
    }

    final boolean isMain() {
        return is(CoroutineKind.MAIN);
    }

    final boolean isInternal() {
        return is(CoroutineKind.INTERNAL);
    }

    final boolean isZombie() {
        return is(ZOMBIE);
    }

    /** True if it has not begun and may not be dropped. */
    final boolean mustRun() {
        return kind().mustRun && !is(STARTED);
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
