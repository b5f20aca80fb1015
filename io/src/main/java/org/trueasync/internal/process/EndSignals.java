package org.trueasync.internal.process;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.trueasync.internal.run.SystemSignals;
import org.trueasync.io.Signal;

/** Signals that end the process because a program wants them to. */
public final class EndSignals {
    /** The signals for which the JVM itself ends the process, with status 128 + n. */
    private static final Set<Signal> OF_THE_JVM = Set.of(Signal.SIGHUP, Signal.SIGINT, Signal.SIGTERM);

    private static final Set<Signal> HANDLED = ConcurrentHashMap.newKeySet();

    private EndSignals() {}

    /**
     * Returns the signals for which a user wants the process to end.
     *
     * @throws IllegalArgumentException if one is named twice, or can't be handled
     */
    public static Set<Signal> checked(Signal... named) {
        Set<Signal> signals = EnumSet.noneOf(Signal.class);
        for (Signal signal : named) {
            ReservedSignals.refuseAsEnd(Objects.requireNonNull(signal, "signal"));
            if (!signals.add(signal))
                throw new IllegalArgumentException("shutdownOn was given " + signal + " twice; name each signal once");
        }
        return signals;
    }

    /**
     * From now on each of these signals ends the process, with status 128 + n.
     *
     * @throws IllegalArgumentException if the JVM keeps one of them for itself
     */
    public static void handle(Set<Signal> signals) {
        for (Signal signal : signals) {
            if (OF_THE_JVM.contains(signal) || !HANDLED.add(signal)) continue;
            try {
                // On a thread of its own: the hook waits, and another signal must not wait for that.
                SystemSignals.handle(signal.name().substring("SIG".length()), () -> Thread.ofPlatform()
                        .name("trueasync-exit-" + signal)
                        .start(() -> System.exit(128 + signal.number())));
            } catch (IllegalArgumentException e) {
                HANDLED.remove(signal);
                throw ReservedSignals.noEnd(signal, "the JVM keeps it for itself (" + e.getMessage() + ")", e);
            }
        }
    }
}
