package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;

/** Permits with a limit, too many given back, and from the wrong thread. */
class SyncLimitsTest {
    private static final Duration LIMIT = Duration.ofMillis(20);

    @Test
    void permitInTime_isTaken() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(2);
            assertThat(semaphore.tryAcquire(2, LIMIT)).as("free at once").isTrue();
            spawn(() -> {
                delay(19);
                semaphore.release();
            });
            assertThat(semaphore.tryAcquire(LIMIT)).as("free after 19 of 20 ms").isTrue();
            assertThat(semaphore.availablePermits()).isZero();
        });
    }

    @Test
    void limitOver_isFalseAndNothingIsTaken() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(2);
            semaphore.acquire();
            assertThat(semaphore.tryAcquire(2, LIMIT)).isFalse();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            assertThat(semaphore.waitingCount()).isZero();
            assertThat(semaphore.tryAcquire(1, Duration.ZERO)).isTrue();
            assertThat(semaphore.tryAcquire(1, Duration.ZERO)).isFalse();
        });
    }

    @Test
    void cancelledWhileTheLimitRuns_isThrownAndNotFalse() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(1);
            semaphore.acquire();
            Coroutine<Boolean> waits = spawn((Callable<Boolean>) () -> semaphore.tryAcquire(LIMIT));
            suspend();
            waits.cancel(new OperationCanceledException("not the limit", new AsyncTimeoutException(LIMIT)));
            assertThatThrownBy(() -> await(waits)).hasMessage("not the limit");
            Coroutine<Boolean> late = spawn((Callable<Boolean>) () -> semaphore.tryAcquire(LIMIT));
            suspend();
            late.cancel(new OperationCanceledException("another token", null));
            assertThatThrownBy(() -> await(late)).hasMessage("another token");
        });
    }

    @Test
    void moreGivenBackThanTaken_isRefusedWithTheNumbers() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(5);
            semaphore.acquire(2);
            assertThatThrownBy(() -> semaphore.release(3))
                    .isInstanceOf(AsyncException.class)
                    .hasMessage("more given back than taken: 3 of 2 held; semaphore, 3 of 5 permits free, 0 waiting");
            assertThat(semaphore.availablePermits()).isEqualTo(3);
            semaphore.release(2);
            assertThat(semaphore.availablePermits()).isEqualTo(5);
        });
    }

    static Stream<Named<Consumer<Semaphore>>> calls() {
        return Stream.of(
                Named.of("acquire", Semaphore::acquire),
                Named.of("tryAcquire", Semaphore::tryAcquire),
                Named.of("release", Semaphore::release));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void fromAnotherThread_isRefusedAndChangesNothing(Consumer<Semaphore> call) {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(3);
            semaphore.acquire();
            var thrown = new Throwable[1];
            Thread other = Thread.ofPlatform().start(() -> {
                try {
                    call.accept(semaphore);
                } catch (Throwable e) {
                    thrown[0] = e;
                }
            });
            other.join();
            assertThat(thrown[0]).isInstanceOf(AsyncException.class).hasMessageContaining("Semaphore.");
            assertThat(semaphore.availablePermits()).isEqualTo(2);
        });
    }
}
