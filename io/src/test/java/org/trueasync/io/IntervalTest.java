package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.testkit.VirtualTime;

class IntervalTest {
    private static Interval everyTenMillis() {
        return Interval.every(Duration.ofMillis(10));
    }

    private static long millis() {
        return VirtualTime.elapsed().toMillis();
    }

    @Test
    void workBetweenTicks_makesNoDrift() {
        VirtualTime.run(() -> {
            delay(3);
            var interval = everyTenMillis();
            var ticks = new ArrayList<Long>();
            for (int i = 0; i < 4; i++) {
                assertThat(interval.await()).isZero();
                ticks.add(millis());
                delay(i * 3);
            }
            assertThat(ticks).containsExactly(13L, 23L, 33L, 43L);
        });
    }

    @Test
    void lateConsumer_goesOnAtTheNextMultipleAndIsToldWhatItMissed() {
        VirtualTime.run(() -> {
            var interval = everyTenMillis();
            delay(35);
            assertThat(interval.await()).isEqualTo(3);
            assertThat(millis()).isEqualTo(40);
            assertThat(interval.await()).isZero();
            assertThat(millis()).isEqualTo(50);
        });
    }

    @Test
    void consumerThatComesOnTheTick_hasNotMissedItAndLetsOthersRun() {
        VirtualTime.run(() -> {
            var interval = everyTenMillis();
            delay(20);
            Coroutine<?> other = spawn(() -> {});
            assertThat(interval.await()).isEqualTo(1);
            assertThat(other.isCompleted()).isTrue();
            assertThat(millis()).isEqualTo(20);
            assertThat(interval).hasToString("interval of PT0.01S, 2 ticks");
        });
    }

    @Test
    void waitThatWasGivenUp_hasTakenNoTick() {
        VirtualTime.run(() -> {
            var interval = everyTenMillis();
            Coroutine<?> waiting = spawn(() -> interval.await());
            suspend();
            waiting.cancel();
            assertThatThrownBy(() -> await(waiting)).isInstanceOf(AsyncCancellation.class);
            assertThatThrownBy(() -> interval.await(timeout(5))).isInstanceOf(OperationCanceledException.class);
            assertThat(interval.await(timeout(50))).isZero();
            assertThat(millis()).isEqualTo(10);
        });
    }

    @Test
    void outsideOfARun_isRefused() {
        assertThatThrownBy(IntervalTest::everyTenMillis)
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Interval.every");
    }
}
