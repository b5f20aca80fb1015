package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.io.Signal;

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
        AsyncRuntime.Builder builder = Async.runtime().reactor(VirtualReactor::new);
        if (!REFUSED.contains(signal)) {
            assertThat(builder.shutdownOn(signal)).isSameAs(builder);
            return;
        }
        assertThatThrownBy(() -> builder.shutdownOn(Signal.SIGTERM, signal))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "shutdownOn can't end the process for " + signal
                                + ": (no process can catch it|the JVM .*|it is how .*); name SIGTERM or SIGINT, which ask a process to end");
    }

    @Test
    void signalNamedTwice_isRefusedByItsName() {
        assertThatThrownBy(() -> Async.runtime().shutdownOn(Signal.SIGTERM, Signal.SIGINT, Signal.SIGTERM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shutdownOn was given SIGTERM twice; name each signal once");
    }

    @Test
    @SuppressWarnings("NullAway") // that is the point
    void noSignalAmongThem_isRefused() {
        assertThatThrownBy(() -> Async.runtime().shutdownOn(Signal.SIGTERM, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("signal");
    }
}
