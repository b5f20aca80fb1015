package org.trueasync.io;

import java.util.Objects;
import org.trueasync.Completable;
import org.trueasync.internal.signal.SignalEvent;

/**
 * Signals that the process gets, as something to wait for.
 *
 * <p>While somebody waits for a signal, the process does not do what it usually does for it: with SIGINT, SIGTERM and SIGHUP the JVM does not end.
 * After the last one, what was there before is back, the JVM's shutdown with its hooks included. A signal that the process was started to ignore, as
 * {@code nohup} does it with SIGHUP, stays ignored.
 *
 * <p>The JVM's own signals can't be waited for: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGUSR2, SIGPIPE, SIGXFSZ; nor can SIGKILL and SIGSTOP,
 * which nobody can catch, and SIGCHLD. Several deliveries in quick succession may come as one, as the system has it.
 *
 * <p>Loop thread only.
 */
public final class Signals {
    private Signals() {}

    /**
     * The next delivery of a signal from now on, also if it comes before it is awaited. Each call is a wait of its own: everybody who waits gets the
     * delivery, in all runtimes of the process. It keeps the run alive only while it is awaited; dropped, cancelled, or at the end of the run it is
     * given up.
     *
     * @param signal which
     * @return ends with the signal
     * @throws IllegalArgumentException if it can't be waited for; says why and what to do instead
     */
    public static Completable<Signal> next(Signal signal) {
        return SignalEvent.next(signal, null);
    }

    /**
     * As {@link #next(Signal)}; fails when the token ends first, with the token's own error. A token that has ended already makes one that has failed
     * already.
     *
     * @param signal which
     * @param cancellation the token
     */
    public static Completable<Signal> next(Signal signal, Completable<?> cancellation) {
        return SignalEvent.next(signal, Objects.requireNonNull(cancellation, "cancellation"));
    }
}
