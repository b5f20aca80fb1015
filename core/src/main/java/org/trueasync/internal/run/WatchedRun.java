package org.trueasync.internal.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.event.TokenWait;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopRun;
import org.trueasync.internal.sync.InstalledTokenWait;
import org.trueasync.internal.task.Settings;

/** One run with its observers. */
public final class WatchedRun {
    static {
        TokenWait.install(new InstalledTokenWait());
    }

    private final Settings settings;
    private final RunHandle handle = new RunHandle();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<Runnable> watches = new CopyOnWriteArrayList<>();
    private final boolean monitored;

    /**
     * A run that has not begun.
     *
     * @param settings what it is built from
     * @param monitored whether {@link Monitors} are told of it
     */
    public WatchedRun(Settings settings, boolean monitored) {
        this.settings = settings;
        this.monitored = monitored;
    }

    /** How other threads reach it. */
    public RunHandle handle() {
        return handle;
    }

    /**
     * Runs a main coroutine, and what it spawns, to the end. Once.
     *
     * @param before called first; if it fails, the run has ended without having begun, and this throws its error
     * @param main called in the main coroutine
     * @return its value
     */
    public <T> @Nullable T run(Runnable before, Callable<T> main) {
        try {
            before.run();
            for (RunObserver observer : Observers.ALL) observer.prepare(settings);
            return LoopRun.run(settings, main, this::started);
        } finally {
            try {
                watches.forEach(Runnable::run);
                for (Runnable late : handle.ended()) late.run();
            } finally {
                ended.countDown();
            }
        }
    }

    /** On the loop thread, before main begins. */
    private void started(Loop loop) {
        handle.started(loop);
        Inheritance.takeRefusals().forEach(settings.diagnostics());
        for (RunObserver observer : Observers.ALL) watches.add(observer.watch(loop));
        if (monitored) watches.add(Monitors.watch(loop));
    }

    /**
     * Asks for a graceful shutdown. Any thread, at any time.
     *
     * @param reason what coroutines see thrown
     */
    public void shutdown(AsyncCancellation reason) {
        handle.shutdown(reason, false);
    }

    /** As {@link #shutdown}, without a drain; ends one that goes on. */
    public void shutdownNow(AsyncCancellation reason) {
        handle.shutdown(reason, true);
    }

    /**
     * Waits for the end. Any thread.
     *
     * @param atMost how long
     * @return false if it has not ended by then
     */
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }
}
