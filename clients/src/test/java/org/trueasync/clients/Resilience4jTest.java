package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;
import static org.trueasync.clients.Waits.onLoop;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.testkit.VirtualTime;

/** What resilience4j does in coroutines, well and not so well. */
@Timeout(100)
class Resilience4jTest {
    private static RateLimiter limiter(Duration each, Duration atMost, Supplier<Long> clock) {
        var settings = RateLimiterConfig.custom()
                .limitForPeriod(1)
                .limitRefreshPeriod(each)
                .timeoutDuration(atMost)
                .build();
        return RateLimiter.of("limiter", settings, clock);
    }

    private static RateLimiter onePerSecond() {
        return limiter(Duration.ofSeconds(1), Duration.ofSeconds(5), () -> VirtualTime.elapsed()
                .toNanos());
    }

    /** As the guide has it. */
    private static boolean awaitTurn(RateLimiter limiter) {
        long nanos = limiter.reservePermission();
        if (nanos < 0) return false;
        delay(Duration.ofNanos(nanos));
        return true;
    }

    @Test
    void reservedTurns_comeInTheOrderOfTheCallsOnTheClockOfTheRuntime() {
        VirtualTime.run(() -> {
            var limiter = onePerSecond();
            var served = new ArrayList<String>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                spawn(() -> served.add(number + (awaitTurn(limiter) ? " at " + VirtualTime.elapsed() : " refused")));
            }
            delay(10_000);
            assertThat(served)
                    .as("a turn later than in 5 s is refused at once")
                    .containsExactlyInAnyOrder(
                            "6 refused",
                            "7 refused",
                            "0 at PT0S",
                            "1 at PT1S",
                            "2 at PT2S",
                            "3 at PT3S",
                            "4 at PT4S",
                            "5 at PT5S");
        });
    }

    @Test
    void callerThatLeaves_endsAtOnceAndItsTurnIsLost() {
        VirtualTime.run(() -> {
            var limiter = onePerSecond();
            var served = new ArrayList<String>();
            var callers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 4; i++) {
                int number = i;
                callers.add(spawn(() -> {
                    awaitTurn(limiter);
                    served.add(number + " at " + VirtualTime.elapsed());
                }));
            }
            delay(500);
            callers.get(2).cancel();
            assertThatThrownBy(() -> await(callers.get(2))).isInstanceOf(AsyncCancellation.class);
            assertThat(VirtualTime.elapsed()).isEqualTo(Duration.ofMillis(500));
            awaitAll(callers);
            assertThat(served).containsExactly("0 at PT0S", "1 at PT1S", "3 at PT3S");
        });
    }

    @Test
    void ownWaitOfTheLimiter_suspendsTheCallerAlone() {
        onLoop(() -> {
            var limiter = limiter(Duration.ofMillis(300), Duration.ofSeconds(60), System::nanoTime);
            var order = new ArrayList<Integer>();
            var callers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                callers.add(spawn(() -> {
                    if (limiter.acquirePermission()) order.add(number);
                }));
            }
            suspend();
            assertThat(order).as("the others run meanwhile").hasSizeLessThan(3);
            awaitAllOrFail(callers);
            assertThat(order).containsExactly(0, 1, 2);
        });
    }

    @Test
    void itsOwnRetry_takesAnInterruptForAFailure() {
        onLoop(() -> {
            var retry = Retry.of(
                    "retry",
                    RetryConfig.custom()
                            .maxAttempts(3)
                            .waitDuration(Duration.ofMillis(1))
                            .build());
            int[] attempts = {0};
            Coroutine<?> caller = spawn(() -> retry.executeCallable(() -> {
                if (++attempts[0] == 1) new CountDownLatch(1).await();
                return attempts[0];
            }));
            suspend();
            caller.cancel();
            assertThat(await(caller)).as("so the cancellation was swallowed").isEqualTo(2);
        });
    }

    @Test
    void itsBreaker_losesTheTrialCallThatWasCancelled() {
        onLoop(() -> {
            var breaker = CircuitBreaker.ofDefaults("breaker");
            breaker.transitionToOpenState();
            breaker.transitionToHalfOpenState();
            for (int i = 0; i < breaker.getCircuitBreakerConfig().getPermittedNumberOfCallsInHalfOpenState(); i++) {
                Coroutine<?> trial = spawn(() -> breaker.executeCallable(() -> {
                    delay(60_000);
                    return 1;
                }));
                suspend();
                trial.cancel();
                assertThatThrownBy(() -> await(trial)).isInstanceOf(AsyncCancellation.class);
            }
            assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
            assertThat(breaker.tryAcquirePermission())
                    .as("nothing is under way, and nothing is let through any more")
                    .isFalse();
        });
    }
}
