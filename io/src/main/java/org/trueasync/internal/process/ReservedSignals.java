package org.trueasync.internal.process;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.io.Signal;

/**
 * Signals that a program can't wait for: why, and what to do instead. Of them, only SIGUSR2 can be named to end the
 * process.
 */
final class ReservedSignals {
    /**
     * Why one signal is reserved.
     *
     * @param why it is reserved
     * @param instead what to do in place of a wait for it
     */
    private record Reason(String why, String instead) {}

    private static final Reason NOT_CAUGHT = new Reason("no process can catch it", "wait for SIGTERM");
    private static final Reason JVM_FAULT =
            new Reason("the JVM needs it to run", "what it means for a program shows as an exception");

    private static final Map<Signal, Reason> REASONS = new EnumMap<>(Signal.class);

    static {
        REASONS.put(Signal.SIGKILL, NOT_CAUGHT);
        REASONS.put(Signal.SIGSTOP, new Reason(NOT_CAUGHT.why, "wait for SIGTSTP"));
        for (Signal fault : List.of(Signal.SIGSEGV, Signal.SIGBUS, Signal.SIGFPE, Signal.SIGILL))
            REASONS.put(fault, JVM_FAULT);
        REASONS.put(Signal.SIGQUIT, new Reason("the JVM prints its threads for it", "wait for SIGUSR1"));
        REASONS.put(Signal.SIGUSR2, new Reason("the JVM holds its threads with it", "wait for SIGUSR1"));
        REASONS.put(
                Signal.SIGPIPE, new Reason("the JVM ignores it", "a write that nobody can read throws, with EPIPE"));
        REASONS.put(Signal.SIGXFSZ, new Reason("the JVM ignores it", "a write beyond the limit throws, with EFBIG"));
        REASONS.put(
                Signal.SIGCHLD,
                new Reason("it is how the ends of children are seen", "use ChildProcess.await or IoEvents.process"));
    }

    private ReservedSignals() {}

    /** Throws an {@link IllegalArgumentException} if a program can't wait for the signal. */
    static void refuse(Signal signal) {
        Reason reason = REASONS.get(signal);
        if (reason != null)
            throw new IllegalArgumentException("can't wait for " + signal + ": " + reason.why + "; " + reason.instead);
    }

    /** Throws an {@link IllegalArgumentException} if the signal can't be used to end the process. */
    static void refuseAsEnd(Signal signal) {
        Reason reason = REASONS.get(signal);
        if (reason != null && signal != Signal.SIGUSR2) throw noEnd(signal, reason.why, null);
    }

    /** The error for a signal that can't end the process. */
    static IllegalArgumentException noEnd(Signal signal, String why, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "shutdownOn can't end the process for " + signal + ": " + why
                        + "; name SIGTERM or SIGINT, which ask a process to end",
                cause);
    }
}
