package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SchedulerProvider;

/** Microtasks wait while nobody runs, and there is no memory for who would run them. */
class MicrotasksWithoutMemoryTest {
    @AfterEach
    void mend() {
        FaultPoint.fault = null;
    }

    @Test
    @Tag("K67")
    void noMemoryForTheServiceWhileMicrotasksWait_runEnds() {
        Throwable thrown = new TestRuntime().failure(() -> {
            var timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(3));
            timer.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                    Microtask.of(() -> {}).enqueue();
                    FaultPoint.fault = () -> {
                        throw new OutOfMemoryError("for the service");
                    };
                }
            });
            timer.start();
            delay(3_600_000);
        });
        assertThat(thrown).isInstanceOf(OutOfMemoryError.class).hasMessageContaining("for the service");
    }
}
