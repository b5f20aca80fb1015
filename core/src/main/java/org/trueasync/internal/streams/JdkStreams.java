package org.trueasync.internal.streams;

/** The streams of the JDK that would hold a loop and can be kept from it. */
public final class JdkStreams {
    private JdkStreams() {}

    /** Replaces those there are now and will be. Any thread; again when a standard stream has been replaced. */
    public static void help() {
        StandardInput.install();
        StandardOutput.install();
        StartedProcesses.watch();
    }
}
