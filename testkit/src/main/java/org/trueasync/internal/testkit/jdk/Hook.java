package org.trueasync.internal.testkit.jdk;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the changed classes call in place of the JDK's clocks and sources of chance. On a thread whose carrier has
 * entered virtual time the answers are that run's, on all others the JDK's own. Any thread; allocates nothing, and must
 * not call what calls it.
 *
 * <p>The agent defines a copy of this class into {@code java.lang}, where all classes find it: so it uses the JDK alone,
 * without lambdas and without a second class.
 */
public final class Hook {
    private static final long NANOS_OF_MILLI = 1_000_000;
    private static final long NANOS_OF_SECOND = 1_000_000_000;

    /** What the JDK's adjustment may be at most, in seconds. */
    private static final long FAR = 1L << 32;

    /** The runs, one for each carrier; replaced as a whole. */
    private static volatile Hook[] runs = {};

    private static long uniquifier = 8_682_522_807_148_012L;

    private final Thread carrier;
    private final LongSupplier clock;
    private final LongSupplier date;
    private final LongSupplier chance;

    private Hook(Thread carrier, LongSupplier clock, LongSupplier date, LongSupplier chance) {
        this.carrier = carrier;
        this.clock = clock;
        this.date = date;
        this.chance = chance;
    }

    /**
     * Puts the calling thread, and what it carries, into a run's time.
     *
     * @param clock nanoseconds, never 0, for which the JDK has a meaning of its own
     * @param date nanoseconds since 1970
     * @param chance random numbers
     */
    public static synchronized void enter(LongSupplier clock, LongSupplier date, LongSupplier chance) {
        Hook[] more = Arrays.copyOf(runs, runs.length + 1);
        more[runs.length] = new Hook(CarrierThread.currentCarrierThread(), clock, date, chance);
        runs = more;
    }

    /** Takes the calling thread out of the time that it has entered last. */
    public static synchronized void leave() {
        Hook left = run();
        if (left == null) return;
        Hook[] fewer = new Hook[runs.length - 1];
        int count = 0;
        for (Hook one : runs) if (one != left) fewer[count++] = one;
        runs = fewer;
    }

    private static @Nullable Hook run() {
        Hook[] all = runs;
        if (all.length == 0) return null;
        Thread carrier = CarrierThread.currentCarrierThread();
        for (int i = all.length - 1; i >= 0; i--) if (all[i].carrier == carrier) return all[i];
        return null;
    }

    // ---- the clocks

    /** For {@link System#nanoTime}. */
    public static long nanoTime() {
        Hook run = run();
        return run == null ? System.nanoTime() : run.clock.getAsLong();
    }

    /** For {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        Hook run = run();
        return run == null ? System.currentTimeMillis() : run.date.getAsLong() / NANOS_OF_MILLI;
    }

    /** For the JDK's internal method of that name, by which {@code Instant.now} finds the time. */
    public static long getNanoTimeAdjustment(long offsetInSeconds) {
        Hook run = run();
        if (run == null) return InternalVM.getNanoTimeAdjustment(offsetInSeconds);
        long now = run.date.getAsLong();
        long seconds = now / NANOS_OF_SECOND - offsetInSeconds;
        if (seconds <= -FAR || seconds >= FAR) return -1;
        return seconds * NANOS_OF_SECOND + now % NANOS_OF_SECOND;
    }

    // ---- chance

    /** For {@link Math#random}. */
    public static double random() {
        Hook run = run();
        return run == null ? Math.random() : (run.chance.getAsLong() >>> 11) * 0x1.0p-53;
    }

    /** For the private method of {@link java.util.Random} by which each generator gets a seed of its own. */
    public static long seedUniquifier() {
        Hook run = run();
        return run == null ? nextUniquifier() : run.chance.getAsLong();
    }

    private static synchronized long nextUniquifier() {
        uniquifier *= 1_181_783_497_276_652_981L;
        return uniquifier;
    }
}
