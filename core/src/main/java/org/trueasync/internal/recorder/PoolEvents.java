package org.trueasync.internal.recorder;

import org.jspecify.annotations.Nullable;

/**
 * The flight recorder's events of pools and circuit breakers; see {@link FlightRecording}. They are rare but the waits, of which only long ones are recorded, so they are
 * on in any recording.
 */
public final class PoolEvents {
    /** Apart, as they need the recorder's classes. */
    private static final class Probes {
        static final PoolWaitEvent WAIT = new PoolWaitEvent();
        static final PoolCreateEvent CREATE = new PoolCreateEvent();
        static final PoolDestroyEvent DESTROY = new PoolDestroyEvent();
        static final PoolLeakEvent LEAK = new PoolLeakEvent();
        static final BreakerStateEvent STATE = new BreakerStateEvent();
    }

    /** Something under way that is to be recorded when it has ended. An interface: the JVM loads no class in order to verify code that hands it on. */
    public sealed interface Begun permits PoolWaitEvent, PoolCreateEvent, PoolDestroyEvent {}

    private PoolEvents() {}

    static void register() {
        boolean _ = Probes.WAIT.isEnabled();
    }

    /** True while somebody records who waits. */
    public static boolean waits() {
        return FlightRecording.ready && Probes.WAIT.isEnabled();
    }

    /** True while somebody records what is made. */
    public static boolean creates() {
        return FlightRecording.ready && Probes.CREATE.isEnabled();
    }

    /** True while somebody records what is destroyed. */
    public static boolean destroys() {
        return FlightRecording.ready && Probes.DESTROY.isEnabled();
    }

    /** True while somebody records what is lost. */
    public static boolean leaks() {
        return FlightRecording.ready && Probes.LEAK.isEnabled();
    }

    /** True while somebody records states of breakers. */
    public static boolean states() {
        return FlightRecording.ready && Probes.STATE.isEnabled();
    }

    /**
     * A wait begins.
     *
     * @param runtime its name
     * @param pool its name
     * @param coroutine the number of who waits
     * @param waitingBefore how many wait already
     */
    public static Begun waitBegins(String runtime, String pool, long coroutine, int waitingBefore) {
        var event = new PoolWaitEvent();
        event.runtime = runtime;
        event.pool = pool;
        event.coroutine = coroutine;
        event.waitingBefore = waitingBefore;
        event.begin();
        return event;
    }

    /**
     * A wait has ended.
     *
     * @param wait what began
     * @param outcome a word
     */
    public static void waitEnds(Begun wait, String outcome) {
        var event = (PoolWaitEvent) wait;
        event.outcome = outcome;
        event.commit();
    }

    /**
     * A factory begins.
     *
     * @param runtime its name
     * @param pool its name
     */
    public static Begun createBegins(String runtime, String pool) {
        var event = new PoolCreateEvent();
        event.runtime = runtime;
        event.pool = pool;
        event.begin();
        return event;
    }

    /**
     * A factory has ended.
     *
     * @param create what began
     * @param error what it failed with; only the class is recorded, as a message may hold anything
     */
    public static void createEnds(Begun create, @Nullable Throwable error) {
        var event = (PoolCreateEvent) create;
        event.error = error == null ? null : error.getClass();
        event.commit();
    }

    /**
     * A destructor begins.
     *
     * @param runtime its name
     * @param pool its name
     * @param reason for it
     */
    public static Begun destroyBegins(String runtime, String pool, String reason) {
        var event = new PoolDestroyEvent();
        event.runtime = runtime;
        event.pool = pool;
        event.reason = reason;
        event.begin();
        return event;
    }

    /**
     * A destructor has ended.
     *
     * @param destroy what began
     * @param error what it failed with; only the class is recorded
     */
    public static void destroyEnds(Begun destroy, @Nullable Throwable error) {
        var event = (PoolDestroyEvent) destroy;
        event.error = error == null ? null : error.getClass();
        event.commit();
    }

    /**
     * A resource is lost.
     *
     * @param runtime its name
     * @param pool its name
     * @param place where it was acquired, or null
     */
    public static void lost(String runtime, String pool, @Nullable String place) {
        var event = new PoolLeakEvent();
        event.runtime = runtime;
        event.pool = pool;
        event.place = place;
        event.commit();
    }

    /**
     * A breaker has changed its state.
     *
     * @param breaker its name
     * @param from one state
     * @param to another
     */
    public static void changed(String breaker, String from, String to) {
        var event = new BreakerStateEvent();
        event.breaker = breaker;
        event.from = from;
        event.to = to;
        event.commit();
    }
}
