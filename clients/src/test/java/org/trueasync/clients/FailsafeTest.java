package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;
import static org.trueasync.clients.Waits.onLoop;

import dev.failsafe.Bulkhead;
import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.RateLimiter;
import dev.failsafe.RetryPolicy;
import dev.failsafe.function.CheckedSupplier;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;

/** What Failsafe does in coroutines, well and not so well. */
@Timeout(100)
class FailsafeTest {
    private int attempts;

    private static RetryPolicy<Object> pauses(Duration pause) {
        return RetryPolicy.builder()
                .handle(IOException.class)
                .withDelay(pause)
                .withMaxRetries(2)
                .build();
    }

    private CheckedSupplier<Object> failing(int times) {
        return () -> {
            if (++attempts <= times) throw new IOException("reset");
            return "answer";
        };
    }

    private static void cancelled(Coroutine<?> caller) {
        suspend();
        caller.cancel();
        assertThatThrownBy(() -> await(caller)).isInstanceOf(AsyncCancellation.class);
    }

    @Test
    void retry_suspendsTheCallerAlone() {
        onLoop(() -> {
            Coroutine<?> caller =
                    spawn(() -> Failsafe.with(pauses(Duration.ofMillis(5))).get(failing(2)));
            suspend();
            assertThat(attempts).isEqualTo(1);
            assertThat(await(caller)).isEqualTo("answer");
        });
    }

    @Test
    void retryInItsPause_endsByCancellationAndByLimit() {
        onLoop(() -> {
            var patient = Failsafe.with(pauses(Duration.ofHours(1)));
            cancelled(spawn(() -> patient.get(failing(9))));
            assertThatThrownBy(() -> withTimeout(Duration.ofMillis(5), () -> patient.get(failing(9))))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(attempts).isEqualTo(2);
        });
    }

    @Test
    void retry_takesACancellationForAFailureUnlessToldWhatIsOne() {
        onLoop(() -> {
            CheckedSupplier<Object> waits = () -> {
                if (++attempts == 1) delay(60_000);
                return attempts;
            };
            var careless = RetryPolicy.builder().build();
            Coroutine<?> caller = spawn(() -> Failsafe.with(careless).get(waits));
            suspend();
            caller.cancel();
            assertThat(await(caller)).as("the cancellation was swallowed").isEqualTo(2);
            attempts = 0;
            cancelled(spawn(() -> Failsafe.with(pauses(Duration.ofMillis(1))).get(waits)));
            assertThat(attempts).isEqualTo(1);
        });
    }

    @Test
    void interruptThatAClientHasWrapped_needsAPredicate() {
        onLoop(() -> {
            CheckedSupplier<Object> interrupted = () -> {
                if (++attempts > 1) return attempts;
                try {
                    new CountDownLatch(1).await();
                    return attempts;
                } catch (InterruptedException e) {
                    throw new IOException("the call has failed", e);
                }
            };
            Coroutine<?> caller =
                    spawn(() -> Failsafe.with(pauses(Duration.ofMillis(1))).get(interrupted));
            suspend();
            caller.cancel();
            assertThat(await(caller)).as("the cancellation was swallowed").isEqualTo(2);
            attempts = 0;
            var careful = RetryPolicy.builder()
                    .handleIf(
                            e -> e instanceof IOException && !currentCoroutine().isCancellationRequested())
                    .build();
            cancelled(spawn(() -> Failsafe.with(careful).get(interrupted)));
            assertThat(attempts).isEqualTo(1);
        });
    }

    @Test
    void rateLimiter_isFairAndACallerThatLeavesEndsAtOnce() {
        onLoop(() -> {
            RateLimiter<Object> limiter =
                    RateLimiter.smoothBuilder(Duration.ofMillis(200)).build();
            var order = new ArrayList<Integer>();
            var callers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 4; i++) {
                int number = i;
                callers.add(spawn(() -> {
                    limiter.acquirePermit();
                    order.add(number);
                }));
            }
            cancelled(callers.get(2));
            awaitAll(callers);
            assertThat(order).isEqualTo(List.of(0, 1, 3));
        });
    }

    @Test
    void bulkhead_losesThePermitOfACallerThatLeaves() {
        onLoop(() -> {
            Bulkhead<Object> bulkhead = Bulkhead.of(1);
            bulkhead.acquirePermit();
            Coroutine<?> waiting = spawn(() -> bulkhead.acquirePermit());
            cancelled(waiting);
            bulkhead.releasePermit();
            assertThat(bulkhead.tryAcquirePermit()).as("nobody has one").isFalse();
        });
    }

    @Test
    void breaker_takesACancelledTrialForASuccess() {
        onLoop(() -> {
            CircuitBreaker<Object> breaker =
                    CircuitBreaker.builder().handle(IOException.class).build();
            breaker.halfOpen();
            cancelled(spawn(() -> Failsafe.with(breaker).get(() -> {
                delay(60_000);
                return 1;
            })));
            assertThat(breaker.isClosed()).isTrue();
        });
    }
}
