package org.trueasync.internal.recorder;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Connects to the JDK's flight recorder, where the JVM has one. Callers ask whether an event is wanted before they make
 * anything for it; that costs one read of a field while the recorder has not been started.
 *
 * <p>Recording meets no lock that a coroutine could hold while it is suspended: the recorder pins a virtual thread as
 * long as the thread holds a lock of the recorder. Only the registration of the events may meet such a lock. So the
 * thread that starts the recorder registers them.
 */
public final class FlightRecording {
    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    /**
     * True once the recorder has been started and knows the events. Not volatile: if a loop sees it a moment later,
     * that does no harm.
     */
    static boolean ready;

    private static final class Listener implements FlightRecorderListener {
        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            CoroutineEvents.register();
            PoolEvents.register();
            ready = true;
        }

        static void add() {
            FlightRecorder.addListener(new Listener());
        }
    }

    static {
        if (AVAILABLE) Listener.add();
    }

    private FlightRecording() {}

    /** Makes this class notice the start of the recorder. */
    public static void prepare() {}
}
