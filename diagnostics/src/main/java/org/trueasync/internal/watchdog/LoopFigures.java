package org.trueasync.internal.watchdog;

import java.util.function.Supplier;

/** Reads the figures of a running loop. What the JVM does for itself is 0 until {@link #learnJvm}. */
final class LoopFigures implements Supplier<OwnTime.Figures> {
    private final ThreadTime time;
    private boolean jvmIsKnown;

    LoopFigures(ThreadTime time) {
        this.time = time;
    }

    @Override
    public OwnTime.Figures get() {
        long[] now = time.now();
        return jvmIsKnown
                ? new OwnTime.Figures(now[0], now[1], JvmWork.collecting(), JvmWork.classesLoaded())
                : new OwnTime.Figures(now[0], now[1], 0, 0);
    }

    boolean jvmIsKnown() {
        return jvmIsKnown;
    }

    /**
     * From now on the figures include what the JVM does for itself. The first look costs tens of milliseconds, so this
     * is called only when a hold is suspected.
     */
    void learnJvm() {
        jvmIsKnown = true;
    }
}
