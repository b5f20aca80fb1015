package org.trueasync.internal.time;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.TimerEvent;

/**
 * The time limit of one section of a coroutine, see {@code Cancellation.within}. When the time is over, the section is asked to end as a coroutine is, with a
 * reason of its own, and the coroutine goes on after it: nobody has asked the coroutine itself.
 *
 * <pre>
 *  RUNNING -> DUE      the time is over
 *  DUE     -> THROWN   a wait of the section has thrown the reason, or one of the JDK's was interrupted
 *  THROWN  -> DUE      whoever was thrown it has succeeded nevertheless
 *  any     -> OVER     the section has ended
 * </pre>
 *
 * Limits nest: each knows the one around it.
 */
public final class SectionLimit extends EventCallback {
    private static final byte RUNNING = 0;
    private static final byte DUE = 1;
    private static final byte THROWN = 2;
    private static final byte OVER = 3;

    private final Consumer<SectionLimit> owner;
    /** The one around it. */
    public final @Nullable SectionLimit outer;
    /** How many protected sections it is in: only those that have begun inside of it put it off. */
    public final int protections;

    private final Duration length;
    private final TimerEvent timer;
    private byte state = RUNNING;
    private @Nullable AsyncCancellation reason;

    /**
     * Of a section that begins now.
     *
     * @param owner told when the time is over
     * @param outer the limit around it, if there is one
     * @param protections how many protected sections it is in
     * @param length how long it may take
     * @param timer not started
     */
    public SectionLimit(
            Consumer<SectionLimit> owner,
            @Nullable SectionLimit outer,
            int protections,
            Duration length,
            TimerEvent timer) {
        this.owner = owner;
        this.outer = outer;
        this.protections = protections;
        this.length = length;
        this.timer = timer;
        timer.addCallback(this);
        timer.start();
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        if (error == null) owner.accept(this);
    }

    /** From now on the section is to end. Returns false if it has ended. */
    public boolean fall(StackTraceElement @Nullable [] where) {
        if (state != RUNNING) return false;
        state = DUE;
        reason = new AsyncCancellation("the time limit of the section, " + SectionTimeout.text(length) + ", is over");
        if (where != null) reason.setStackTrace(where);
        return true;
    }

    /** The section has ended. */
    public void end() {
        state = OVER;
        timer.dispose();
    }

    /** True once the time was over before the section had ended. */
    public boolean hasFallen() {
        return reason != null;
    }

    /** What the section sees thrown; once the time is over. */
    public AsyncCancellation reason() {
        return Objects.requireNonNull(reason);
    }

    /** True if the section was told, rather than ended before it could be. */
    public boolean wasTold() {
        return state == THROWN;
    }

    /** The reason of the outermost one that is due, from this one outwards, where so many protected sections are open; or null. */
    public @Nullable AsyncCancellation due(int open) {
        AsyncCancellation due = null;
        for (SectionLimit l = this; l != null; l = l.outer) if (l.state == DUE && l.protections == open) due = l.reason;
        return due;
    }

    /** The one with this reason, from this one outwards, or null. */
    public @Nullable SectionLimit with(Throwable sought) {
        for (SectionLimit l = this; l != null; l = l.outer) if (l.reason == sought) return l;
        return null;
    }

    /** A wait of the section has thrown the reason. */
    public void thrown() {
        if (state == DUE) state = THROWN;
    }

    /** Whoever was thrown it has succeeded nevertheless. */
    public void takenBack() {
        if (state == THROWN) state = DUE;
    }

    /** What the caller of the section gets. */
    public AsyncTimeoutException timeout(Throwable left) {
        var timeout = new SectionTimeout(length, left);
        if (left != reason()) Causes.joined(timeout, reason());
        return timeout;
    }

    /** For a limit of 0: a section is many steps, and one that has no time is better not begun than left after the first of them. */
    public static AsyncTimeoutException notBegun() {
        return new SectionTimeout();
    }

    private static final class SectionTimeout extends AsyncTimeoutException {
        private static final long serialVersionUID = 1;

        SectionTimeout(Duration limit, Throwable cause) {
            super(limit, "the section did not end within " + shown(limit) + "; it was cancelled, and has ended");
            initCause(cause);
        }

        SectionTimeout() {
            super(Duration.ZERO, "the section was not begun, as its limit is 0 ms");
        }

        static String text(Duration length) {
            return shown(length);
        }

        /** By the type that users know. */
        @Override
        @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
        public String toString() {
            return AsyncTimeoutException.class.getName() + ": " + getMessage();
        }
    }
}
