package org.trueasync.internal.streams;

import org.trueasync.internal.run.RunObserver;

/**
 * Keeps JDK streams from blocking a loop: before each run it replaces the standard streams, again if one was put back
 * since, and those of all processes started later.
 */
public final class JdkStreams implements RunObserver {
    /** For the service loader. */
    public JdkStreams() {}

    @Override
    public void prepare() {
        StandardInput.install();
        StandardOutput.install();
        StartedProcesses.watch();
    }
}
