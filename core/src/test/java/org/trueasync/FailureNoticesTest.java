package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Errors that nobody awaits when they happen are told within a second; what becomes of them is decided as ever. */
@Tag("D16")
class FailureNoticesTest {
    private final List<String> log = new ArrayList<>();

    private static <T> Coroutine<T> fails(long after, String message) {
        return spawn(() -> {
            delay(after);
            throw new IllegalStateException(message);
        });
    }

    private static void throwIt(String message) {
        throw new IllegalStateException(message);
    }

    @Test
    @Tag("K44")
    void nobodyAwaits_itIsToldWithinASecondAndEndsTheRunLater() {
        var run = new TestRuntime();
        Throwable thrown = run.failure(() -> {
            Coroutine<?> kept = fails(5, "boom");
            delay(500);
            assertThat(run.reports()).isEmpty();
            delay(505);
            assertThat(run.reports())
                    .singleElement()
                    .asString()
                    .contains("boom", "FailureNoticesTest.java:", "in coroutine #", "nobody awaits it", "\tat ")
                    .doesNotContain("internal.kernel");
            delay(10_000);
            assertThat(run.reports()).hasSize(1);
            assertThat(kept.isCompleted()).isTrue();
        });
        assertThat(thrown).hasMessage("boom");
        assertThat(thrown.getSuppressed()).singleElement().asString().contains("told of when it failed");
    }

