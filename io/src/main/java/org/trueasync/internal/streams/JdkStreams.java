package org.trueasync.internal.streams;

import org.trueasync.internal.run.RunObserver;
import org.trueasync.internal.task.Settings;

/**
 * Keeps JDK streams from blocking a loop: before each run it replaces those of all processes started later, and the
 * standard streams if the run asks for it, again if one was put back since.
 */
public final class JdkStreams implements RunObserver {
    /** For the service loader. */
    public JdkStreams() {}

    @Override
    public void prepare(Settings settings) {
        if (settings.standardStreams()) {
            StandardInput.install();
            StandardOutput.install();
        }
        StartedProcesses.watch();
    }
}
