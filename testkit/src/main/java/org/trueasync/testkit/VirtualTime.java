package org.trueasync.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Task;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.internal.testkit.jdk.JdkTime;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;

/**
 * Runs code in virtual time. When every coroutine waits, the clock jumps to the next timer: an hour of delays takes no
 * time, and the order is always the same. A deadlock is found at once, with the usual report.
 *
 * <p>The JDK's clocks, its waits with a limit and its random numbers are the run's too, by an agent that the test kit
 * starts with the first run: {@code Thread.sleep}, {@code System.nanoTime}, {@code Instant.now}, {@code new Random()}.
 * Where this JVM refuses the agent, or the system property {@value #JDK_TIME_PROPERTY} is {@code false}, the JDK waits
 * in real time and tells it. Other threads always do.
 *
 * <p>Computing takes no virtual time. TCP connects the coroutines of a run with each other, and a packet takes 50 µs;
 * no real socket is opened. {@link Outside} simulates the rest of the world. Code on real threads ({@code blocking},
 * files, the lookup of names) works, but the clock does not wait for it, so a timeout fires before it ends.
 */
public final class VirtualTime {
    /** The system property that, if it is {@code false} at the first run, leaves the JDK's clocks and chance alone. */
    public static final String JDK_TIME_PROPERTY = JdkTime.PROPERTY;

    /** 73 years, the longest time everywhere in the library, so that adding it to the clock does not overflow. */
    private static final long MAX_NANOS = Long.MAX_VALUE / 4;

    private static final Instant BEGIN = Instant.EPOCH.plusNanos(VirtualReactor.BEGIN_NANOS);

    private VirtualTime() {}

    // ---- running

    /**
     * Runs main as the main coroutine of a runtime in virtual time, on a thread of its own; returns when it and
     * everything that it started have ended. What main throws is thrown here, checked exceptions too. Any thread, also
     * inside a runtime.
     *
     * @param main the test
     * @return what main returned
     * @throws org.trueasync.DeadlockError if coroutines waited and nothing could ever wake them
     * @throws AssertionError if the run does not end within its real-time limit, see {@link VirtualRun#realTimeLimit};
     *     if a coroutine does not end although it was cancelled; if the calling thread is interrupted
     */
    public static <T> @Nullable T run(Callable<T> main) {
        return settings().run(main);
    }

    /**
     * As {@link #run(Callable)}.
     *
     * @param main the test
     */
    public static <T> @Nullable T run(Task<T> main) {
        return settings().run(main);
    }

    /**
     * As {@link #run(Callable)}, for a body without a result.
     *
     * @param main the test
     */
    public static void run(Body main) {
        settings().run(main);
    }

    /** Returns a run, to set options before it starts. */
    public static VirtualRun settings() {
        return new VirtualRun();
    }

    // ---- the clock, inside a run

    /**
     * The virtual time since the run began. Inside a run, on its loop thread.
     *
     * @throws org.trueasync.AsyncException outside a run in virtual time
     */
    public static Duration elapsed() {
        return Duration.ofNanos(reactor("VirtualTime.elapsed").now());
    }

    /**
     * The virtual date and time of day; every run begins at 2000-01-01T00:00:00Z. Inside a run, on its loop thread.
     *
     * @throws org.trueasync.AsyncException outside a run in virtual time
     */
    public static Instant now() {
        return BEGIN.plusNanos(reactor("VirtualTime.now").now());
    }

    /**
     * The run's clock, in UTC, for the code under test. Call this inside a run, on its loop thread; any thread may read
     * the clock.
     *
     * @throws org.trueasync.AsyncException outside a run in virtual time
     */
    public static Clock clock() {
        return new VirtualClock(reactor("VirtualTime.clock"), ZoneOffset.UTC);
    }

    /**
     * Advances the time without a switch, like a long computation. To wait, use {@code delay}. Inside a run, on its
     * loop thread.
     *
     * @param time >= 0; more than 73 years count as 73
     * @throws IllegalArgumentException if the time is negative
     * @throws org.trueasync.AsyncException outside a run in virtual time
     */
    public static void advance(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative()) throw new IllegalArgumentException("time must be >= 0, got " + time);
        reactor("VirtualTime.advance").advance(Math.min(TimeUnit.NANOSECONDS.convert(time), MAX_NANOS));
    }

    static VirtualReactor reactor(String call) {
        Reactor here = SchedulerProvider.get().reactor();
        if (here instanceof VirtualReactor virtual) return virtual;
        throw new AsyncException(call + " belongs into a run in virtual time, but this one runs on '"
                + here.description() + "'; use VirtualTime.run, Schedules.explore or @VirtualTimeTest");
    }

    private static final class VirtualClock extends Clock {
        private final VirtualReactor reactor;
        private final ZoneId zone;

        VirtualClock(VirtualReactor reactor, ZoneId zone) {
            this.reactor = reactor;
            this.zone = zone;
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new VirtualClock(reactor, Objects.requireNonNull(other, "zone"));
        }

        @Override
        public Instant instant() {
            return BEGIN.plusNanos(reactor.now());
        }

        @Override
        public String toString() {
            return "virtual clock, " + instant();
        }
    }
}
