package org.trueasync.io;

import java.util.Objects;
import org.trueasync.AsyncRuntime;
import org.trueasync.Completable;
import org.trueasync.internal.process.EndSignals;
import org.trueasync.internal.process.SignalEvent;

/**
 * Lets coroutines wait for signals to this process.
 *
 * <p>While there is a wait for a signal, its usual action is off: for SIGINT, SIGTERM and SIGHUP the JVM does not end.
 * After the last wait the earlier action is back, also the JVM's shutdown with its hooks. A signal that is ignored from
 * the start of the process, as {@code nohup} does with SIGHUP, stays ignored.
 *
 * <p>A program can't wait for the JVM's own signals: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGUSR2, SIGPIPE,
 * SIGXFSZ; nor for SIGKILL and SIGSTOP, which can't be caught, nor for SIGCHLD. The system may merge several deliveries
 * in quick succession into one.
 *
 * <p>Loop thread only, except {@link #shutdownOn}, for any thread.
 */
public final class Signals {
    private Signals() {}

    /**
     * Returns the next delivery of a signal from now on, also if it comes before it is awaited. Each call is a separate
     * wait: one delivery ends all waits for the signal, in all runtimes of the process. The wait keeps the run alive
     * only while a coroutine awaits it. It is over when it is cancelled or garbage-collected, or the run ends.
     *
     * @param signal the signal
     * @return a wait that ends with the signal
     * @throws IllegalArgumentException if the signal can't be waited for; the message says why and what to do instead
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    public static Completable<Signal> next(Signal signal) {
        return SignalEvent.next(signal, null);
    }

    /**
     * As {@link #next(Signal)}; if the token ends first, the wait fails with the token's error. If the token has ended
     * already, the wait has failed when this returns.
     *
     * @param signal the signal
     * @param cancellation the token
     */
    public static Completable<Signal> next(Signal signal, Completable<?> cancellation) {
        return SignalEvent.next(signal, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * As {@link AsyncRuntime.Builder#shutdownOn}, for other signals too: from this call on, each of them ends the
     * process, and its end waits for the end of this runtime. SIGTERM, SIGINT and SIGHUP do so even if they are not
     * named. Any thread.
     *
     * @param builder of the runtime
     * @param signals that end the process
     * @return the builder
     * @throws IllegalArgumentException if a signal is named twice, if no process can catch it, or if the JVM needs it;
     *     the message names the signal
     */
    public static AsyncRuntime.Builder shutdownOn(AsyncRuntime.Builder builder, Signal... signals) {
        Objects.requireNonNull(builder, "builder");
        EndSignals.handle(EndSignals.checked(signals));
        return builder.shutdownOn();
    }
}
