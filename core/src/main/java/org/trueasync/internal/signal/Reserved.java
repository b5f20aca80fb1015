package org.trueasync.internal.signal;

import java.util.EnumMap;
import java.util.Map;
import org.trueasync.io.Signal;

/** Signals that nobody can wait for: why, and what to do instead. */
final class Reserved {
    private static final String JVM_FAULT =
            "the JVM needs it to run; what it means for a program shows as an exception";

    private static final Map<Signal, String> REASONS = new EnumMap<>(Map.of(
            Signal.SIGKILL, "no process can catch it; wait for SIGTERM",
            Signal.SIGSTOP, "no process can catch it; wait for SIGTSTP",
            Signal.SIGSEGV, JVM_FAULT,
            Signal.SIGBUS, JVM_FAULT,
            Signal.SIGFPE, JVM_FAULT,
            Signal.SIGILL, JVM_FAULT,
            Signal.SIGQUIT, "the JVM prints its threads for it; wait for SIGUSR1",
            Signal.SIGUSR2, "the JVM holds its threads with it; wait for SIGUSR1",
            Signal.SIGPIPE, "the JVM ignores it; a write that nobody can read throws, with EPIPE",
            Signal.SIGCHLD, "it is how the ends of children are seen; use ChildProcess.await or Events.process"));

    private Reserved() {}

    /** Fails if it is one of them. */
    static void refuse(Signal signal) {
        String reason = signal == Signal.SIGXFSZ
                ? "the JVM ignores it; a write beyond the limit throws, with EFBIG"
                : REASONS.get(signal);
        if (reason != null) throw new IllegalArgumentException("can't wait for " + signal + ": " + reason);
    }
}
