package org.trueasync.internal.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * What depends on a future of ours is user code, which runs as a coroutine: it may wait, and may meet a lock that a
 * coroutine holds.
 */
class EventFutureTest {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<String> log = new ArrayList<>();

    private void takesTheLock() {
        lock.lock();
        log.add("had the lock");
        lock.unlock();
    }

    private void holdTheLockFor(long millis) {
        lock.lock();
        delay(millis);
        log.add("releases the lock");
        lock.unlock();
    }

    @Test
    @Tag("E16")
    void timeoutFires_dependentMeetsALock_loopGoesOn() {
        TestRuntime.run(() -> {
            spawn(() -> holdTheLockFor(20));
            timeout(5).toCompletableFuture().whenComplete((v, e) -> takesTheLock());
            delay(50);
        });
        assertThat(log).containsExactly("releases the lock", "had the lock");
    }

    @Test
    @Tag("E16")
    void coroutineCancelledBeforeItBegan_dependentMeetsALock_loopGoesOn() {
        TestRuntime.run(() -> {
            spawn(() -> holdTheLockFor(20));
            delay(1);
            Coroutine<?> never = spawn(() -> log.add("must not run"));
            never.toCompletableFuture().whenComplete((v, e) -> takesTheLock());
            never.cancel();
            delay(50);
        });
        assertThat(log).containsExactly("releases the lock", "had the lock");
    }

    @Test
    @Tag("E16")
    void dependentOfACoroutine_mayWait() {
        TestRuntime.run(() -> {
            Coroutine<Integer> five = Async.<Integer>spawn(() -> 5);
            five.toCompletableFuture().thenAccept(value -> {
                delay(10);
                log.add("waited, then got " + value);
            });
        });
        assertThat(log).containsExactly("waited, then got 5");
    }
}
