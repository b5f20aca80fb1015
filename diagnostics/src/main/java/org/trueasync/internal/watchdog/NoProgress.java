package org.trueasync.internal.watchdog;

import java.time.Duration;
import java.util.List;
import org.trueasync.Coroutine;
import org.trueasync.internal.failure.DeadlockReport;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopLocal;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * Reports a run in which all coroutines wait, and which is no deadlock only because an executor is still reachable.
 * Reported once, as this may be intended. Nothing that the runtime can see is under way then: no descriptor, timer or
 * signal, no work of another thread that a coroutine waits for, no coroutine in JDK code, no virtual thread of a
 * library. Loop thread.
 */
final class NoProgress {
    private static final int MAX_SHOWN = 20;

    private static final LoopLocal<NoProgress> OF_LOOP = new LoopLocal<>();

    private final Loop loop;
    private final LoopProbe probe;
    private boolean reported;

    private NoProgress(Loop loop) {
        this.loop = loop;
        this.probe = new LoopProbe(loop);
    }

    /** The one of a loop, which is made if there is none. */
    static NoProgress of(Loop loop) {
        NoProgress known = OF_LOOP.get(loop);
        if (known != null) return known;
        var made = new NoProgress(loop);
        OF_LOOP.set(loop, made);
        return made;
    }

    /**
     * Looks for this state, and reports it. In a service coroutine.
     *
     * @param standing how long nothing has happened
     * @param isLong whether that is long enough to report it although an executor has brought tasks before
     */
    void check(Duration standing, boolean isLong) {
        if (!probe.onlyExecutorsAreLeft(isLong) || reported || !loop.settings().deadlockReports()) return;
        List<? extends Coroutine<?>> waiting = loop.liveCoroutines();
        for (Coroutine<?> coroutine : waiting) if (!Inspection.isWaiting(coroutine)) return;
        waiting.removeIf(WaitCycles.of(loop)::hasReported);
        if (waiting.isEmpty()) return;
        String text = text(standing, waiting);
        reported = true;
        loop.settings().diagnostics().accept(text);
    }

    private static String text(Duration standing, List<? extends Coroutine<?>> waiting) {
        int count = waiting.size();
        var text = new StringBuilder("no coroutine has made progress for ")
                .append(standing.toMillis() / 1000.0)
                .append(" s: ")
                .append(count)
                .append(count == 1 ? " coroutine waits" : " coroutines wait")
                .append(
                        ", and only what another thread gives to an executor() or threadFactory() that somebody holds"
                                + " could change that; if nothing is to come, this is a deadlock (trueasync explain no-progress)");
        for (Coroutine<?> coroutine : waiting.subList(0, Math.min(count, MAX_SHOWN)))
            DeadlockReport.add(text, coroutine);
        if (count > MAX_SHOWN)
            text.append("\n  ... and ").append(count - MAX_SHOWN).append(" more");
        return text.toString();
    }
}
