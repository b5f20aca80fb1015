package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** A semaphore with a bound for those that wait. */
class LimiterTest {
    private final List<String> log = new ArrayList<>();

    private Coroutine<?> caller(String name, Semaphore limiter) {
        return spawn(() -> limiter.withPermit(() -> {
            log.add(name);
            delay(10);
        }));
    }

    @Test
    void fullQueue_refusesAtOnceAndServesTheOthersInOrder() {
        TestRuntime.run(runtime -> {
            var limiter = new Semaphore("backend", 1).maxWaiting(2);
            var calls = new ArrayList<Coroutine<?>>();
            for (String name : List.of("a", "b", "c")) calls.add(caller(name, limiter));
            suspend();
            long switches = runtimeStats().switches();
            assertThatThrownBy(() -> limiter.withPermit(() -> log.add("refused")))
                    .isInstanceOfSatisfying(ServiceUnavailableException.class, e -> assertThat(e.retryIn())
                            .isNull())
                    .hasMessage("refused, as 2 wait already, and maxWaiting is 2: semaphore 'backend', 0 of 1 permits"
                            + " free, 2 waiting");
            assertThatThrownBy(limiter::acquire).isInstanceOf(ServiceUnavailableException.class);
            assertThatThrownBy(() -> limiter.acquire(timeout(1))).isInstanceOf(ServiceUnavailableException.class);
            assertThat(limiter.tryAcquire(Duration.ofMillis(5))).isFalse();
            assertThat(runtimeStats().switches()).isEqualTo(switches);
            assertThat(runtime.reactor().nanoTime()).isZero();
            assertThat(limiter.refusedCount()).isEqualTo(4);
            assertThat(limiter.tryAcquire()).as("which never waits").isFalse();
            assertThat(limiter.tryAcquire(Duration.ZERO)).isFalse();
            awaitAll(calls);
            assertThat(log).containsExactly("a", "b", "c");
            assertThat(limiter.refusedCount()).isEqualTo(4);
            assertThat(limiter.availablePermits()).isEqualTo(1);
        });
    }

    @Test
    void waiterThatLeaves_makesRoom() {
        TestRuntime.run(() -> {
            var limiter = new Semaphore(1).maxWaiting(1);
            Coroutine<?> holder = caller("holder", limiter);
            Coroutine<?> cancelled = caller("cancelled", limiter);
            suspend();
            cancelled.cancel();
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            assertThatThrownBy(() -> withTimeout(Duration.ofMillis(1), () -> limiter.acquire()))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(limiter.tryAcquire(Duration.ofMillis(1))).isFalse();
            assertThat(limiter.refusedCount()).as("none of these was refused").isZero();
            Coroutine<?> next = caller("next", limiter);
            suspend();
            assertThatThrownBy(limiter::acquire).isInstanceOf(ServiceUnavailableException.class);
            await(holder);
            Coroutine<?> last = caller("last", limiter);
            await(next);
            await(last);
            assertThat(log).containsExactly("holder", "next", "last");
        });
    }

    @Test
    void noQueue_passesOnlyWhatNeedNotWait() {
        TestRuntime.run(() -> {
            var limiter = new Semaphore(2).maxWaiting(0);
            limiter.acquire();
            assertThatThrownBy(() -> limiter.acquire(2)).isInstanceOf(ServiceUnavailableException.class);
            limiter.acquire();
            assertThatThrownBy(limiter::acquire).isInstanceOf(ServiceUnavailableException.class);
            limiter.release(2);
            limiter.acquire(2);
        });
    }

    @Test
    void smallerBound_leavesThoseAloneThatWait() {
        TestRuntime.run(() -> {
            var limiter = new Semaphore(1);
            caller("holder", limiter);
            List<Coroutine<?>> waiting = List.of(caller("a", limiter), caller("b", limiter));
            suspend();
            limiter.maxWaiting(1);
            assertThat(limiter.waitingCount()).isEqualTo(2);
            assertThatThrownBy(limiter::acquire).isInstanceOf(ServiceUnavailableException.class);
            awaitAll(waiting);
            assertThat(log).containsExactly("holder", "a", "b");
            assertThatThrownBy(() -> limiter.maxWaiting(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("maxWaiting must be >= 0, got -1");
        });
    }
}
