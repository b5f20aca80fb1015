package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.internal.testkit.VirtualReactor;

@Tag("deep")
class MillionCoroutinesTest {
    private static final int COUNT = 1_000_000;

    @Test
    @Timeout(400)
    @Tag("K9")
    @Tag("F79")
    void millionCoroutinesAlive_allEnd() {
        int[] ended = new int[1];
        Async.runtime().reactor(VirtualReactor::new).run(() -> {
            for (int i = 0; i < COUNT; i++) {
                spawn(() -> {
                    delay(1_000);
                    ended[0]++;
                });
            }
            delay(500);
            assertThat(runtimeStats().coroutines()).isEqualTo(COUNT + 1);
            assertThat(runtimeStats().timers()).isEqualTo(COUNT);
            assertThat(ended[0]).isZero();
            delay(600);
            while (ended[0] < COUNT) delay(1);
            assertThat(runtimeStats().coroutines()).isEqualTo(1);
        });
        assertThat(ended[0]).isEqualTo(COUNT);
    }
}
