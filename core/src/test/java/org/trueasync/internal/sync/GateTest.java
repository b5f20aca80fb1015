package org.trueasync.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.FutureState;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.testkit.TestRuntime;

class GateTest {
    private static Future<?> spent() {
        var state = new FutureState<String>();
        state.complete("over");
        return state.future();
    }

    @Test
    void open_letsThemThroughInTheOrderOfComing() {
        TestRuntime.run(() -> {
            var log = new ArrayList<Integer>();
            var gate = new Gate(() -> "gate");
            for (int i = 0; i < 3; i++) {
                int n = i;
                spawn(() -> {
                    gate.pass(null, "test");
                    log.add(n);
                });
            }
            suspend();
            assertThat(log).isEmpty();
            gate.open(null);
            suspend();
            assertThat(log).containsExactly(0, 1, 2);
        });
    }

    @Test
    void openGate_letsThroughWhoComesLater_alsoWithATokenThatIsOver() {
        TestRuntime.run(() -> {
            var gate = new Gate(() -> "gate");
            gate.open(null);
            gate.pass(null, "test");
            gate.pass(spent(), "test");
            assertThat(gate.hasCallbacks()).isFalse();
        });
    }

    @Test
    void shutGate_refusesATokenThatIsOver() {
        TestRuntime.run(() -> {
            var gate = new Gate(() -> "gate");
            assertThatThrownBy(() -> gate.pass(spent(), "test")).isInstanceOf(OperationCanceledException.class);
            assertThat(gate.hasCallbacks()).isFalse();
        });
    }

    @Test
    void openedWithAnError_bothWhoWaitsAndWhoComesLaterGetThatOne() {
        TestRuntime.run(() -> {
            var gate = new Gate(() -> "gate");
            Coroutine<?> waits = spawn(() -> gate.pass(null, "test"));
            suspend();
            gate.open(new IllegalStateException("first"));
            gate.open(new IllegalStateException("second"));
            assertThatThrownBy(() -> await(waits)).hasMessage("first");
            assertThatThrownBy(() -> gate.pass(null, "test")).hasMessage("first");
        });
    }

    @Test
    void waitAtAGate_isDescribedByIt() {
        TestRuntime.run(() -> {
            var gate = new Gate(() -> "latch, 2 steps left");
            Coroutine<?> waits = spawn(() -> gate.pass(null, "test"));
            suspend();
            assertThat(waits.awaitingInfo()).containsExactly("latch, 2 steps left");
            gate.open(null);
        });
    }
}
