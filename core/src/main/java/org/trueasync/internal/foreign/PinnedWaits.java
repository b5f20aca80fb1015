package org.trueasync.internal.foreign;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ProcessorPin;

/**
 * Looks whether a thread that waits for a socket keeps the loop that is to poll it, see {@link LoopSockets}. One thread
 * for all runtimes of the process; it sleeps while no wait for a socket begins, and ends after 8 s of that.
 */
final class PinnedWaits {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** After this many polls in a row that have found nothing it sleeps. */
    private static final int MAX_IDLE_POLLS = 50;

    /** How long it sleeps before it ends. */
    private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(8);

    /** The watching thread, or null. No lock: loop threads start it, and it ends by itself. */
    private static final AtomicReference<@Nullable Thread> WATCHER = new AtomicReference<>();

    private static volatile boolean asleep = true;

    private static volatile LoopSockets.@Nullable Loops loops;

    private PinnedWaits() {}

    /** Called before the first wait. */
    static void install(LoopSockets.Loops ofProcess) {
        loops = ofProcess;
    }

    /** Called when a wait for a socket begins. Any loop thread. */
    static void noticed() {
        if (asleep) wake();
    }

    private static void wake() {
        asleep = false; // before the look for a thread: one that is about to end looks for this after it has gone
        Thread watcher = WATCHER.get();
        if (watcher == null) start();
        else LockSupport.unpark(watcher);
    }

    private static void start() {
        Thread made = Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("trueasync-pinned-waits")
                .unstarted(PinnedWaits::watch);
        made.setContextClassLoader(null);
        if (!WATCHER.compareAndSet(null, made)) return;
        try {
            made.start();
        } catch (OutOfMemoryError e) {
            WATCHER.set(null);
            asleep = true; // the next wait asks again
        }
    }

    private static void watch() {
        ProcessorPin.leave();
        int idle = 0;
        while (true) {
            LockSupport.parkNanos(PinnedWaits.class, PERIOD_NANOS);
            idle = pollAll() ? 0 : idle + 1;
            if (idle < MAX_IDLE_POLLS) continue;
            asleep = true;
            // What a loop has written just before may not be visible yet, as the loop does not wait for that.
            LockSupport.parkNanos(PinnedWaits.class, PERIOD_NANOS);
            // One more poll finds a wait that began before the loop saw this thread asleep.
            if (!pollAll() && hasEnded()) return;
            asleep = false;
            idle = 0;
        }
    }

    /** Sleeps until a wait begins; true if none has for long, and this thread is not needed. */
    private static boolean hasEnded() {
        long end = System.nanoTime() + KEEP_NANOS;
        while (asleep && end - System.nanoTime() > 0) LockSupport.parkNanos(PinnedWaits.class, end - System.nanoTime());
        if (!asleep) return false;
        WATCHER.set(null);
        return asleep || !WATCHER.compareAndSet(null, Thread.currentThread());
    }

    private static boolean pollAll() {
        boolean some = false;
        try {
            for (LoopSockets sockets : Objects.requireNonNull(loops).all()) some |= sockets.pollForPinned();
        } catch (OutOfMemoryError e) {
            return true; // the next poll may have room; without this thread a pinned wait would never end
        }
        return some;
    }
}
