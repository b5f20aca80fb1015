package org.trueasync.internal.failure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action when an object can't be reached any more, as long as there is a run. Any thread.
 *
 * <p>It does what the JDK's {@code Cleaner} does, but without the lock that a {@code Cleaner} has. A coroutine that had
 * to wait for it would be parked in the middle of a change to its runtime's state, and other coroutines would find that
 * change half done. Here a spin lock guards a few instructions, and no coroutine is ever parked while it has it.
 */
public final class Handles {
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
    private static final VarHandle TAKEN;
    private static volatile boolean taken;
    private static @Nullable Watch first;

    /** How long the thread stays when there is no run any more; up to twice as long if others have run meanwhile. */
    private static final long LINGER_NANOS = 4_000_000_000L;

    // Guarded by the class's monitor.
    private static int runs;
    private static boolean lives;
    /** The thread has seen that there is no run, and waits for so long only. */
    private static boolean lingers;

    /** A run has ended while it does. */
    private static boolean lingersAnew;

    static {
        try {
            TAKEN = MethodHandles.lookup().findStaticVarHandle(Handles.class, "taken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Handles() {}

    /**
     * Notes that a run begins: handles are watched until {@link #runEnds}. On a thread that may block.
     *
     * @throws OutOfMemoryError if the system gives no thread; the call then has no effect
     */
    public static synchronized void runBegins() {
        if (!lives) {
            // One thread for all runs of the process
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("trueasync-handles")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(Handles::runActions);
            thread.setContextClassLoader(null);
            thread.start();
            lives = true;
        }
        runs++;
    }

    /** Notes that a run has ended. On a thread that may block. */
    public static synchronized void runEnds() {
        if (--runs > 0) return;
        lingersAnew = lingers;
        // Wakes the thread, which then ends in a while. Of many short runs only the first need do that: a wake-up can
        // take as long as a run.
        if (!lingers) new PhantomReference<>(Handles.class, GONE).enqueue();
    }

    private static synchronized boolean isNeeded() {
        lingers = runs == 0;
        return !lingers;
    }

    private static synchronized boolean mayEnd() {
        if (runs == 0 && !lingersAnew) lives = false;
        lingersAnew = false;
        return !lives;
    }

    /**
     * Runs an action when a handle becomes unreachable.
     *
     * @param handle the object to watch
     * @param action run on the one thread that serves all handles of the process, so it must be short; must not refer
     *     to the handle
     * @return the watch, by which the action can be run earlier
     */
    public static Watch whenUnreachable(Object handle, Runnable action) {
        var watch = new Watch(handle, action);
        lock();
        watch.next = first;
        if (first != null) first.previous = watch;
        first = watch;
        taken = false;
        return watch;
    }

    /**
     * Takes the spin lock. Until {@code taken} is false again no method may be called: if the stack overflowed in it,
     * the lock would stay taken.
     */
    private static void lock() {
        while (taken || !TAKEN.compareAndSet(false, true)) Thread.onSpinWait();
    }

    private static void runActions() {
        long endNanos = 0; // 0 while there is a run
        while (true) {
            if (isNeeded()) endNanos = 0;
            else if (endNanos == 0) endNanos = System.nanoTime() + LINGER_NANOS | 1;
            long millis = endNanos == 0 ? 0 : Math.max(1, (endNanos - System.nanoTime()) / 1_000_000);
            try {
                Object gone = GONE.remove(millis);
                if (gone instanceof Watch watch) watch.clean();
                else if (gone == null && mayEnd()) return;
                else if (gone == null) endNanos = 0;
            } catch (InterruptedException e) {
                // Nobody has a reason to interrupt this thread, so the interrupt is ignored.
            } catch (OutOfMemoryError full) {
                // The program's own report matters more. What is still open at the end of the run is reported then.
            } catch (Throwable e) {
                reportError(e);
            }
        }
    }

    /** Passes an error to the handler for uncaught ones. The thread goes on, since no other thread does this work. */
    private static void reportError(Throwable error) {
        try {
            Thread self = Thread.currentThread();
            self.getUncaughtExceptionHandler().uncaughtException(self, error);
        } catch (Throwable noMemory) {
            // There may be no memory even for that. Anything that is still open at the end of the run is reported then.
        }
    }

    /**
     * The watch over one handle. It is kept in a list, because a reference that is itself unreachable would never be
     * queued.
     */
    public static final class Watch extends PhantomReference<Object> {
        private final Runnable action;
        private @Nullable Watch previous;
        private @Nullable Watch next;
        private boolean done;

        private Watch(Object handle, Runnable action) {
            super(handle, GONE);
            this.action = action;
        }

        /** Runs the action on the calling thread, unless it has run; the handle is not watched any more. */
        public void clean() {
            if (!leave()) return;
            clear();
            action.run();
        }

        private boolean leave() {
            lock();
            boolean leaves = !done;
            done = true;
            if (leaves) {
                if (previous != null) previous.next = next;
                else first = next;
                if (next != null) next.previous = previous;
                previous = null;
                next = null;
            }
            taken = false;
            return leaves;
        }
    }
}
