package org.trueasync.internal.watchdog;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * Looks at one loop from a thread of its own, a few times within the limit, and reports what holds it for longer. The
 * loop does nothing for it, and the report does not need the loop. Each place in the program is reported once; a
 * computation that goes on for long is reported a second time.
 */
public final class Watchdog {
    private static final int SAMPLES = 4;
    /** Work that the JDK does once, in the place of the program, may take this many times the limit. */
    private static final int JDKS_FIRST_TIME = 10;
    /** A computation that has taken this many times the limit may be a busy wait. */
    private static final int SPINS = 10;
    /** For so long what the main coroutine computes counts as the program's start-up. */
    private static final long START_UP_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** So many reports are made of start-up and of first uses: they differ little, and are seldom to be mended. */
    private static final int MAX_SHORT_REPORTS = 2;

    private static final Map<Loop, Watchdog> RUNNING = new ConcurrentHashMap<>();

    private final LoopProbe loop;
    private final Consumer<String> sink;
    private final LoopFigures figures;
    private final HoldTimer timer;
    private final long limitNanos;
    private final long periodNanos;
    private final ReportedSites sites = new ReportedSites();
    private final ReportedSites spins = new ReportedSites();
    private final SaturationWatch saturation;
    private final Holds holds = new Holds();
    private final long start = System.nanoTime();
    private int shortReports;
    /** The hold that was reported as one that may never end; while it goes on to compute it is not reported again. */
    private long endlessHold = Long.MIN_VALUE;

    private final Thread thread;
    private volatile boolean stopped;

    private Watchdog(LoopProbe loop, long limitNanos, Consumer<String> sink) {
        this.loop = loop;
        this.sink = sink;
        var time = ThreadTime.ofCaller(loop.loopThread());
        this.figures = new LoopFigures(time);
        this.timer = new HoldTimer(limitNanos, new OwnTime(figures, this::works));
        this.saturation = new SaturationWatch(loop, new LoopFigures(time), sink);
        this.limitNanos = limitNanos;
        this.periodNanos = limitNanos / SAMPLES;
        this.thread = Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("trueasync-watchdog-" + loop.name())
                .unstarted(this::watch);
    }

    /**
     * Begins to watch. On the loop's thread.
     *
     * @param loop to watch
     * @param limit how long it may be held; zero to do nothing
     * @param sink where reports go; called on the watchdog's thread
     * @return the watchdog, to be stopped after the run; null for a limit of zero
     */
    public static @Nullable Watchdog over(LoopProbe loop, Duration limit, Consumer<String> sink) {
        if (limit.isZero()) return null;
        var watchdog = new Watchdog(loop, limit.toNanos(), sink);
        RUNNING.put(loop.loop(), watchdog);
        watchdog.thread.start();
        return watchdog;
    }

    /**
     * The last holds of a loop, the oldest first; empty if nothing watches it. Any thread.
     *
     * @param loop a runtime's
     */
    public static List<Hold> holdsOf(Loop loop) {
        Watchdog watchdog = RUNNING.get(loop);
        return watchdog == null ? List.of() : watchdog.holds.all();
    }

    /** Ends the watch, as the run has ended. Any thread; does not wait for a report that is being written. */
    public void stop() {
        stopped = true;
        RUNNING.remove(loop.loop());
        LockSupport.unpark(thread);
    }

    private void watch() {
        long last = System.nanoTime();
        while (!stopped) {
            try {
                // There is no hurry while the loop waits for work.
                long due = last + (loop.isWaiting() ? 2 * periodNanos : periodNanos);
                sleepUntil(due);
                if (stopped) return;
                sample(last, due);
                saturation.check();
            } catch (Throwable e) {
                // a sample for which there was no memory, or a report that can't be written; the next one may do better
            }
            last = System.nanoTime();
        }
    }

    private void sample(long last, long due) {
        long now = System.nanoTime();
        boolean free = loop.isWaiting() || loop.isEnding();
        boolean isDue = timer.sample(now, now - last, now - due, loop.progress(), loop.current(), free);
        if (!figures.jvmIsKnown() && timer.isSuspicious()) {
            figures.learnJvm();
            timer.forget();
        } else if (isDue) {
            examine();
        }
    }

    private boolean works() {
        Thread thread = loop.thread();
        StackTraceElement[] stack = thread.getStackTrace();
        return thread.getState() == Thread.State.RUNNABLE && stack.length > 0 && !stack[0].isNativeMethod();
    }

    private void sleepUntil(long due) {
        long leftNanos;
        while (!stopped && (leftNanos = due - System.nanoTime()) > 0) LockSupport.parkNanos(this, leftNanos);
    }

    private void examine() {
        long progress = loop.progress();
        Coroutine<?> coroutine = loop.current();
        Thread thread = loop.thread();
        Thread.State state = thread.getState();
        StackTraceElement[] stack = thread.getStackTrace();
        if (progress != loop.progress() || coroutine != loop.current() || stack.length == 0) return; // it has let go
        var held = BlockedLoop.of(loop.name(), coroutine, stack, state, Duration.ofNanos(timer.held()));
        String place = held.place();
        holds.add(timer.since(), held);
        loop.loop().happened("held", timer.held(), held.holder() + ", at " + held.place());
        if (timer.since() == endlessHold && !held.waits()) return;
        if (held.isWorkOfTheJdk()
                && timer.held() < JDKS_FIRST_TIME * limitNanos
                && sites.isFirstHold(place, timer.since())) return;
        boolean isFirstUse = held.isFirstUse();
        boolean isShort = isFirstUse || (isStartUp(coroutine) && !held.waits());
        boolean isWanted = !isShort || shortReports < MAX_SHORT_REPORTS;
        if (isWanted && sites.isNew(place, timer.since())) report(held, isShort);
        else if (!isFirstUse
                && !held.waits()
                && timer.held() >= SPINS * limitNanos
                && spins.isNew(place, timer.since())) {
            endlessHold = timer.since();
            sink.accept(held.spinText());
        }
    }

    private boolean isStartUp(@Nullable Coroutine<?> coroutine) {
        return coroutine != null && Inspection.isMain(coroutine) && System.nanoTime() - start < START_UP_NANOS;
    }

    private void report(BlockedLoop held, boolean isShort) {
        JfrReports.emit(held);
        saturation.holdTold();
        if (isShort) reportShort(held);
        else sink.accept(held.text());
        if (sites.isFull())
            sink.accept("Loop '" + loop.name() + "' was held in many places; no further one is reported");
    }

    private void reportShort(BlockedLoop held) {
        boolean isLast = ++shortReports == MAX_SHORT_REPORTS;
        sink.accept(held.shortText()
                + (isLast ? "\n  Further holds by start-up and by the first use of classes are not reported" : ""));
    }
}
