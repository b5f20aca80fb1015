package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

/** Futures that follow from others. */
class FutureHandlersTest {
    private static final IllegalStateException ERROR = new IllegalStateException("expected");

    @Test
    @Tag("A29")
    void success_mapAndFinallyRun_recoverIsSkipped() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Future<Integer> source = Future.completed(2);
            assertThat(source.map(n -> n * 3).await()).isEqualTo(6);
            assertThat(source.recover(e -> {
                                log.add("recover");
                                return 0;
                            })
                            .await())
                    .isEqualTo(2);
            assertThat(source.onFinally(() -> log.add("finally")).await()).isEqualTo(2);
        });
        assertThat(log).containsExactly("finally");
    }

    @Test
    @Tag("A29")
    void error_recoverAndFinallyRun_mapIsSkipped() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Future<Integer> source = Future.failed(ERROR);
            assertThatThrownBy(() -> source.map(n -> log.add("map")).await()).isSameAs(ERROR);
            assertThat(source.recover(e -> e == ERROR ? 8 : 0).await()).isEqualTo(8);
            assertThatThrownBy(() -> source.onFinally(() -> log.add("finally")).await())
                    .isSameAs(ERROR);
        });
        assertThat(log).containsExactly("finally");
    }

    @Test
    @Tag("A29")
    void cancellation_isAnErrorToRecoverFrom() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            Future<String> recovered = state.future().recover(e -> e instanceof AsyncCancellation ? "cancelled" : "?");
            state.future().cancel();
            assertThat(recovered.await()).isEqualTo("cancelled");
        });
    }

    @Test
    @Tag("A29")
    void derivedFutures_areNewOnes() {
        TestRuntime.run(() -> {
            Future<Integer> source = Future.completed(1);
            var all = List.of(source, source.map(n -> n), source.recover(e -> 0), source.onFinally(() -> {}));
            for (Future<?> future : all) future.ignore();
            assertThat(all).doesNotHaveDuplicates();
        });
    }

    @Test
    @Tag("A30")
    void handlerReturnsNull_isTheValue() {
        TestRuntime.run(() ->
                assertThat(Future.completed(1).map(n -> (String) null).await()).isNull());
    }

    @Test
    @Tag("A30")
    @Tag("F52")
    void handlerThrows_theDerivedFails_withTheSourcesErrorAsCause() {
        TestRuntime.run(runtime -> {
            var fromMap = new IllegalArgumentException("map");
            assertThatThrownBy(() -> Future.completed(1)
                            .map(n -> {
                                throw fromMap;
                            })
                            .await())
                    .isSameAs(fromMap)
                    .hasNoCause();
            var fromRecover = new IllegalArgumentException("recover");
            assertThatThrownBy(() -> Future.failed(ERROR)
                            .recover(e -> {
                                throw fromRecover;
                            })
                            .await())
                    .isSameAs(fromRecover)
                    .hasCause(ERROR);
            var fromFinally = new IllegalArgumentException("finally");
            assertThatThrownBy(() -> Future.failed(ERROR)
                            .onFinally(() -> {
                                throw fromFinally;
                            })
                            .await())
                    .isSameAs(fromFinally)
                    .hasCause(ERROR);
        });
    }

    @Test
    @Tag("A30")
    void handlerThrowsTheSourcesErrorAgain_itStaysItself() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> Future.failed(ERROR)
                            .recover(e -> {
                                throw ERROR;
                            })
                            .await())
                    .isSameAs(ERROR)
                    .hasNoCause();
            var inner = new IllegalArgumentException("inner");
            var outer = new IllegalStateException("outer", inner);
            assertThatThrownBy(() -> Future.failed(outer)
                            .recover(e -> {
                                throw inner;
                            })
                            .await())
                    .isSameAs(inner)
                    .hasNoCause();
        });
    }

    @Test
    @Tag("A31")
    void handlers_runAfterComplete_inTheOrderOfRegistration() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            state.future().map(n -> log.add("first " + n)).ignore();
            state.future().onFinally(() -> log.add("second"));
            state.future().map(n -> log.add("third " + n)).ignore();
            state.complete(1);
            log.add("completed");
            suspend();
        });
        assertThat(log).containsExactly("completed", "first 1", "second", "third 1");
    }

    @Test
    @Tag("A31")
    void handlerThatWaits_holdsUpNoOtherChain() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            Future<Integer> slow = state.future()
                    .map(n -> {
                        delay(10);
                        log.add("slow");
                        return n;
                    })
                    .map(n -> {
                        log.add("after slow");
                        return n;
                    });
            Future<Integer> quick = state.future().map(n -> {
                log.add("quick");
                return n;
            });
            state.complete(1);
            quick.await();
            slow.await();
        });
        assertThat(log).containsExactly("quick", "slow", "after slow");
    }

    @Test
    @Tag("A31")
    void oneHandlerFails_theOtherChainsGoOn() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            Future<Integer> bad = state.future().map(n -> {
                throw ERROR;
            });
            Future<Integer> good = state.future().map(n -> n + 1);
            state.complete(1);
            assertThat(good.await()).isEqualTo(2);
            assertThatThrownBy(bad::await).isSameAs(ERROR);
        });
    }

    @Test
    @Tag("A32")
    void derivingFromACompletedOne_runsNothingInline() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Future<Boolean> derived = Future.completed(1).map(n -> log.add("handler"));
            log.add("derived");
            assertThat(derived.isCompleted()).isFalse();
            derived.await();
        });
        assertThat(log).containsExactly("derived", "handler");
    }

    @Test
    @Tag("A33")
    @Tag("deep")
    void sourceForgotten_theDerivedResolves() {
        TestRuntime.run(() -> {
            var producer = new Object() {
                FutureState<Integer> state = new FutureState<>();
            };
            Future<Integer> derived = producer.state.future().map(n -> n + 1);
            var source = new WeakReference<>(producer.state.future());
            var trigger = spawn(() -> {
                delay(5);
                producer.state.complete(1);
                producer.state = null;
            });
            assertThat(source.get()).isNotNull();
            for (int i = 0; i < 3; i++) System.gc();
            assertThat(derived.await()).isEqualTo(2);
            Async.await(trigger);
        });
    }

    @Test
    @Tag("A33")
    void completedSourceForgotten_theDerivedResolves() {
        TestRuntime.run(() -> {
            Future<Integer> derived = Future.completed(1)
                    .map(n -> {
                        delay(5);
                        return n + 1;
                    })
                    .map(n -> n * 10);
            System.gc();
            assertThat(derived.await()).isEqualTo(20);
        });
    }

    @Test
    @Tag("A33")
    void scopeOfTheOneWhoCompletesIsCancelled_theHandlersRunAllTheSame() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            Future<Integer> derived = state.future().map(n -> {
                delay(5);
                return n + 1;
            });
            var completer = spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    state.complete(1);
                }
            });
            suspend();
            completer.cancel();
            assertThat(derived.await()).isEqualTo(2);
        });
    }

    @Test
    @Tag("A33")
    void shutdownWhileAHandlerWaits_theDerivedEndsToo() {
        var held = new ArrayList<Future<Integer>>();
        TestRuntime.run(() -> {
            held.add(Future.completed(1).map(n -> {
                delay(1_000);
                return n;
            }));
            suspend();
            Async.gracefulShutdown();
        });
        assertThat(held.getFirst().isCancelled()).isTrue();
    }

    @Test
    @Tag("A33")
    void shutdownWhileAFinallyHandlerWaits_theSourcesErrorIsStillTheNews() {
        var held = new ArrayList<Future<Integer>>();
        TestRuntime.run(() -> {
            for (Future<Integer> source : List.<Future<Integer>>of(Future.completed(1), Future.failed(ERROR)))
                held.add(source.onFinally(() -> delay(1_000)).ignore());
            suspend();
            Async.gracefulShutdown();
        });
        assertThat(held).allMatch(Future::isCompleted);
        assertThat(held.get(0).isCancelled()).isTrue();
        assertThat(held.get(1).isCancelled()).isFalse();
        assertThat(held.get(1).awaitingInfo()).singleElement().asString().endsWith(" with an error");
    }

    // ---- cancelling what follows

    @Test
    @Tag("A27")
    void derivedCancelledBefore_theHandlerIsNotCalledAndTheSourceGoesOn() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            Future<Boolean> derived = state.future().map(n -> log.add("map"));
            derived.cancel();
            assertThat(state.isCompleted()).isFalse();
            state.complete(1);
            suspend();
            assertThat(log).isEmpty();
            assertThat(state.future().await()).isEqualTo(1);
        });
    }

    @Test
    @Tag("A27")
    void derivedCancelledWhileItsHandlerWaits_theHandlerIsCancelled() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var reason = new AsyncCancellation("enough");
            Future<Integer> derived = Future.completed(1).map(n -> {
                try {
                    delay(1_000);
                } catch (AsyncCancellation e) {
                    log.add(e.getMessage());
                    throw e;
                }
                return n;
            });
            delay(1);
            derived.cancel(reason);
            assertThatThrownBy(derived::await).isSameAs(reason);
            suspend();
            assertThat(log).containsExactly("enough");
        });
    }

    @Test
    @Tag("A27")
    @Tag("A29")
    void finallyDerivedCancelled_theActionRunsAllTheSame() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            state.future().onFinally(() -> log.add("released")).cancel();
            state.complete(1);
            suspend();
        });
        assertThat(log).containsExactly("released");
    }

    @Test
    @Tag("F51")
    @Tag("F52")
    void handlerFailsAfterItsFutureWasCancelled_isReportedOnce() {
        TestRuntime runtime = TestRuntime.run(() -> {
            Future<Integer> derived = Future.completed(1).map(n -> {
                try {
                    delay(1_000);
                } catch (AsyncCancellation e) {
                    throw new IllegalArgumentException("of its own");
                }
                return n;
            });
            delay(1);
            derived.cancel();
        });
        assertThat(runtime.reports()).singleElement().asString().contains("of its own");
    }

    // ---- long chains

    @Test
    void longChainOfHandlers_resolves() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            Future<Integer> last = state.future();
            for (int i = 0; i < 30_000; i++) last = last.map(n -> n + 1);
            state.complete(0);
            assertThat(last.await()).isEqualTo(30_000);
        });
    }

    @Test
    void longChainThatIsSkipped_isNoRecursion() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            Future<Integer> last = state.future();
            for (int i = 0; i < 30_000; i++) last = last.map(n -> n + 1);
            spawn(() -> state.error(ERROR));
            Future<Integer> end = last;
            assertThatThrownBy(end::await).isSameAs(ERROR);
        });
    }

    // ---- any order

    @RepeatedTest(200)
    @Tag("A30")
    @Tag("A31")
    @Tag("F51")
    void randomTreesOfHandlers_endAsTheyWouldInlineAndReportNothingTwice(RepetitionInfo round) {
        var random = new Random(round.getCurrentRepetition());
        TestRuntime runtime = TestRuntime.run(() -> {
            for (int i = 0; i < 20; i++) oneTree(random);
        });
        assertThat(runtime.reports()).isEmpty();
    }

    /** What a future must end as: a value, or the error if null. */
    private record Expected(Future<Integer> future, Integer value) {}

    private static void oneTree(Random random) {
        var state = new FutureState<Integer>();
        boolean fails = random.nextInt(3) == 0;
        var all = new ArrayList<Expected>();
        all.add(new Expected(state.future(), fails ? null : 1));
        int completeAfter = random.nextInt(10);
        for (int i = 0; i < 10; i++) {
            if (i == completeAfter) spawn(() -> settle(state, fails));
            if (random.nextInt(4) == 0) suspend();
            Expected from = all.get(random.nextInt(all.size()));
            all.add(derived(from, random));
        }
        var order = new ArrayList<>(all);
        java.util.Collections.shuffle(order, random);
        for (Expected one : order) {
            if (one.value != null) assertThat(one.future.await()).isEqualTo(one.value);
            else assertThatThrownBy(one.future::await).isSameAs(ERROR);
        }
    }

    private static void settle(FutureState<Integer> state, boolean fails) {
        if (fails) state.error(ERROR);
        else state.complete(1);
    }

    private static Expected derived(Expected from, Random random) {
        boolean waits = random.nextBoolean();
        return switch (random.nextInt(4)) {
            case 0 ->
                new Expected(
                        from.future.map(n -> {
                            if (waits) suspend();
                            return n + 1;
                        }),
                        from.value == null ? null : from.value + 1);
            case 1 ->
                new Expected(
                        from.future.recover(e -> {
                            if (waits) suspend();
                            return -1;
                        }),
                        from.value == null ? Integer.valueOf(-1) : from.value);
            case 2 ->
                new Expected(
                        from.future.map(n -> {
                            if (waits) delay(1);
                            throw ERROR;
                        }),
                        null);
            default ->
                new Expected(
                        from.future.onFinally(() -> {
                            if (waits) delay(1);
                        }),
                        from.value);
        };
    }

    // ---- what is kept

    /**
     * A chain may be endless, each step from the one before: each that has ended must let go of the one that it follows
     * from.
     */
    @Test
    @Tag("F79")
    void endedFuture_keepsNothingOfWhatItFollowsFrom() {
        TestRuntime.run(() -> {
            var kept = new ArrayList<Future<?>>();
            var gone = new ArrayList<WeakReference<Object>>();
            for (boolean completedBefore : new boolean[] {true, false}) {
                for (int step = 0; step < 6; step++) kept.add(afterStep(step, completedBefore, gone));
            }
            for (int i = 0; i < 50 && gone.stream().anyMatch(one -> one.get() != null); i++) {
                Garbage.collect();
                suspend();
            }
            assertThat(gone).hasSize(12).allMatch(one -> one.get() == null);
            assertThat(kept).allMatch(Future::isCompleted);
        });
    }

    private static Future<?> afterStep(int step, boolean completedBefore, List<WeakReference<Object>> gone) {
        var state = new FutureState<Object>();
        Object value = new Object();
        gone.add(new WeakReference<>(step == 3 || step == 4 ? state.future() : value));
        if (completedBefore) settleWith(state, value, step);
        Future<?> derived =
                switch (step) {
                    case 0 -> state.future().map(Object::toString);
                    case 1 ->
                        state.future().map(n -> {
                            throw ERROR;
                        });
                    case 2 -> state.future().map(n -> "value").onFinally(() -> {});
                    case 3 -> state.future().recover(e -> "recovered");
                    case 4 -> state.future().map(n -> "never");
                    default -> state.future().map(Object::toString);
                };
        derived.ignore();
        if (step == 5) derived.cancel();
        if (!completedBefore) settleWith(state, value, step);
        for (int i = 0; i < 5; i++) suspend();
        return derived;
    }

    private static void settleWith(FutureState<Object> state, Object value, int step) {
        if (step == 4) state.error(ERROR);
        else state.complete(step == 3 ? "value" : value);
    }
}
