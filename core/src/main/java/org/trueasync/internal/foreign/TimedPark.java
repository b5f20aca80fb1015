package org.trueasync.internal.foreign;

import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.jdk.Unparkers;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.time.TimerEntry;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.spi.Reactor;

/**
 * The time-out of a wait in JDK code, in the loop's own timers. It does not keep the run alive; the wait does. What is
 * left when the run ends is handed to the JDK. Used on the loop thread only; once the run has ended, {@link #cancel}
 * may come from another thread.
 */
public final class TimedPark extends TimerEntry implements ScheduledFuture<Object> {
    /** Times the waits on one loop. */
    public static final class Timekeeper {
        private final TimerHeap timers;
        private final Reactor reactor;
        private final Thread loopThread = Thread.currentThread();

        /**
         * Of the loop of the calling thread.
         *
         * @param timers its timers
         * @param reactor has the clock
         */
        public Timekeeper(TimerHeap timers, Reactor reactor) {
            prepare();
            this.timers = timers;
            this.reactor = reactor;
        }

        /**
         * See {@link Unparkers.Timekeeper}. The JDK times the wait where its clocks are not the reactor's, and where
         * there is no memory.
         *
         * @return null if the JDK is to time the wait
         */
        public @Nullable TimedPark schedule(Runnable wakeUp, long nanos) {
            if (!reactor.timesJdkWaits()) return null;
            try {
                var park = new TimedPark(this, wakeUp, reactor.nanoTime() + Math.min(nanos, TimerHeap.LONGEST));
                timers.add(park, park.deadline);
                return park;
            } catch (OutOfMemoryError e) {
                return null;
            }
        }

        /**
         * Hands the waits that are left at the end of the run to the JDK. A wait for which there is no memory ends now:
         * the JDK allows a wait to end for no reason.
         */
        public void handOver() {
            TimerEntry entry;
            while ((entry = timers.takeAny()) != null) {
                if (!(entry instanceof TimedPark park)) continue;
                try {
                    park.atJdk = Unparkers.scheduleByJdk(park.wakeUp, park.deadline - reactor.nanoTime());
                } catch (OutOfMemoryError e) {
                    park.wakeUp.run();
                }
            }
        }
    }

    /** Initialises this class, which the loop's frame may not do. */
    private static void prepare() {}

    /** A wait longer than this is shown as one without an end. */
    private static final long ENDLESS_NANOS = TimerHeap.LONGEST / 2;

    private final Timekeeper keeper;
    private final Runnable wakeUp;
    private final long deadline;
    private volatile @Nullable ScheduledFuture<?> atJdk;

    private TimedPark(Timekeeper keeper, Runnable wakeUp, long deadline) {
        this.keeper = keeper;
        this.wakeUp = wakeUp;
        this.deadline = deadline;
    }

    /**
     * The time that is left, for a person to read; empty without a time-out, once it has ended, and if it is so far
     * away that the wait counts as one without an end.
     */
    public static String remaining(@Nullable TimedPark park) {
        if (park == null || !park.isArmed()) return "";
        long nanos = park.getDelay(TimeUnit.NANOSECONDS);
        return nanos > ENDLESS_NANOS ? "" : ", for " + Math.max(0, nanos / 1_000_000) + " ms more";
    }

    @Override
    protected int readAhead() {
        return (int) deadline;
    }

    @Override
    protected void fire(long now) {
        keeper.timers.remove(this); // first, as it must leave the heap even if the wake-up fails
        wakeUp.run();
    }

    /**
     * After the end of the run the cancellation may come too late. Then the thread is woken once for no reason, which
     * the JDK allows.
     */
    @Override
    public boolean cancel(boolean mayInterrupt) {
        ScheduledFuture<?> other = atJdk;
        if (other != null) return other.cancel(mayInterrupt);
        if (VirtualThreads.carrier() != keeper.loopThread || !isArmed()) return false;
        keeper.timers.remove(this);
        return true;
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(deadline - keeper.reactor.nanoTime(), TimeUnit.NANOSECONDS);
    }

    // The JDK calls none of the following.

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public boolean isDone() {
        return !isArmed();
    }

    @Override
    public Object get() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object get(long timeout, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
