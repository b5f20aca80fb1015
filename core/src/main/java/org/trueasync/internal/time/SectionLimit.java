package org.trueasync.internal.time;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Lengths;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * The time limit of one section of a coroutine, see {@code Cancellation.within}. When the time is over, the section is
 * cancelled as a coroutine is, with a reason of its own. The coroutine itself is not cancelled and goes on after the
 * section.
 *
 * <pre>
 *  RUNNING -> DUE      the time is over
 *  DUE     -> THROWN   a wait of the section has thrown the reason, or a wait of the JDK's was interrupted
 *  THROWN  -> DUE      the call whose wait threw it has succeeded nevertheless
 *  any     -> OVER     the section has ended
 * </pre>
 *
 * Limits nest: each knows the one around it.
 */
public final class SectionLimit extends EventCallback {
    /** The time that is left where there is no limit. */
    public static final long NONE = Long.MAX_VALUE;

    private static final byte RUNNING = 0;
    private static final byte DUE = 1;
    private static final byte THROWN = 2;
    private static final byte OVER = 3;

    private final Consumer<SectionLimit> owner;
    /** The limit around this one, or null. */
    public final @Nullable SectionLimit outer;
    /**
     * How many protected sections and library calls are around it. Only those that begin inside of the section defer
     * its cancellation.
     */
    public final int depth;

    private final Duration length;
    private final HeapTimer timer;
    private byte state = RUNNING;
    private @Nullable AsyncCancellation reason;

    /**
     * Begins the limit of a section that begins now.
     *
     * @param owner called when the time is over
     * @param outer the limit around it, if there is one
     * @param depth how many protected sections and library calls are around it
     * @param length the time that the section may take
     * @param timer its timer, not started
     */
    public SectionLimit(
            Consumer<SectionLimit> owner, @Nullable SectionLimit outer, int depth, Duration length, HeapTimer timer) {
        this.owner = owner;
        this.outer = outer;
        this.depth = depth;
        this.length = length;
        this.timer = timer;
        timer.addCallback(this);
        timer.start();
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        owner.accept(this);
    }

    /**
     * Notes that the time is over. False if the section has ended, or this was noted before.
     *
     * @param where the frames that the reason shows; null for those of this call
     */
    public boolean expire(StackTraceElement @Nullable [] where) {
        if (state != RUNNING) return false;
        state = DUE;
        reason = new AsyncCancellation("the time limit of the section, " + Lengths.shown(length) + ", is over");
        if (where != null) reason.setStackTrace(where);
        return true;
    }

    public void end() {
        state = OVER;
        // stopped and not disposed of, which would make an error, with its trace, for this object as a callback
        timer.stop();
    }

    /** True if the time was over before the section ended. */
    public boolean hasExpired() {
        return reason != null;
    }

    /** Returns the cancellation that the section throws. Only once the time is over. */
    public AsyncCancellation reason() {
        return Objects.requireNonNull(reason);
    }

    /** True if the cancellation was thrown in the section, and the section did not end before. */
    public boolean wasThrown() {
        return state == THROWN;
    }

    /**
     * Returns the reason of the outermost limit that is due, from this one outwards, of those whose end nothing defers;
     * or null.
     *
     * @param now the depth of the code that runs
     */
    public @Nullable AsyncCancellation due(int now) {
        AsyncCancellation due = null;
        for (SectionLimit l = this; l != null; l = l.outer) if (l.state == DUE && l.depth == now) due = l.reason;
        return due;
    }

    /**
     * True if the end of the time, of this limit or of one around it, may end a wait.
     *
     * @param now the depth of the code that waits
     */
    public boolean mayEnd(int now) {
        for (SectionLimit l = this; l != null; l = l.outer) if (l.state <= DUE && l.depth == now) return true;
        return false;
    }

    /**
     * Returns the time until this limit, or one around it, is over, in nanoseconds; {@link #NONE} if all are deferred.
     *
     * @param now the depth of the code that asks
     */
    public long remaining(int now) {
        long least = NONE;
        for (SectionLimit l = this; l != null; l = l.outer)
            if (l.depth == now) least = Math.min(least, l.timer.remainingNanos());
        return least;
    }

    /** Returns the limit with this reason, from this one outwards, or null. */
    public @Nullable SectionLimit with(Throwable sought) {
        for (SectionLimit l = this; l != null; l = l.outer) if (l.reason == sought) return l;
        return null;
    }

    /** Notes that a wait of the section has thrown the reason, or that a wait in JDK code was interrupted for it. */
    public void thrown() {
        if (state == DUE) state = THROWN;
    }

    /** Makes the reason due again: the call that threw it has succeeded nevertheless. */
    public void takenBack() {
        if (state == THROWN) state = DUE;
    }

    public AsyncTimeoutException timeout(Throwable thrown) {
        var timeout = new SectionTimeout(length, thrown);
        if (thrown != reason()) Causes.joined(timeout, reason());
        return timeout;
    }

    /**
     * Returns the exception for a limit of 0. Such a section is not begun, since that is better than leaving it after
     * its first step.
     */
    public static AsyncTimeoutException notBegun() {
        return new SectionTimeout();
    }

    private static final class SectionTimeout extends AsyncTimeoutException {
        private static final long serialVersionUID = 1;

        SectionTimeout(Duration limit, Throwable cause) {
            super(
                    limit,
                    "the section did not end within " + Lengths.shown(limit) + "; it was cancelled, and has ended");
            initCause(cause);
        }

        SectionTimeout() {
            super(Duration.ZERO, "the section was not begun, as its limit is 0 ms");
        }

        /** Names the public type. */
        @Override
        @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
        public String toString() {
            return AsyncTimeoutException.class.getName() + ": " + getMessage();
        }
    }
}
