package org.trueasync.internal.recorder;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * The flight recorder, where the JVM has one. Whether an event is wanted is asked before anything is made for it, and costs the reading of a field while the recorder
 * has not been started.
 *
 * <p>Recording meets no lock that a coroutine could hold while it is suspended: the recorder pins virtual threads for as long as it holds its own. Only
 * registering the events may, which is why that is done by whoever starts the recorder.
 */
public final class FlightRecording {
    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    /** The recorder has been started, and knows the events. Plain: that a loop sees it a moment later does no harm. */
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

    /** Has the recorder's start noticed from now on. */
    public static void prepare() {}
}