    @Test
    void awaitedWithinTheSecond_nothingIsTold() {
        TestRuntime run = TestRuntime.run(() -> {
            Coroutine<?> c = fails(1, "boom");
            delay(800);
            assertThatThrownBy(() -> await(c)).hasMessage("boom");
            delay(5_000);
        });
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void eachFailure_hasASecondOfItsOwn() {
        var run = new TestRuntime();
        run.failure(() -> {
            List<Coroutine<?>> kept = List.of(fails(1, "first"), fails(600, "second"));
            delay(1_000);
            assertThat(run.reports()).singleElement().asString().contains("first");
            delay(600);
            assertThat(run.reports()).hasSize(2).last().asString().contains("second");
            assertThat(kept).allMatch(Completable::isCompleted);
        });
    }

    @Test
    void notice_keepsNoRunAlive() {
        var run = new TestRuntime();
        run.failure(() -> {
            fails(1, "boom");
        });
        assertThat(run.reactor().nanoTime()).isEqualTo(1_000_000);
        assertThat(run.reports()).isEmpty();
    }

    @Test
    @Tag("A3")
    void awaitThatGaveUp_hasObservedNothing() {
        Throwable byToken = TestRuntime.failureOf(() -> {
            Coroutine<?> c = fails(10, "after the token");
            assertThatThrownBy(() -> await(c, timeout(5))).isInstanceOf(OperationCanceledException.class);
            delay(20);
        });
        assertThat(byToken).hasMessage("after the token");
        Throwable byCancellation = TestRuntime.failureOf(() -> {
            Coroutine<?> c = fails(10, "after the cancellation");
            Coroutine<?> awaiter = spawn(() -> await(c));
            delay(1);
            awaiter.cancel();
            delay(20);
        });
        assertThat(byCancellation).hasMessage("after the cancellation");
    }

    @Test
    @Tag("C33")
    void awaitThatGaveUp_leavesTheErrorToTheScope() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add("scope: " + error.getMessage()));
            Coroutine<?> c = scope.spawn(() -> {
                delay(10);
                throwIt("boom");
            });
            assertThatThrownBy(() -> await(c, timeout(5))).isInstanceOf(OperationCanceledException.class);
            delay(10);
            assertThat(log).containsExactly("scope: boom");
            scope.dispose();
        });
    }

    @Test
    @Tag("A20")
    void waitForSeveralThatGaveUp_handsOnWhatItHasCollected() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add("scope: " + error.getMessage()));
            Coroutine<?> early = scope.spawn(() -> {
                delay(5);
                throwIt("collected");
            });
            Coroutine<?> slow = scope.spawn(() -> delay(1_000));
            assertThatThrownBy(() -> Async.awaitAll(List.<Completable<?>>of(early, slow), timeout(50)))
                    .isInstanceOf(OperationCanceledException.class);
            suspend();
            suspend();
            assertThat(log).containsExactly("scope: collected");
            scope.dispose();
        });
    }

    @Test
    @Tag("A20")
    void errorThatSomebodyElseGot_isNotHandedOn() {
        TestRuntime run = TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add("scope: " + error.getMessage()));
            Coroutine<?> early = scope.spawn(() -> {
                delay(5);
                throwIt("shared");
            });
            Coroutine<?> slow = scope.spawn(() -> delay(1_000));
            Coroutine<?> several = spawn(() -> Async.awaitAll(List.<Completable<?>>of(early, slow), timeout(50)));
            suspend();
            assertThatThrownBy(() -> await(early)).hasMessage("shared");
            assertThatThrownBy(() -> await(several)).isInstanceOf(OperationCanceledException.class);
            delay(2_000);
            assertThat(log).isEmpty();
            scope.dispose();
        });
        assertThat(run.reports()).isEmpty();
    }

    @Test
    @Tag("A20")
    void oneOfTwoWaitsForSeveralGaveUp_theOtherOneHasTheError() {
        TestRuntime run = TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add("scope: " + error.getMessage()));
            Coroutine<?> early = scope.spawn(() -> {
                delay(5);
                throwIt("shared");
            });
            Coroutine<?> slow = scope.spawn(() -> delay(100));
            Coroutine<?> impatient = spawn(() -> Async.awaitAll(List.<Completable<?>>of(early, slow), timeout(50)));
            Coroutine<?> patient = spawn(() -> {
                var results = Async.awaitAll(List.<Completable<?>>of(early, slow));
                log.add("patient: " + results.errors().get(0).getMessage());
            });
            assertThatThrownBy(() -> await(impatient)).isInstanceOf(OperationCanceledException.class);
            await(patient);
            delay(2_000);
            scope.dispose();
        });
        assertThat(log).containsExactly("patient: shared");
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void selectThatChoosesAnother_whatFailedBeforeIsToldAndEndsNothing() {
        TestRuntime run = TestRuntime.run(runtime -> {
            var values = new Channel<Integer>(1);
            Coroutine<?> worker = fails(1, "worker");
            delay(10);
            assertThat(runtime.reports()).isEmpty();
            values.send(1);
            log.add(Select.<String>of()
                    .receive(values, v -> "value")
                    .await(worker, v -> "ended")
                    .select());
            delay(2_000);
            log.add("goes on");
        });
        assertThat(log).containsExactly("value", "goes on");
        assertThat(run.reports()).singleElement().asString().contains("worker");
    }

    @Test
    @Tag("A20")
    void errorThatWasThereBeforeAWaitThatGivesUp_endsTheRunAfterAll() {
        var run = new TestRuntime();
        Throwable thrown = run.failure(() -> {
            Coroutine<?> early = fails(1, "before");
            Coroutine<?> slow = spawn(() -> delay(10_000));
            delay(10);
            assertThatThrownBy(() -> Async.awaitAll(List.<Completable<?>>of(early, slow), timeout(5_000)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(run.reports()).as("while it was in hands").isEmpty();
            delay(1_000);
            assertThat(run.reports()).singleElement().asString().contains("before");
        });
        assertThat(thrown).hasMessage("before");
    }

    @Test
    @Tag("A20")
    void loserOfAnAwaitThatHasEnded_isToldAndEndsNothing() {
        TestRuntime run = TestRuntime.run(runtime -> {
            var scope = new Scope();
            Coroutine<String> quick = scope.spawn(() -> {
                delay(1);
                return "won";
            });
            Coroutine<String> loser = scope.spawn(() -> {
                delay(10);
                throw new IllegalStateException("lost");
            });
            assertThat(Async.<String>awaitAnyOrFail(List.of(quick, loser))).isEqualTo("won");
            delay(2_000);
            assertThat(scope.isCancelled()).isFalse();
            scope.dispose();
        });
        assertThat(run.reports()).singleElement().asString().contains("lost", "FailureNoticesTest.java");
    }

    @Test
    @Tag("A13")
    void secondErrorBehindAnAwaitAllOrFail_isToldAndEndsNothing() {
        TestRuntime run = TestRuntime.run(() -> {
            var both = List.of(
                    FailureNoticesTest.<String>fails(1, "first"), FailureNoticesTest.<String>fails(5, "second"));
            assertThatThrownBy(() -> Async.<String>awaitAllOrFail(both)).hasMessage("first");
            delay(10);
        });
        assertThat(run.reports()).singleElement().asString().contains("second");
    }

    @Test
    void selectInALoop_getsTheErrorThatCameBetweenTwoTurns() {
        TestRuntime run = TestRuntime.run(() -> {
            try (var scope = new Scope()) {
                var values = new Channel<Integer>(4);
                Coroutine<?> worker = scope.spawn(() -> {
                    delay(5);
                    throwIt("worker");
                });
                values.send(1);
                for (int turn = 0; turn < 2; turn++) {
                    try {
                        Select.<String>of()
                                .receive(values, v -> "value " + v)
                                .await(worker, v -> "ended")
                                .select();
                        log.add("value");
                    } catch (IllegalStateException e) {
                        log.add(e.getMessage());
                    }
                    delay(10);
                }
                assertThat(scope.isCancelled()).isFalse();
            }
        });
        assertThat(log).containsExactly("value", "worker");
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void errorsOfCallbacksAtTheEnd_areToldAtOnce() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> c = spawn(() -> delay(1));
            c.onFinally(ended -> throwIt("in a callback"));
            try {
                delay(1_000_000);
            } finally {
                log.add("main was cancelled");
            }
        });
        assertThat(thrown).hasMessage("in a callback");
        assertThat(thrown.getSuppressed())
                .singleElement()
                .asString()
                .contains("FailureNoticesTest.java", "callbacks of the end");
        assertThat(log).containsExactly("main was cancelled");
    }

    @Test
    void manyFailures_areToldTogetherAndBounded() {
        var run = new TestRuntime();
        run.failure(() -> {
            var kept = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 250; i++) kept.add(fails(1, "failure " + i));
            delay(1_000);
            assertThat(run.reports()).hasSize(101).last().asString().contains("150 more");
            assertThat(kept).allMatch(Completable::isCompleted);
        });
    }

    @Test
    void asManyFailuresAsAreTold_noneIsLeftOver() {
        var run = new TestRuntime();
        run.failure(() -> {
            var kept = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 100; i++) kept.add(fails(1, "failure " + i));
            delay(1_000);
            assertThat(run.reports()).hasSize(100);
            assertThat(run.reports().getLast()).contains("failure 99");
            assertThat(kept).allMatch(Completable::isCompleted);
        });
    }

    /** The timer of the notices is the runtime's own. */
    @Test
    void timersOfTheProgram_areCountedWithoutThatOfTheNotices() {
        new TestRuntime().failure(() -> {
            Coroutine<?> kept = fails(1, "boom");
            delay(2);
            assertThat(kept.isCompleted()).isTrue();
            assertThat(Async.runtimeStats().timers()).isZero();
            delay(2_000);
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }
}
