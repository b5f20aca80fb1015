package org.trueasync.internal.watchdog;

/** The figures of a running loop. What the JVM does for itself is 0 until {@link #learnJvm}. */
final class LoopFigures implements OwnTime.Figures {
    private final ThreadTime time;
    private boolean jvmIsKnown;
    private long ran = -1;
    private long starved = -1;
    private long collecting;
    private long classes;

    LoopFigures(ThreadTime time) {
        this.time = time;
    }

    @Override
    public void refresh() {
        long[] now = time.now();
        ran = now[0];
        starved = now[1];
        if (!jvmIsKnown) return;
        collecting = JvmWork.collecting();
        classes = JvmWork.classesLoaded();
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
        refresh();
    }

    @Override
    public double room() {
        return Processors.room();
    }

    @Override
    public long ran() {
        return ran;
    }

    @Override
    public long starved() {
        return starved;
    }

    @Override
    public long collecting() {
        return collecting;
    }

    @Override
    public long classes() {
        return classes;
    }
}
