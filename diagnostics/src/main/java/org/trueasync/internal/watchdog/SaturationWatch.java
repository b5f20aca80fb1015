package org.trueasync.internal.watchdog;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.time.LoopLoad;

/**
 * Looks for a loop that is saturated, although maybe no single turn is long enough to be reported as a hold. While the
 * loop is busy it takes its stack ten times a second. On the watchdog's thread.
 */
final class SaturationWatch {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A turn may end while its stack is being asked for. */
    private static final int ATTEMPTS = 3;

    private static final String WAY_OUT = "Way out: put what computes into Async.blocking(...) or a ThreadPool;"
            + " if the work is spread over many short turns, let Cores share it (trueasync explain saturated-loop)";

    private final LoopProbe loop;
    private final LoopFigures figures;
    private final Consumer<String> sink;
    private final ForeignTime foreign = new ForeignTime();
    private final Saturation saturation = new Saturation();
    private final BusyPlaces places = new BusyPlaces();
    private long nextNanos = System.nanoTime();

    SaturationWatch(LoopProbe loop, LoopFigures figures, Consumer<String> sink) {
        this.loop = loop;
        this.figures = figures;
        this.sink = sink;
    }

    void holdTold() {
        saturation.holdTold(loop.now());
    }

    /** Takes a sample, and reports if a report is due. May be called more often than samples are taken. */
    void check() {
        if (System.nanoTime() - nextNanos < 0 || loop.isEnding()) return;
        nextNanos = System.nanoTime() + PERIOD_NANOS;
        LoopLoad load = loop.load();
        long now = loop.now();
        double utilisation = load.utilisation(now);
        double lag = load.lag(now);
        boolean isNear = Saturation.isNear(utilisation, lag);
        boolean isWaiting = loop.isWaiting();
        if (isNear && !figures.jvmIsKnown()) {
            figures.learnJvm();
            foreign.forget();
        }
        if (isNear || !isWaiting) foreign.add(now, figures.get());
        if (!isNear) {
            places.clear();
            return;
        }
        if (!isWaiting) places.add(stack());
        // A coroutine that is alone keeps nobody waiting.
        if (load.coversSpan(now) && places.areKnown() && loop.coroutines() > 1 && isDue(now, utilisation, lag))
            sink.accept(text(utilisation, lag));
    }

    /** A round's length shrinks as what is not the loop's own is taken away; the lag is made of the squares. */
    private boolean isDue(long now, double utilisation, double lag) {
        double own = foreign.own(utilisation);
        return saturation.isDue(now, own * utilisation, own * own * lag);
    }

    private List<StackTraceElement> stack() {
        for (int i = 0; i < ATTEMPTS; i++) {
            // A coroutine that is suspended meanwhile has no stack for other threads.
            StackTraceElement[] stack = loop.thread().getStackTrace();
            if (stack.length > 0) return List.of(stack);
        }
        return List.of();
    }

    private String text(double utilisation, double lag) {
        return String.format(
                Locale.ROOT,
                "Loop '%s' is saturated: busy for %.0f %% of the last %d s, and what becomes ready waits for %.0f ms."
                        + " Its busiest places:\n%s\n  %s",
                loop.name(),
                100 * utilisation,
                TimeUnit.NANOSECONDS.toSeconds(LoopLoad.SPAN),
                lag / TimeUnit.MILLISECONDS.toNanos(1),
                places.text(),
                WAY_OUT);
    }
}
