package org.trueasync.internal.recorder;

import org.jspecify.annotations.Nullable;

/**
 * The flight recorder's events of pools and circuit breakers; see {@link FlightRecording}. They are on in any
 * recording, because they are rare. Waits are not rare, but by default only those of 20 ms or more are recorded.
 */
public final class PoolEvents {
    /** One object of each event, in a class of its own as in {@link CoroutineEvents}. */
    private static final class Probes {
        static final PoolWaitEvent WAIT = new PoolWaitEvent();
        static final PoolCreateEvent CREATE = new PoolCreateEvent();
        static final PoolDestroyEvent DESTROY = new PoolDestroyEvent();
        static final PoolLeakEvent LEAK = new PoolLeakEvent();
        static final BreakerStateEvent STATE = new BreakerStateEvent();
    }

    /**
     * An event under way, which is recorded when it has ended. An interface, because the JVM loads no class to verify
     * code that passes an interface on.
     */
    public sealed interface Begun permits PoolWaitEvent, PoolCreateEvent, PoolDestroyEvent {}

    private PoolEvents() {}

    static void register() {
        boolean _ = Probes.WAIT.isEnabled();
    }

    /** True while waits for a resource are recorded. */
    public static boolean waits() {
        return FlightRecording.ready && Probes.WAIT.isEnabled();
    }

    /** True while the creation of resources is recorded. */
    public static boolean creates() {
        return FlightRecording.ready && Probes.CREATE.isEnabled();
    }

    /** True while the destruction of resources is recorded. */
    public static boolean destroys() {
        return FlightRecording.ready && Probes.DESTROY.isEnabled();
    }

    /** True while lost resources are recorded. */
    public static boolean leaks() {
        return FlightRecording.ready && Probes.LEAK.isEnabled();
    }

    /** True while the states of circuit breakers are recorded. */
    public static boolean states() {
        return FlightRecording.ready && Probes.STATE.isEnabled();
    }

    /**
     * Notes that a wait begins.
     *
     * @param runtime its name
     * @param pool its name
     * @param coroutine the number of the coroutine that waits
     * @param waitingBefore how many coroutines wait already
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
     * Records a wait that has ended.
     *
     * @param wait what {@link #waitBegins} returned
     * @param outcome one of the words that {@code PoolWaitEvent} lists
     */
    public static void waitEnds(Begun wait, String outcome) {
        var event = (PoolWaitEvent) wait;
        event.outcome = outcome;
        event.commit();
    }

    /**
     * Notes that a factory begins.
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
     * Records a factory call that has ended.
     *
     * @param create what {@link #createBegins} returned
     * @param error what it failed with; only the class is recorded, as a message may hold anything
     */
    public static void createEnds(Begun create, @Nullable Throwable error) {
        var event = (PoolCreateEvent) create;
        event.error = error == null ? null : error.getClass();
        event.commit();
    }

    /**
     * Notes that a destructor begins.
     *
     * @param runtime its name
     * @param pool its name
     * @param reason why the resource is destroyed
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
     * Records a destructor call that has ended.
     *
     * @param destroy what {@link #destroyBegins} returned
     * @param error what it failed with; only the class is recorded
     */
    public static void destroyEnds(Begun destroy, @Nullable Throwable error) {
        var event = (PoolDestroyEvent) destroy;
        event.error = error == null ? null : error.getClass();
        event.commit();
    }

    /**
     * Records that a resource is lost.
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
     * Records that a circuit breaker has changed its state.
     *
     * @param breaker its name
     * @param from the state before
     * @param to the state after
     */
    public static void changed(String breaker, String from, String to) {
        var event = new BreakerStateEvent();
        event.breaker = breaker;
        event.from = from;
        event.to = to;
        event.commit();
    }
}
