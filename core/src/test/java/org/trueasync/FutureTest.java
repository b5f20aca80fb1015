package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.future.FutureAccess;
import org.trueasync.internal.testkit.TestRuntime;

/** The two sides of a future: completing it and waiting for it. */
class FutureTest {
    // ---- the write side

    @Test
    @Tag("A26")
    void completedTwice_secondIsRefusedWithThePlaceOfTheFirst() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            state.complete(1);
            assertThatThrownBy(() -> state.complete(2))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining(state.future().completedLocation());
            assertThatThrownBy(() -> state.error(new IllegalStateException("late")))
                    .isInstanceOf(AsyncException.class);
            assertThat(state.future().await()).isEqualTo(1);
        });
    }

    @Test
    @Tag("A26")
    void failedFirst_aValueIsRefused() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var state = new FutureState<Integer>();
            state.error(error);
            assertThatThrownBy(() -> state.complete(2)).isInstanceOf(AsyncException.class);
            assertThatThrownBy(() -> state.future().await()).isSameAs(error);
        });
    }

    @Test
    @Tag("A26")
    void completedTwiceWithoutSites_messageTellsHowToGetThem() {
        new TestRuntime(b -> b.spawnSites(false)).start(() -> {
            var state = new FutureState<Integer>().ignore();
            state.complete(1);
            assertThatThrownBy(() -> state.complete(2)).hasMessageContaining("spawnSites");
        });
    }

    @Test
    @Tag("A26")
    void future_isTheSameObjectEachTime() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            assertThat(state.future()).isSameAs(state.future());
        });
    }

    @Test
    @Tag("A27")
    void value_isCompletedAndNotCancelled() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>().ignore();
            assertThat(state.isCompleted()).isFalse();
            assertThat(state.future().isCompleted()).isFalse();
            state.complete("v");
            assertThat(state.isCompleted()).isTrue();
            assertThat(state.future().isCompleted()).isTrue();
            assertThat(state.future().isCancelled()).isFalse();
        });
    }

    @Test
    @Tag("A27")
    void error_isCompleted_andCancelledOnlyIfItIsACancellation() {
        TestRuntime.run(() -> {
            Future<?> failed =
                    Future.failed(new IllegalStateException("expected")).ignore();
            assertThat(failed.isCompleted()).isTrue();
            assertThat(failed.isCancelled()).isFalse();
            Future<?> cancelled = Future.failed(new AsyncCancellation("expected"));
            assertThat(cancelled.isCompleted()).isTrue();
            assertThat(cancelled.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("A27")
    void cancelPending_whoWaitsGetsTheReason() {
        TestRuntime.run(() -> {
            var reason = new AsyncCancellation("not needed");
            var state = new FutureState<Integer>();
            var waiting = spawn(() -> {
                assertThatThrownBy(() -> state.future().await()).isSameAs(reason);
                return "seen";
            });
            suspend();
            state.future().cancel(reason);
            assertThat(state.future().isCancelled()).isTrue();
            assertThat(await(waiting)).isEqualTo("seen");
            assertThatThrownBy(() -> state.complete(1)).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("A27")
    void cancelWithoutReason_givesTheDefaultOne() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            state.future().cancel();
            assertThatThrownBy(() -> state.future().await()).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    @Tag("A27")
    void cancelCompleted_changesNothing() {
        TestRuntime.run(() -> {
            Future<Integer> done = Future.completed(4);
            done.cancel();
            assertThat(done.isCancelled()).isFalse();
            assertThat(done.await()).isEqualTo(4);
        });
    }

    @Test
    @Tag("A28")
    void complete_queuesTheWaitersInOrderAndRunsNobody() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            for (int i = 0; i < 4; i++) {
                int me = i;
                spawn(() -> log.add(me + ":" + state.future().await()));
            }
            suspend();
            spawn(() -> log.add("queued before"));
            state.complete(7);
            log.add("completed");
            suspend();
            assertThat(log).containsExactly("completed", "queued before", "0:7", "1:7", "2:7", "3:7");
        });
    }

    @Test
    @Tag("A28")
    @Tag("F4")
    void aWaiterInTheMiddleLeaves_theOthersKeepTheirOrder() {
        var log = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            var waiting = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                int me = i;
                waiting.add(spawn(() -> {
                    state.future().await();
                    log.add(me);
                }));
            }
            suspend();
            waiting.get(1).cancel();
            waiting.get(3).cancel();
            suspend();
            state.complete(0);
            suspend();
            assertThat(log).containsExactly(0, 2, 4);
        });
    }

    // ---- the read side

    @Test
    @Tag("K39")
    @Tag("A1")
    void awaitCompleted_costsNoSwitch() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            spawn(() -> log.add("peer"));
            Future<Integer> done = Future.completed(3);
            var stats = TestRuntime.counting(() -> {
                assertThat(done.await()).isEqualTo(3);
                assertThat(await(done)).isEqualTo(3);
                assertThat(done.await(timeout(5))).isEqualTo(3);
            });
            assertThat(stats.switches()).isZero();
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("A2")
    void nullValue_isAValue() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            spawn(() -> state.complete(null));
            assertThat(state.future().await()).isNull();
        });
    }

    @Test
    @Tag("A2")
    void checkedError_isTheCauseOfACompletionException() {
        TestRuntime.run(() -> {
            var error = new IOException("expected");
            assertThatThrownBy(() -> Future.failed(error).await())
                    .isInstanceOf(CompletionException.class)
                    .hasCause(error);
        });
    }

    @Test
    @Tag("A6")
    @Tag("F31")
    void awaitGivenUp_theFutureGoesOnAndNobodyStaysSubscribed() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            assertThatThrownBy(() -> state.future().await(timeout(5)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(state.isCompleted()).isFalse();
            assertThat(FutureAccess.coreOf(state.future()).hasCallbacks()).isFalse();
            state.complete(2);
            assertThat(state.future().await()).isEqualTo(2);
        });
    }

    @Test
    @Tag("A7")
    @Tag("A12")
    void futureAsToken_endsTheWait_withItsErrorAsCause() {
        TestRuntime.run(runtime -> {
            var error = new IllegalStateException("stop");
            var stop = new FutureState<Void>();
            spawn(() -> stop.error(error));
            assertThatThrownBy(() -> await(new FutureState<Integer>().future(), stop.future()))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCause(error);
            assertThat(runtime.reports()).isEmpty();
        });
    }

    @Test
    @Tag("A8")
    void tokenFiredBefore_theWaitDoesNotBegin() {
        TestRuntime.run(() -> {
            Future<Integer> token = Future.completed(1);
            assertThatThrownBy(() -> new FutureState<Integer>().future().await(token))
                    .isInstanceOf(OperationCanceledException.class);
        });
    }

    @Test
    @Tag("A4")
    void tokenIsTheFutureItself_isIgnored() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            spawn(() -> state.complete(5));
            assertThat(state.future().await(state.future())).isEqualTo(5);
        });
    }

    @Test
    @Tag("A13")
    void awaitAllOrFail_takesFutures() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            spawn(() -> state.complete(2));
            assertThat(Async.awaitAllOrFail(List.of(Future.completed(1), state.future(), spawn(() -> 3))))
                    .containsExactly(1, 2, 3);
        });
    }

    @Test
    @Tag("K59")
    void pendingWithNobodyToCompleteIt_isADeadlock() {
        Throwable thrown =
                TestRuntime.failureOf(() -> new FutureState<Integer>().future().await());
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasMessageContaining("future created FutureTest.java");
    }

    // ---- where, and how far

    @Test
    @Tag("A35")
    void sites_tellWhereItWasMadeAndCompleted() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>().ignore();
            assertThat(state.future().createdLocation()).startsWith("FutureTest.java:");
            assertThat(state.future().completedLocation()).isEqualTo("unknown");
            assertThat(state.future().awaitingInfo()).singleElement().asString().contains("pending");
            state.complete(1);
            assertThat(state.future().completedLocation())
                    .startsWith("FutureTest.java:")
                    .isNotEqualTo(state.future().createdLocation());
            assertThat(state.future().awaitingInfo()).singleElement().asString().contains("completed");
        });
    }

    @Test
    @Tag("A35")
    void sitesOff_areUnknown() {
        new TestRuntime(b -> b.spawnSites(false)).start(() -> {
            Future<Integer> future = Future.completed(1).ignore();
            assertThat(future.createdLocation()).isEqualTo("unknown");
            assertThat(future.completedLocation()).isEqualTo("unknown");
        });
    }

    @Test
    @Tag("A35")
    void derivedFuture_wasCompletedWhereItsHandlerIsFrom() {
        TestRuntime.run(() -> {
            Future<Integer> derived = Future.completed(1).map(n -> n + 1);
            derived.await();
            assertThat(derived.completedLocation())
                    .startsWith("FutureTest.java:")
                    .isEqualTo(derived.createdLocation());
        });
    }

    @Test
    @Tag("A35")
    @Tag("T40")
    void completedByAnotherThread_thatThreadsLineIsTheSite() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            RemoteFuture<Integer> remote = state.handOver();
            Thread.ofPlatform().start(() -> Elsewhere.complete(remote));
            state.future().await();
            assertThat(state.future().completedLocation()).isEqualTo(Elsewhere.LINE.get());
            var failing = new FutureState<Integer>();
            RemoteFuture<Integer> end = failing.handOver();
            Thread.ofPlatform().start(() -> Elsewhere.fail(end));
            assertThatThrownBy(() -> failing.future().await()).hasMessage("theirs");
            assertThat(failing.future().completedLocation()).isEqualTo(Elsewhere.LINE.get());
        });
    }

    /** Knows the line on which it completes. */
    private static final class Elsewhere {
        static final AtomicReference<String> LINE = new AtomicReference<>();

        static void complete(RemoteFuture<Integer> remote) {
            int line = Thread.currentThread().getStackTrace()[1].getLineNumber() + 2;
            LINE.set("FutureTest.java:" + line);
            remote.complete(1);
        }

        static void fail(RemoteFuture<Integer> remote) {
            int line = Thread.currentThread().getStackTrace()[1].getLineNumber() + 2;
            LINE.set("FutureTest.java:" + line);
            remote.error(new IllegalStateException("theirs"));
        }
    }

    @Test
    @Tag("A35")
    void whoWaits_showsTheFuture() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            var waiting = spawn(() -> state.future().await());
            suspend();
            assertThat(waiting.awaitingInfo()).isEqualTo(state.future().awaitingInfo());
            state.complete(1);
            await(waiting);
        });
    }

    // ---- stages of the JDK

    @Test
    void toCompletableFuture_endsAsTheFutureDoes() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            CompletableFuture<Integer> shown = state.future().toCompletableFuture();
            spawn(() -> state.complete(6));
            assertThat((int) await(shown.thenApply(n -> n * 7))).isEqualTo(42);
            var error = new IllegalStateException("expected");
            assertThatThrownBy(() -> Future.failed(error).toCompletableFuture().join())
                    .hasCause(error);
            var cancelled = new FutureState<Integer>().future();
            cancelled.cancel();
            assertThatThrownBy(() -> cancelled.toCompletableFuture().join()).isInstanceOf(CancellationException.class);
        });
    }

    @Test
    @Tag("C17")
    void scopeOfTheOneWhoCompletesIsCancelled_theCompletableFutureEndsAllTheSame() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            CompletableFuture<Integer> shown = state.future().toCompletableFuture();
            var scope = new Scope();
            scope.spawn(() -> {
                state.complete(1);
                scope.cancel();
            });
            assertThat(await(shown)).isEqualTo(1);
        });
    }

    @Test
    void fromAStage_endsAsTheStageDoes() {
        TestRuntime.run(() -> {
            var stage = new CompletableFuture<Integer>();
            Future<Integer> future = Future.from(stage);
            assertThat(future.isCompleted()).isFalse();
            Thread.ofPlatform().start(() -> stage.complete(5));
            assertThat(future.map(n -> n + 1).await()).isEqualTo(6);
            assertThat(Future.from(stage).isCompleted()).isTrue();
            var error = new IOException("expected");
            Future<Integer> failed = Future.from(CompletableFuture.failedFuture(error));
            assertThat(failed.<Throwable>map(n -> null).recover(e -> e).await()).isSameAs(error);
        });
    }

    @Test
    void fromAStageThatNobodyAwaits_doesNotKeepTheRunAlive() {
        TestRuntime.run(() -> {
            Future.from(new CompletableFuture<Integer>()).onFinally(() -> {});
        });
    }

    // ---- threads

    @Test
    void fromAnotherThread_isRefused() throws Exception {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            var refused = CompletableFuture.supplyAsync(() -> {
                var errors = new ArrayList<Throwable>();
                for (Body call : List.<Body>of(
                        () -> state.complete(1),
                        () -> state.error(new IllegalStateException()),
                        () -> state.future().cancel(),
                        () -> state.future().map(n -> n),
                        () -> state.future().ignore(),
                        state::handOver)) {
                    try {
                        call.run();
                    } catch (Throwable e) {
                        errors.add(e);
                    }
                }
                return errors;
            });
            assertThat(await(refused)).hasSize(6).allMatch(e -> e instanceof AsyncException);
            assertThat(state.isCompleted()).isFalse();
        });
    }

    @Test
    void outsideOfARuntime_saysSo() {
        assertThatThrownBy(FutureState::new).isInstanceOf(AsyncException.class).hasMessageContaining("Async.run");
        assertThatThrownBy(() -> Future.completed(1)).isInstanceOf(AsyncException.class);
    }
}
