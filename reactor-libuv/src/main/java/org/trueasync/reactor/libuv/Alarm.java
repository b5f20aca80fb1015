package org.trueasync.reactor.libuv;

/** The only native timer of a loop: it bounds waiting turns. */
final class Alarm {
    /*
     * libuv runs due timers before it polls. If a one-shot timer fired there, nothing would bound the poll after it.
     * The time between our arming and that check is short, but a preempted thread can lose a millisecond in it, and
     * would then sleep for ever. So the timer repeats, each millisecond, until it is stopped or set again.
     */
    private static final long REPEAT = 1;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long loop;
    private final long timer;
    /** The deadline for which the native timer is set; {@link Long#MAX_VALUE} while it is stopped. */
    private long armed = Long.MAX_VALUE;

    Alarm(long loop, long timer) {
        this.loop = loop;
        this.timer = timer;
    }

    /**
     * Prepares a waiting turn.
     *
     * @param deadline in nanoseconds, as {@link System#nanoTime}; {@link Long#MAX_VALUE} for none
     * @return false if the deadline has passed, so that the turn must not wait
     */
    boolean arm(long deadline) {
        if (deadline == Long.MAX_VALUE) {
            if (armed != Long.MAX_VALUE) Uv.timerStop(timer);
        } else {
            long left = deadline - System.nanoTime();
            if (left <= 0) return false;
            if (armed != deadline) {
                // libuv counts from its own cached time, which is from the last turn.
                Uv.updateTime(loop);
                Uv.timerStart(timer, Upcalls.TIMER, (left - 1) / NANOS_PER_MILLI + 1, REPEAT);
            }
        }
        armed = deadline;
        return true;
    }
}
