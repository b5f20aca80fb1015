package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.Async;
import org.trueasync.AsyncRuntime;
import org.trueasync.internal.process.EndSignals;

/** What may be named as a signal that ends the process; with real signals: {@code LibrarySignalTest} of the command. */
class ShutdownSignalsTest {
    private static final Set<Signal> REFUSED = EnumSet.of(
            Signal.SIGKILL,
            Signal.SIGSTOP,
            Signal.SIGSEGV,
            Signal.SIGBUS,
            Signal.SIGFPE,
            Signal.SIGILL,
            Signal.SIGQUIT,
            Signal.SIGPIPE,
            Signal.SIGXFSZ,
            Signal.SIGCHLD);

    @ParameterizedTest
    @EnumSource(Signal.class)
    void signal_isTakenOrRefusedWithTheReasonAndTheWayOut(Signal signal) {
        if (!REFUSED.contains(signal)) {
            // not through the API: from then on it would end this process
            assertThat(EndSignals.checked(signal)).containsExactly(signal);
            return;
        }
        assertThatThrownBy(() -> Signals.shutdownOn(Async.runtime(), Signal.SIGTERM, signal))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "shutdownOn can't end the process for " + signal
                                + ": (no process can catch it|the JVM .*|it is how .*); name SIGTERM or SIGINT, which ask a process to end");
    }

    @Test
    void signalOfTheJvm_changesNothingButTheRuntime() {
        AsyncRuntime.Builder builder = Async.runtime();
        assertThat(Signals.shutdownOn(builder, Signal.SIGTERM)).isSameAs(builder);
        assertThat(Signals.shutdownOn(builder)).isSameAs(builder);
    }

    @Test
    void signalNamedTwice_isRefusedByItsName() {
        assertThatThrownBy(() -> Signals.shutdownOn(Async.runtime(), Signal.SIGTERM, Signal.SIGINT, Signal.SIGTERM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shutdownOn was given SIGTERM twice; name each signal once");
    }

    @Test
    @SuppressWarnings("NullAway") // that is the point
    void noSignalAmongThem_isRefused() {
        assertThatThrownBy(() -> Signals.shutdownOn(Async.runtime(), Signal.SIGTERM, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("signal");
    }
}
