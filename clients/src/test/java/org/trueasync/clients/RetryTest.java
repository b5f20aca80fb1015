package org.trueasync.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.testkit.VirtualTime;

/** The guide's retry: resilience4j computes the pauses and the budget, {@code delay} waits. */
class RetryTest {
    private final List<Long> calledAt = new ArrayList<>();

    private static long now() {
        return VirtualTime.elapsed().toMillis();
    }

    /** Five attempts, after 100, 200, 400 and 800 ms; {@code budget} retries each second. */
    private static Retry retry(int budget) {
        return new Retry(5, IntervalFunction.ofExponentialBackoff(Duration.ofMillis(100), 2), limiter(budget));
    }

    private static RateLimiter limiter(int each) {
        var settings = RateLimiterConfig.custom()
                .limitForPeriod(each)
                .limitRefreshPeriod(Duration.ofSeconds(1))
                .timeoutDuration(Duration.ZERO)
                .build();
        return RateLimiter.of("retries", settings, () -> VirtualTime.elapsed().toNanos());
    }

    private Callable<String> failing(int times) {
        return () -> {
            calledAt.add(now());
            if (calledAt.size() <= times) throw new IOException("reset");
            return "answer";
        };
    }

    @Test
    void failures_areTriedAgainAfterGrowingPauses() {
        VirtualTime.run(() -> {
            assertThat(retry(10).call(failing(3))).isEqualTo("answer");
            assertThat(calledAt).containsExactly(0L, 100L, 300L, 700L);
        });
    }

    @Test
    void lastFailure_isThrownAndOthersAtOnce() {
        VirtualTime.run(() -> {
            assertThatThrownBy(() -> retry(10).call(failing(9))).hasMessage("reset");
            assertThat(calledAt).hasSize(5);
            assertThatThrownBy(() -> retry(10).call(() -> {
                        calledAt.add(now());
                        throw new IllegalStateException("refused");
                    }))
                    .hasMessage("refused");
            assertThat(calledAt).hasSize(6);
        });
    }

    @Test
    void pauses_areSpreadByJitter() {
        VirtualTime.run(() -> {
            var spread =
                    IntervalFunction.ofExponentialRandomBackoff(Duration.ofMillis(100), 2, 0.5, Duration.ofMillis(500));
            assertThatThrownBy(() -> new Retry(5, spread, limiter(10)).call(failing(9)))
                    .hasMessage("reset");
            assertThat(calledAt.get(1)).isBetween(50L, 150L);
            assertThat(calledAt.get(4) - calledAt.get(3)).as("at most").isBetween(250L, 750L);
        });
    }

    @Test
    void cancellation_endsThePauseAtOnce() {
        VirtualTime.run(() -> {
            Coroutine<?> caller = spawn(() -> retry(10).call(failing(9)));
            delay(150);
            caller.cancel();
            assertThatThrownBy(() -> await(caller)).isInstanceOf(AsyncCancellation.class);
            assertThat(caller.isCancelled()).isTrue();
            assertThat(now()).isEqualTo(150);
            assertThat(calledAt).hasSize(2);
        });
    }

    @Test
    void deadline_endsItBeforeAPauseInVain() {
        VirtualTime.run(() -> {
            assertThatThrownBy(() ->
                            withTimeout(Duration.ofMillis(500), () -> retry(10).call(failing(9))))
                    .as("the reason, not that the time is over")
                    .isInstanceOf(IOException.class);
            assertThat(calledAt).containsExactly(0L, 100L, 300L);
            assertThat(now()).isEqualTo(300);
            assertThatThrownBy(() ->
                            withTimeout(Duration.ofMillis(500), () -> retry(10).call(() -> {
                                delay(1_000);
                                return "late";
                            })))
                    .isInstanceOf(AsyncTimeoutException.class);
        });
    }

    /** As clients do it whose call was interrupted. */
    private String interrupted() throws IOException {
        calledAt.add(now());
        try {
            new CountDownLatch(1).await();
            return "";
        } catch (InterruptedException e) {
            throw new IOException("the call has failed", e);
        }
    }

    @Test
    void interruptThatAClientHasWrapped_isNotTriedAgain() {
        VirtualTime.run(() -> {
            Coroutine<?> caller = spawn(() -> retry(10).call(this::interrupted));
            delay(10);
            caller.cancel();
            assertThatThrownBy(() -> await(caller)).isInstanceOf(AsyncCancellation.class);
            assertThat(calledAt).hasSize(1);
            assertThatThrownBy(() ->
                            withTimeout(Duration.ofMillis(50), () -> retry(10).call(this::interrupted)))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(calledAt).hasSize(2);
            assertThat(now()).isEqualTo(60);
        });
    }

    @Test
    void budget_isSharedByAllCallers() {
        VirtualTime.run(() -> {
            var retry = retry(3);
            var callers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 10; i++) callers.add(spawn(() -> retry.call(failing(100))));
            assertThat(awaitAll(callers).errors()).hasSize(10);
            assertThat(calledAt)
                    .as("10 calls, and 3 retries in the first second")
                    .hasSize(13);
        });
    }
}
