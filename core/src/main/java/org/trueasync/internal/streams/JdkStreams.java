package org.trueasync.internal.streams;

/** Keeps JDK streams from blocking a loop. */
public final class JdkStreams {
    private JdkStreams() {}

    /**
     * Replaces the standard streams and those of all processes started later. Any thread; call it again when a standard
     * stream has been replaced.
     */
    public static void help() {
        StandardInput.install();
        StandardOutput.install();
        StartedProcesses.watch();
    }
}
