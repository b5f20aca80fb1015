package org.trueasync.internal.recorder;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspecify.annotations.Nullable;

/**
 * The flight recorder's events of coroutines, where the JVM has a recorder. Whether one is wanted is asked before anything is made for it, and costs the reading
 * of a field while the recorder has not been started. Off unless a recording names them.
 *
 * <p>Recording meets no lock that a coroutine could hold while it is suspended: the recorder pins virtual threads for as long as it holds its own. Only
 * registering the events may, which is why that is done by whoever starts the recorder.
 */
public final class CoroutineEvents {
    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    /** The recorder has been started, and knows the events. Plain: that a loop sees it a moment later does no harm. */
    private static boolean ready;

    /** Apart, as they need the recorder's classes, and to load them starts half of it; made once, as it takes an object to ask. */
    private static final class Probes {
        static final SpawnEvent SPAWN = new SpawnEvent();
        static final SuspendEvent SUSPEND = new SuspendEvent();
        static final ResumeEvent RESUME = new ResumeEvent();
        static final EndEvent END = new EndEvent();
    }

    private static final class Listener implements FlightRecorderListener {
        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            boolean _ = Probes.SPAWN.isEnabled();
            ready = true;
        }

        static void add() {
            FlightRecorder.addListener(new Listener());
        }
    }

    static {
        if (AVAILABLE) Listener.add();
    }

    private CoroutineEvents() {}

    /** Has the recorder's start noticed from now on. */
    public static void prepare() {}

    /** True while somebody records when coroutines are spawned. */
    public static boolean spawn() {
        return ready && Probes.SPAWN.isEnabled();
    }

    /** True while somebody records when they suspend. */
    public static boolean suspend() {
        return ready && Probes.SUSPEND.isEnabled();
    }

    /** True while somebody records when they go on. */
    public static boolean resume() {
        return ready && Probes.RESUME.isEnabled();
    }

    /** True while somebody records when they end. */
    public static boolean end() {
        return ready && Probes.END.isEnabled();
    }

    /**
     * Records a spawn.
     *
     * @param runtime its name
     * @param coroutine the new one's number
     * @param parent the number of the one that spawned it; 0 if none did
     * @param place in the program, null if it is not known
     */
    public static void spawned(String runtime, long coroutine, long parent, @Nullable String place) {
        var event = new SpawnEvent();
        event.runtime = runtime;
        event.coroutine = coroutine;
        event.parent = parent;
        event.place = place;
        event.commit();
    }

    /**
     * Records that one is about to suspend.
     *
     * @param runtime its name
     * @param coroutine its number
     * @param awaits for a person to read
     */
    public static void suspends(String runtime, long coroutine, String awaits) {
        var event = new SuspendEvent();
        event.runtime = runtime;
        event.coroutine = coroutine;
        event.awaits = awaits;
        event.commit();
    }

    /**
     * Records that one goes on.
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
     * Records an end.
     *
     * @param runtime its name
     * @param coroutine its number
     * @param outcome a word
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
