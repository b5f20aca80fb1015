package org.trueasync.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** For how long a caller is slowed down. */
@Tag("K62")
class BackpressureTest {
    @Test
    void room_nobodyWaits() {
        var pauses = new AtomicInteger();
        Backpressure.awaitRoom(() -> Backpressure.CROWD, () -> pauses.incrementAndGet() > 0);
        assertThat(pauses).hasValue(0);
    }

    @Test
    void roomAfterAWhile_goesOn() {
        var pauses = new AtomicInteger();
        Backpressure.awaitRoom(
                () -> pauses.get() < 3 ? 200 * Backpressure.CROWD : Backpressure.CROWD,
                () -> pauses.incrementAndGet() > 0);
        assertThat(pauses).hasValue(3);
    }

    @Test
    void callerThatCanNotRest_goesOn() {
        var pauses = new AtomicInteger();
        Backpressure.awaitRoom(() -> 200 * Backpressure.CROWD, () -> pauses.incrementAndGet() == 0);
        assertThat(pauses).hasValue(1);
    }

    @Test
    void noRoom_heldForAWhileAndNeverForEver() {
        long begin = System.nanoTime();
        Backpressure.awaitRoom(() -> Backpressure.CROWD + 1);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(Backpressure.HOLD_NANOS);
    }

    @Test
    void theMoreWait_theLongerACallIsHeld() {
        assertThat(Backpressure.holdNanos(Backpressure.CROWD + 1)).isEqualTo(Backpressure.HOLD_NANOS);
        assertThat(Backpressure.holdNanos(3 * Backpressure.CROWD)).isEqualTo(9 * Backpressure.HOLD_NANOS);
        assertThat(Backpressure.holdNanos(Integer.MAX_VALUE)).isEqualTo(100 * Backpressure.HOLD_NANOS);
    }

    /** A park returns at once while the status is set. */
    @Test
    void interruptedThread_isHeldAsAnyOther_andKeepsItsStatus() {
        var looks = new AtomicInteger();
        Thread.currentThread().interrupt();
        try {
            long begin = System.nanoTime();
            Backpressure.awaitRoom(() -> {
                looks.incrementAndGet();
                return 2 * Backpressure.CROWD;
            });
            long passed = System.nanoTime() - begin;
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(looks.get())
                    .as("one look for each pause")
                    .isLessThan((int) (passed / Backpressure.PAUSE_NANOS) + 5);
        } finally {
            Thread.interrupted();
        }
    }
}
