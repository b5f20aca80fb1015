package org.trueasync.reactor.libuv;

/** The one native timer: it bounds waiting turns. */
final class Alarm {
    /*
     * libuv runs due timers before it polls, and a one-shot timer that goes off there leaves nothing to bound the poll after it. The
     * time between our arming and that look is short, but a preempted thread can lose a millisecond in it, and would then sleep for
     * ever. So the timer repeats, each millisecond, until it is stopped or set anew.
     */
    private static final long REPEAT = 1;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long loop;
    private final long timer;
    /** What the native timer is set to, {@link Long#MAX_VALUE} while it is stopped. */
    private long armed = Long.MAX_VALUE;

    Alarm(long loop, long timer) {
        this.loop = loop;
        this.timer = timer;
    }

    /**
     * Prepares a waiting turn.
     *
     * @return false if the deadline has passed, so that the turn must not wait
     */
    boolean arm(long deadline) {
        if (deadline == Long.MAX_VALUE) {
            if (armed != Long.MAX_VALUE) Uv.timerStop(timer);
        } else {
            long left = deadline - System.nanoTime();
            if (left <= 0) return false;
            if (armed != deadline) {
                // libuv counts from its own cached time, which is that of the last turn.
                Uv.updateTime(loop);
                Uv.timerStart(timer, Upcalls.TIMER, (left - 1) / NANOS_PER_MILLI + 1, REPEAT);
            }
        }
        armed = deadline;
        return true;
    }
}
