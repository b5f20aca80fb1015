package org.trueasync.internal.jdk;

import java.lang.invoke.MethodHandles;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets loops time the JDK's waits with a limit themselves: {@code Thread.sleep}, {@code SO_TIMEOUT},
 * {@code tryLock(time)}, {@code Object.wait(time)}. When a virtual thread with a scheduler of its own parks with a
 * limit, the JDK asks one of a few executors to wake it at the end, and a thread of theirs does. Here the executors are
 * replaced, in the array that holds them, by ones that ask a loop first.
 *
 * <p>Only virtual threads with a scheduler of their own come this way; those of the JDK's scheduler never do.
 */
public final class Unparkers {
    /** Times waits in place of the JDK. */
    public interface Timekeeper {
        /**
         * Runs a wake-up after a time. Called on the carrier of the thread that parks, after it has been unmounted.
         *
         * @param wakeUp may be run on the calling thread only
         * @return to cancel it; null if the calling thread belongs to no loop, so that the JDK is to time the wait
         */
        @Nullable
        ScheduledFuture<?> schedule(Runnable wakeUp, long nanos);
    }

    private static boolean installed;
    private static @Nullable ScheduledExecutorService jdk;

    private Unparkers() {}

    /**
     * Puts a timekeeper in place; the first one stays. Where this JDK has no such executors, nothing changes.
     *
     * @param timekeeper asked for every park with a limit
     */
    public static synchronized void install(Timekeeper timekeeper) {
        if (installed) return;
        installed = true;
        try {
            Class<?> holder = Class.forName("java.lang.VirtualThread$DelayedTaskSchedulers");
            var executors = (ScheduledExecutorService[]) MethodHandles.privateLookupIn(holder, MethodHandles.lookup())
                    .findStaticVarHandle(holder, "INSTANCE", ScheduledExecutorService[].class)
                    .get();
            jdk = executors[0];
            for (int i = 0; i < executors.length; i++) executors[i] = new Asking(timekeeper, executors[i]);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            // a JDK that does this in another way goes on to do so
        }
    }

    /**
     * Has the JDK run a wake-up after all.
     *
     * @param nanos from now; not positive means at once
     */
    public static synchronized ScheduledFuture<?> scheduleByJdk(Runnable wakeUp, long nanos) {
        ScheduledExecutorService executor = jdk;
        if (executor == null) throw new IllegalStateException("Bug in TrueAsync: nobody asked for this");
        return executor.schedule(wakeUp, nanos, TimeUnit.NANOSECONDS);
    }

    /** An executor that asks the timekeeper first; has no thread of its own. */
    private static final class Asking extends ScheduledThreadPoolExecutor {
        private final Timekeeper timekeeper;
        private final ScheduledExecutorService original;

        Asking(Timekeeper timekeeper, ScheduledExecutorService original) {
            super(0);
            this.timekeeper = timekeeper;
            this.original = original;
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable wakeUp, long delay, TimeUnit unit) {
            ScheduledFuture<?> timed = timekeeper.schedule(wakeUp, unit.toNanos(delay));
            return timed != null ? timed : original.schedule(wakeUp, delay, unit);
        }

        @Override
        public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
            return original.schedule(task, delay, unit);
        }
    }
}
