package org.trueasync.internal.recorder;

import org.jspecify.annotations.Nullable;

/** The flight recorder's events of coroutines; see {@link FlightRecording}. Off unless a recording names them. */
public final class CoroutineEvents {
    /**
     * One object of each event, because only an object can say whether its event is enabled. In a class of its own,
     * because they need the recorder's classes, and to load these starts half of the recorder.
     */
    private static final class Probes {
        static final SpawnEvent SPAWN = new SpawnEvent();
        static final SuspendEvent SUSPEND = new SuspendEvent();
        static final ResumeEvent RESUME = new ResumeEvent();
        static final EndEvent END = new EndEvent();
    }

    private CoroutineEvents() {}

    static void register() {
        boolean _ = Probes.SPAWN.isEnabled();
    }

    /** True while the spawning of coroutines is recorded. */
    public static boolean spawn() {
        return FlightRecording.ready && Probes.SPAWN.isEnabled();
    }

    /** True while suspensions of coroutines are recorded. */
    public static boolean suspend() {
        return FlightRecording.ready && Probes.SUSPEND.isEnabled();
    }

    /** True while resumptions of coroutines are recorded. */
    public static boolean resume() {
        return FlightRecording.ready && Probes.RESUME.isEnabled();
    }

    /** True while the ends of coroutines are recorded. */
    public static boolean end() {
        return FlightRecording.ready && Probes.END.isEnabled();
    }

    /**
     * Records a spawn.
     *
     * @param runtime its name
     * @param coroutine the new one's number
     * @param parent the number of the coroutine that spawned it; 0 if none did
     * @param name its name, or null
     * @param place where in the program it was spawned, null if that is not known
     */
    public static void spawned(
            String runtime, long coroutine, long parent, @Nullable String name, @Nullable String place) {
        var event = new SpawnEvent();
        event.runtime = runtime;
        event.coroutine = coroutine;
        event.parent = parent;
        event.name = name;
        event.place = place;
        event.commit();
    }

    /**
     * Records that a coroutine is about to suspend.
     *
     * @param runtime its name
     * @param coroutine its number
     * @param awaits what it awaits, for a person to read
     */
    public static void suspends(String runtime, long coroutine, String awaits) {
        var event = new SuspendEvent();
        event.runtime = runtime;
        event.coroutine = coroutine;
        event.awaits = awaits;
        event.commit();
    }

    /**
     * Records that a coroutine goes on.
     *
     * @param runtime its name
     * @param coroutine its number
     */
    public static void resumed(String runtime, long coroutine) {
        var event = new ResumeEvent();
        event.runtime = runtime;
        event.coroutine = coroutine;
        event.commit();
    }

    /**
     * Records the end of a coroutine.
     *
     * @param runtime its name
     * @param coroutine its number
     * @param outcome completed, failed or cancelled
     * @param error what it failed with; only the class is recorded, as a message may hold anything
     */
    public static void ended(String runtime, long coroutine, String outcome, @Nullable Throwable error) {
        var event = new EndEvent();
        event.runtime = runtime;
        event.coroutine = coroutine;
        event.outcome = outcome;
        event.error = error == null ? null : error.getClass();
        event.commit();
    }
}
