package org.trueasync.internal.watchdog;

import java.time.Duration;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.LoopProbe;

/** Tells what a loop that does not answer is busy with, without the loop's help. */
public final class LoopReport {
    private LoopReport() {}

    /**
     * The report, in several lines.
     *
     * @param loop that does not answer
     * @param unanswered for how long it has not answered
     */
    public static String of(LoopProbe loop, Duration unanswered) {
        Coroutine<?> coroutine = loop.current();
        Thread thread = loop.thread();
        Thread.State state = thread.getState();
        StackTraceElement[] stack = thread.getStackTrace();
        if (stack.length == 0 || loop.isWaiting())
            return "Runtime '" + loop.name() + "' has not answered within " + unanswered.toMillis()
                    + " ms, although no code seems to hold its loop";
        // it has been held since before the question, if one coroutine goes on all the time
        long turn = coroutine == null ? 0 : Inspection.sinceLastTurn(coroutine);
        Duration held = turn > unanswered.toNanos() ? Duration.ofNanos(turn) : unanswered;
        return BlockedLoop.of(loop.name(), coroutine, stack, state, held).text();
    }
}
