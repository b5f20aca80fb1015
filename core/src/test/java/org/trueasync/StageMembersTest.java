package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;
import static org.trueasync.AwaitAllTest.ends;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Stages of the JDK among things of ours. */
class StageMembersTest {
    @Test
    @Tag("A13")
    void stagesAndCoroutines_areAwaitedTogether() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var outside = new CompletableFuture<Integer>();
            Completable<Integer> failed = Future.from(CompletableFuture.failedFuture(error));
            new Thread(() -> outside.complete(1)).start();
            assertThat(Async.<Integer>awaitAll(List.of(Future.from(outside), ends(5, 2), failed)))
                    .isEqualTo(new Outcomes<>(Map.of(0, 1, 1, 2), Map.of(2, error)));
        });
    }

    @Test
    @Tag("A3")
    void futuresOfOurs_areMembersAndCountAsUsed() {
        TestRuntime ended = TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var state = new FutureState<Integer>();
            var loser = new FutureState<Integer>();
            spawn(() -> state.complete(1));
            List<Completable<Integer>> all = List.of(loser.future(), state.future());
            assertThat(Async.<Integer>awaitAnyOrFail(all)).isEqualTo(1);
            assertThat(Async.<Integer>awaitAll(List.of(Future.<Integer>failed(error), Future.completed(2)))
                            .errors())
                    .isEqualTo(Map.of(0, error));
            loser.error(error);
        });
        assertThat(ended.reports()).isEmpty();
    }

    @Test
    @Tag("A18")
    void stageThatHasEnded_countsAtOnce() {
        TestRuntime.run(() -> {
            Completable<Integer> done = Future.from(CompletableFuture.completedFuture(1));
            assertThat(done.isCompleted()).isTrue();
            var later = new CompletableFuture<Integer>();
            Completable<Integer> attached = Future.from(later);
            assertThat(attached.isCompleted()).isFalse();
            later.complete(2);
            delay(1);
            assertThat(attached.isCompleted()).isTrue();
            RuntimeStats cost = TestRuntime.counting(() -> {
                assertThat(Async.<Integer>awaitAllOrFail(List.of(done, attached)))
                        .containsExactly(1, 2);
                assertThat(await(later)).isEqualTo(2);
                assertThat(await(attached)).isEqualTo(2);
            });
            assertThat(cost.switches()).isZero();
        });
    }

    @Test
    @Tag("A1")
    void stageCompletedSinceAnEarlierWait_costsNoSwitch() {
        TestRuntime.run(() -> {
            var stage = new CompletableFuture<Integer>();
            assertThatThrownBy(() -> await(stage, timeout(1))).isInstanceOf(OperationCanceledException.class);
            stage.complete(3);
            RuntimeStats cost =
                    TestRuntime.counting(() -> assertThat(await(stage)).isEqualTo(3));
            assertThat(cost.switches()).isZero();
        });
    }

    @Test
    @Tag("A7")
    @Tag("A8")
    void stageAsAToken() {
        TestRuntime.run(() -> {
            var stop = new CompletableFuture<String>();
            spawn(() -> {
                delay(5);
                stop.complete("stop");
            });
            Coroutine<Integer> slow = ends(50, 1);
            assertThatThrownBy(() -> await(slow, Future.from(stop))).isInstanceOf(OperationCanceledException.class);
            RuntimeStats cost = TestRuntime.counting(() -> assertThatThrownBy(() -> await(slow, Future.from(stop)))
                    .isInstanceOf(OperationCanceledException.class));
            assertThat(cost.switches()).isZero();
        });
    }

    @Test
    @Tag("F37")
    void tokenOfAStageThatHasEnded_isUsedAllTheSame() {
        TestRuntime ended = TestRuntime.run(() -> {
            Coroutine<Integer> token = AwaitAllTest.fails(5, new IllegalStateException("expected"));
            assertThat(await(CompletableFuture.completedFuture(1), token)).isEqualTo(1);
            delay(10);
        });
        assertThat(ended.reports()).isEmpty();
    }

    @Test
    void cancelled_theFutureIsCancelledAndTheWaiterGetsTheReason() {
        TestRuntime.run(() -> {
            var future = new CompletableFuture<Integer>();
            Completable<Integer> stage = Future.from(future, why -> future.cancel(true));
            var reason = new AsyncCancellation("expected");
            Coroutine<?> waiter =
                    spawn(() -> assertThatThrownBy(() -> await(stage)).isSameAs(reason));
            suspend();
            stage.cancel(reason);
            assertThat(stage.isCancelled()).isTrue();
            await(waiter);
            assertThat(future).isCancelled();
            stage.cancel(); // again does nothing
            assertThatThrownBy(() -> await(stage)).isSameAs(reason);
        });
    }

    @Test
    void cancelledFuture_showsAsCancelled() {
        TestRuntime.run(() -> {
            var future = new CompletableFuture<Integer>();
            Completable<Integer> stage = Future.from(future);
            future.cancel(true);
            delay(1);
            assertThat(stage.isCancelled()).isTrue();
            assertThatThrownBy(() -> await(stage)).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    void asAFutureAgain_endsAsTheStageDoes() throws Exception {
        var seen = new CompletableFuture<?>[3];
        TestRuntime.run(() -> {
            var future = new CompletableFuture<Integer>();
            Completable<Integer> cancelled = Future.from(new CompletableFuture<Integer>());
            seen[0] = Future.from(future).toCompletableFuture();
            seen[1] = Future.from(CompletableFuture.failedFuture(new IllegalStateException("expected")))
                    .toCompletableFuture();
            seen[2] = cancelled.toCompletableFuture();
            future.complete(4);
            cancelled.cancel();
            delay(1);
        });
        assertThat(seen[0].get()).isEqualTo(4);
        assertThatThrownBy(seen[1]::get).isInstanceOf(ExecutionException.class).hasRootCauseMessage("expected");
        assertThatThrownBy(seen[2]::get).isInstanceOf(CancellationException.class);
    }

    @Test
    void stageOfAnotherKind_isAwaitedToo() {
        TestRuntime.run(() -> {
            var future = new CompletableFuture<Integer>();
            Completable<Integer> minimal = Future.from(future.minimalCompletionStage());
            assertThat(minimal.isCompleted()).isFalse();
            spawn(() -> future.complete(5));
            assertThat(Async.<Integer>awaitAllOrFail(List.of(minimal))).containsExactly(5);
        });
    }
}
