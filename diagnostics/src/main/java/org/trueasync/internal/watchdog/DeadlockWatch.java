package org.trueasync.internal.watchdog;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.internal.failure.ReportThread;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * Looks now and then whether a loop stands still for ever, which the loop itself can't tell. One thread for all
 * runtimes of the process; it lives while there is a runtime, and at least 5 s longer.
 */
public final class DeadlockWatch {
    /** Checks within the time that was given to {@link #over}. */
    private static final int CHECKS = 4;

    /** A wait is reported without proof after this many times the time that was given to {@link #over}. */
    private static final int ENDLESS = 3;

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final List<DeadlockWatch> WATCHED = new CopyOnWriteArrayList<>();
    private static @Nullable Thread watcher;

    private final LoopProbe loop;
    private final long periodNanos;
    private final Consumer<String> sink;
    private long dueNanos;
    private long progress = -1;
    private int unchangedChecks;
    private @Nullable BlockedLoopDeadlock found;
    private boolean reported;
    private final WaitCyclesWatch waitCycles;
    private final Runnable also;

    private DeadlockWatch(LoopProbe loop, long afterNanos, Consumer<String> sink, Runnable also) {
        this.loop = loop;
        this.also = also;
        this.periodNanos = Math.max(1, afterNanos / CHECKS);
        this.sink = sink;
        this.waitCycles = new WaitCyclesWatch(loop, CHECKS, Duration.ofNanos(periodNanos));
        this.dueNanos = System.nanoTime() + periodNanos;
    }

    /**
     * Begins to watch.
     *
     * @param loop to watch
     * @param after how long nothing must have moved before anything is reported
     * @param sink where a report goes; called on a thread of its own
     * @param also called with each check, on the watcher's thread
     * @return to be stopped after the run
     */
    public static DeadlockWatch over(LoopProbe loop, Duration after, Consumer<String> sink, Runnable also) {
        var watch = new DeadlockWatch(loop, after.toNanos(), sink, also);
        synchronized (WATCHED) {
            WATCHED.add(watch);
            Thread running = watcher;
            if (running == null) {
                running = Thread.ofPlatform()
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .name("trueasync-deadlock-watch")
                        .unstarted(DeadlockWatch::watchAll);
                running.setContextClassLoader(null);
                watcher = running;
                running.start();
            } else {
                LockSupport.unpark(running);
            }
        }
        return watch;
    }

    /** Ends the watch, as the run has ended. Any thread. */
    public void stop() {
        WATCHED.remove(this);
    }

    private static void watchAll() {
        long idleSince = System.nanoTime();
        while (true) {
            long now = System.nanoTime();
            long next = now + LINGER_NANOS;
            try {
                for (DeadlockWatch watch : WATCHED) {
                    idleSince = now;
                    if (watch.dueNanos - now <= 0) watch.checkSafely(now);
                    if (watch.dueNanos - next < 0) next = watch.dueNanos;
                }
            } catch (Throwable e) {
                // no memory for a check; this thread goes on, as it serves all runtimes
            }
            if (now - idleSince >= LINGER_NANOS && mayEnd()) return;
            LockSupport.parkNanos(DeadlockWatch.class, next - System.nanoTime());
        }
    }

    private static boolean mayEnd() {
        synchronized (WATCHED) {
            if (!WATCHED.isEmpty()) return false;
            watcher = null;
            return true;
        }
    }

    private void checkSafely(long now) {
        dueNanos = now + periodNanos;
        try {
            check();
        } catch (Throwable e) {
            // a check that failed; the next one may do better
        }
    }

    private void check() {
        checkLoop();
        waitCycles.check();
        also.run();
    }

    private void checkLoop() {
        long before = progress;
        progress = loop.progress();
        if (progress != before || loop.isWaiting()) {
            unchangedChecks = 0;
            found = null;
            reported = false;
            return;
        }
        if (++unchangedChecks < CHECKS - 1 || reported) return;
        BlockedLoopDeadlock earlier = found;
        found = BlockedLoopDeadlock.find(loop);
        if (found == null) {
            if (unchangedChecks >= ENDLESS * CHECKS) checkForEndlessWait();
        } else if (earlier != null && found.isSame(earlier) && progress == loop.progress()) {
            String text = found.text();
            report(text);
            loop.abandon(new DeadlockError(text));
        }
    }

    /**
     * Reports a wait that has held the loop for long while there are other coroutines, although a deadlock can't be
     * proved.
     */
    private void checkForEndlessWait() {
        Coroutine<?> coroutine = loop.current();
        Thread thread = loop.thread();
        Thread.State state = thread.getState();
        StackTraceElement[] stack = thread.getStackTrace();
        if ((state != Thread.State.BLOCKED && state != Thread.State.WAITING)
                || stack.length == 0
                || loop.coroutines() <= 1
                || progress != loop.progress()
                || coroutine != loop.current()) return;
        Duration soFar = Duration.ofNanos(unchangedChecks * periodNanos);
        report(BlockedLoop.of(loop.name(), coroutine, stack, state, soFar).endlessText());
    }

    private void report(String text) {
        reported = true;
        ReportThread.write("trueasync-report", sink, text);
    }
}
