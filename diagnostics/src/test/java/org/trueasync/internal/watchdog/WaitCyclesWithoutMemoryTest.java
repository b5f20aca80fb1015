package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

/** A look for coroutines that wait for each other finds no memory: the program goes on, and is looked at again. */
@Tag("K67")
class WaitCyclesWithoutMemoryTest {
    @AfterEach
    void noMoreFaults() {
        FaultPoint.fault = null;
    }

    private static boolean isLook() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(f -> f.getClassName().endsWith(".WaitCycles")));
    }

    @Test
    void lookThatFails_isRepeatedAndEndsNothing() {
        List<Boolean> more = new ArrayList<>();
        TestRuntime.run(() -> {
            var probe = new LoopProbe(Runtimes.here("test"));
            FaultPoint.fault = () -> {
                if (isLook()) throw new InternalError("planted: no memory");
            };
            probe.inspect(() -> WaitCycles.of(probe.loop()).search(), (again, nanos) -> more.add(again));
            Async.delay(1);
            assertThat(more).containsExactly(true);
            FaultPoint.fault = null;
            probe.inspect(() -> WaitCycles.of(probe.loop()).search(), (again, nanos) -> more.add(again));
            Async.delay(1);
            assertThat(more).containsExactly(true, false);
        });
    }
}
