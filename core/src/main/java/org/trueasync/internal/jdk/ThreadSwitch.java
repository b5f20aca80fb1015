package org.trueasync.internal.jdk;

import java.util.List;
import org.trueasync.internal.error.CodeSites;

/**
 * How we suspend and resume a thread; JDK code parks it in its own way. Chosen once per process: the direct switch
 * unless the system property {@code org.trueasync.switch} says {@code yield}.
 */
public interface ThreadSwitch {
    /** The switch that this process uses. */
    static ThreadSwitch ofProcess() {
        return "yield".equals(System.getProperty("org.trueasync.switch")) ? new YieldSwitch() : new DirectSwitch();
    }

    /**
     * Starts a new thread without mounting it. True if {@link #resume} is to mount it for the first time, false if
     * {@link #run} is.
     */
    boolean start(SwitchedThread switched);

    /**
     * Mounts a thread that {@code Thread.start} has started or JDK code had parked; returns when it has left the loop
     * thread again. In the loop's frame.
     */
    void run(SwitchedThread switched);

    /** Mounts a thread that {@link #leave} has suspended; returns when it has left again. In the loop's frame. */
    void resume(SwitchedThread switched);

    /** Suspends the calling thread, which is this one; false if it is pinned. */
    boolean leave(SwitchedThread switched);

    /** True if the task that the JDK hands to the scheduler now is part of a {@link #leave} that is under way. */
    boolean isHandingOver(SwitchedThread switched);

    /** The frames of a suspended thread. */
    StackTraceElement[] trace(SwitchedThread switched);

    /** Those of them that are user code, for less than the whole trace costs where that is possible. */
    default List<StackTraceElement> userFrames(SwitchedThread switched) {
        return CodeSites.userFrames(trace(switched));
    }
}
