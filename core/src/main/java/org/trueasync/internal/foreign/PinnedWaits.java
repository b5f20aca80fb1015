package org.trueasync.internal.foreign;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ProcessorPin;

/**
 * Looks whether a thread that waits for a socket keeps the loop that is to poll it, see {@link LoopSockets}. One thread
 * for all runtimes of the process; it sleeps while no wait for a socket begins.
 */
final class PinnedWaits {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** After this many polls in a row that have found nothing it sleeps. */
    private static final int MAX_IDLE_POLLS = 50;

    private static final Thread WATCHER = Thread.ofPlatform()
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("trueasync pinned waits")
            .unstarted(PinnedWaits::watch);

    private static volatile boolean asleep = true;
    private static boolean started;

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

    private static synchronized void wake() {
        if (!started && !start()) return;
        asleep = false;
        LockSupport.unpark(WATCHER);
    }

    /** False if the system gives no thread now; the next wait asks again. */
    private static boolean start() {
        try {
            WATCHER.setContextClassLoader(null);
            WATCHER.start();
            started = true;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
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
            if (!pollAll()) while (asleep) LockSupport.park(PinnedWaits.class);
            asleep = false;
            idle = 0;
        }
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
