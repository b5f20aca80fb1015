package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.Scope;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

@Tag("sized")
class ScopeRacesTest {
    /** A token that never fires and keeps nothing alive: who waits with it and is forgotten shows as a deadlock. */
    private static Coroutine<?> never() {
        return Async.spawn(() -> {
            Waker waker = Waker.current();
            waker.resumeWhen(new ManualEvent("never"), ResumeCallback.RESOLVE);
            waker.await();
        });
    }

    private static void childWork(RandomGenerator random) {
        switch (random.nextInt(5)) {
            case 0 -> {}
            case 1 -> Async.suspend();
            case 2 -> Async.delay(random.nextInt(3));
            case 3 -> Async.protect(() -> Async.await(Outside.completes("protected")));
            default -> Async.await(Outside.completes("value"));
        }
    }

    @Test
    @Tag("F10")
    @Tag("F30")
    void scopeEmptiesInAnyWay_everybodyWhoWaitsForItIsWokenAndItsFinallyRunsOnce() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            Coroutine<?> token = never();
            var scope = new Scope();
            if (random.nextBoolean()) scope.allowZombies();
            Scope below = random.nextBoolean() ? Scope.inherit(scope) : scope;
            int[] finallyRuns = {0};
            int[] running = {0};
            scope.onFinally(ended -> finallyRuns[0]++);
            var children = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 4; i++) {
                children.add((i % 2 == 0 ? scope : below).spawn(() -> {
                    running[0]++;
                    try {
                        childWork(random);
                        childWork(random);
                    } finally {
                        running[0]--;
                    }
                }));
            }
            Coroutine<?> waiter = Async.spawn(() -> {
                try {
                    scope.awaitCompletion(token);
                } catch (AsyncCancellation e) {
                    assertThat(scope.isCancelled()).isTrue();
                }
            });
            if (random.nextBoolean()) Outside.happens(children.get(random.nextInt(4))::cancel);
            Coroutine<?> ending = Outside.happens(() -> {
                switch (random.nextInt(4)) {
                    case 0 -> scope.cancel();
                    case 1 -> scope.dispose();
                    case 2 -> scope.disposeSafely();
                    default -> scope.disposeAfterTimeout(Duration.ofMillis(random.nextInt(3)));
                }
            });
            Async.await(waiter);
            Async.await(ending);
            Orders.settle();
            assertThat(children).allMatch(Coroutine::isCompleted);
            assertThat(running[0]).isZero();
            if (scope.isClosed()) {
                try {
                    scope.awaitAfterCancellation();
                } catch (AsyncException e) {
                    assertThat(scope.isCancelled()).isFalse();
                }
                assertThat(scope.isFinished()).isTrue();
                assertThat(finallyRuns[0]).isEqualTo(1);
            }
            scope.dispose();
            Orders.settle();
            assertThat(finallyRuns[0]).isEqualTo(1);
            token.cancel();
        });
    }
}
