package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.suspend;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

@Tag("U33")
class HeartbeatTest {
    @Test
    void beatsOnceInEveryTick() {
        int[] beats = {0};
        new TestRuntime(builder -> builder.heartbeat(() -> beats[0]++)).call(() -> {
            Async.spawn(() -> {
                for (int i = 0; i < 100; i++) suspend();
            });
            suspend();
            int before = beats[0];
            for (int i = 0; i < 10; i++) suspend();
            assertThat(beats[0] - before).isEqualTo(20);
            return null;
        });
    }

    @Test
    void mayNeitherWaitNorThrow() {
        int[] beats = {0};
        Throwable thrown = new TestRuntime(builder -> builder.heartbeat(() -> {
                    if (++beats[0] == 3) suspend();
                }))
                .failure(() -> {
                    for (int i = 0; i < 100; i++) {
                        Async.spawn(() -> {});
                        suspend();
                    }
                });
        assertThat(thrown).isInstanceOf(AsyncException.class).hasMessageContaining("may not suspend");
        assertThatThrownBy(() -> Async.runtime().heartbeat(null)).hasMessageContaining("beat");
    }
}
