package org.trueasync.internal.watchdog;

/** Hands reports to the flight recorder, where the JVM has one. */
final class JfrReports {
    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private JfrReports() {}

    static void emit(BlockedLoop held) {
        if (AVAILABLE) Recorder.emit(held);
    }

    /** A class of its own, as it needs the recorder's classes. */
    private static final class Recorder {
        static void emit(BlockedLoop held) {
            var event = new HeldLoopEvent();
            if (!event.isEnabled()) return;
            event.runtime = held.loop();
            event.holder = held.holder();
            event.place = held.place();
            event.heldSoFar = held.soFar().toNanos();
            event.stack = held.frames();
            event.commit();
        }
    }
}
