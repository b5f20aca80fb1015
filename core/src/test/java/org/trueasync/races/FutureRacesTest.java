package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.FutureState;
import org.trueasync.internal.future.FutureAccess;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

@Tag("sized")
class FutureRacesTest {
    private static void requireNobodySubscribed(Future<?> future) {
        assertThat(FutureAccess.coreOf(future).hasCallbacks()).isFalse();
    }

    private static void awaitAll(Coroutine<?>... all) {
        for (Coroutine<?> one : all) Async.await(one);
    }

    private static void awaitEnd(Completable<?> one) {
        try {
            Async.await(one);
        } catch (AsyncCancellation e) {
            assertThat(one.isCancelled()).isTrue();
        }
    }

    private static void completeOnce(FutureState<Integer> state, int value) {
        if (!state.isCompleted()) state.complete(value);
    }

    @Test
    @Tag("A5")
    @Tag("A25")
    @Tag("A28")
    @Tag("F32")
    void completionCancelAndToken_eachWaiterGetsOneOfThem() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            var state = new FutureState<Integer>();
            var token = new FutureState<Integer>().ignore();
            int[] outcomes = {0};
            var waiters = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) {
                boolean withToken = random.nextBoolean();
                waiters.add(Async.spawn(() -> {
                    try {
                        int value = withToken
                                ? state.future().await(token.future())
                                : state.future().await();
                        assertThat(value).isEqualTo(7);
                    } catch (AsyncCancellation e) {
                        // the waiter's or the token's
                    }
                    outcomes[0]++;
                }));
            }
            var victim = waiters.get(random.nextInt(3));
            boolean[] begun = {false};
            awaitAll(
                    Outside.happens(() -> {
                        begun[0] = victim.isStarted();
                        victim.cancel();
                    }),
                    Outside.happens(() -> completeOnce(token, 1)),
                    Outside.happens(() -> completeOnce(state, 7)));
            for (Coroutine<?> waiter : waiters) awaitEnd(waiter);
            assertThat(outcomes[0]).isEqualTo(begun[0] ? 3 : 2);
            requireNobodySubscribed(state.future());
            requireNobodySubscribed(token.future());
        });
    }

    @Test
    @Tag("A27")
    @Tag("A29")
    @Tag("A33")
    void derivedFuturesAreCancelledWhileTheSourceEnds_eachEndsOnce() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            var state = new FutureState<Integer>();
            var released = new FutureState<String>();
            Future<Integer> mapped = state.future().map(n -> {
                Async.await(Outside.completes(null));
                return n + 1;
            });
            Future<Integer> atEnd = mapped.onFinally(() -> released.complete("once"));
            Future<Integer> recovered = atEnd.recover(e -> -1);
            List<Future<Integer>> all = List.of(state.future(), mapped, atEnd, recovered);
            int chosen = random.nextInt(4);
            awaitAll(Outside.happens(() -> all.get(chosen).cancel()), Outside.happens(() -> completeOnce(state, 1)));
            for (Future<Integer> future : all) {
                awaitEnd(future);
                requireNobodySubscribed(future);
            }
            assertThat(released.future().await()).isEqualTo("once");
            if (!recovered.isCancelled()) {
                boolean failed = atEnd.isCancelled();
                assertThat(recovered.await()).isEqualTo(failed ? -1 : 2);
            }
        });
    }

    @Test
    @Tag("T40")
    @Tag("F50")
    void errorsCaughtAnywhereAtAnyTime_areNotReported() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            var error = new IllegalStateException("expected");
            var state = new FutureState<Integer>();
            Future<Integer> chain = state.future().map(n -> n).onFinally(() -> Async.delay(0));
            var taker = random.nextBoolean() ? state.future() : chain;
            Coroutine<?> catching = Outside.happens(() -> {
                try {
                    taker.await();
                    throw new AssertionError("ended with a value");
                } catch (IllegalStateException e) {
                    assertThat(e).isSameAs(error);
                }
            });
            Outside.happens(() -> state.error(error));
            Async.await(catching);
        });
    }
}
