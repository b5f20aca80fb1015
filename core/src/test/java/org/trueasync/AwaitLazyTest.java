package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.lazily;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;
import static org.trueasync.AwaitAllTest.ends;
import static org.trueasync.AwaitAllTest.fails;
import static org.trueasync.AwaitAllTest.isAwaited;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Sources whose steps may suspend. */
@Tag("A21")
class AwaitLazyTest {
    private final IllegalStateException error = new IllegalStateException("expected");

    /** A source of so many, each made when it is asked for. */
    private static Iterable<Coroutine<Integer>> source(int count, IntFunction<Coroutine<Integer>> step) {
        return () -> new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < count;
            }

            @Override
            public Coroutine<Integer> next() {
                if (!hasNext()) throw new NoSuchElementException();
                return step.apply(next++);
            }
        };
    }

    private static void assertNobodyIsLeft() {
        suspend();
        suspend();
        assertThat(Async.coroutines()).containsExactly(Async.currentCoroutine());
    }

    @Test
    void membersAreMadeDuringTheIteration() {
        TestRuntime.run(runtime -> {
            assertThat(Async.<Integer>awaitAll(lazily(IntStream.range(0, 3).mapToObj(i -> ends(30 - i, i))::iterator))
                            .results())
                    .isEqualTo(Map.of(0, 0, 1, 1, 2, 2));
            assertThat(Async.<Integer>awaitAllOrFail(lazily(List.of(ends(1, 1), ends(2, 2))::iterator)))
                    .containsExactly(1, 2);
            assertThat(Async.<Integer>awaitAllOrFail(lazily(List.of(ends(1, 1), ends(2, 2)))))
                    .containsExactly(1, 2);
            assertThat(Async.<Integer>awaitAllOrFail(source(3, i -> ends(1, i)), timeout(100)))
                    .containsExactly(0, 1, 2);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(35_000_000);
            assertNobodyIsLeft();
        });
    }

    @Test
    void emptySource_isServed() {
        TestRuntime.run(() -> {
            assertThat(Async.<Integer>awaitAll(source(0, i -> ends(1, i))).results())
                    .isEmpty();
            assertThat(Async.<Integer>awaitAnyOrFail(source(0, i -> ends(1, i))))
                    .isNull();
            assertThat(Async.<Integer>awaitAnyOfOrFail(2, lazily(Stream.<Coroutine<Integer>>empty()::iterator)))
                    .isEmpty();
        });
    }

    @Test
    void suspendingSource_interleavesInQueueOrder() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            spawn(() -> {
                for (int i = 0; i < 4; i++) {
                    log.add("peer " + i);
                    suspend();
                }
            });
            Iterable<Coroutine<Integer>> source = source(2, i -> {
                log.add("step " + i);
                Coroutine<Integer> member = spawn(() -> {
                    log.add("member " + i);
                    return i;
                });
                suspend();
                log.add("stepped " + i);
                return member;
            });
            assertThat(Async.<Integer>awaitAllOrFail(source)).containsExactly(0, 1);
            assertThat(log)
                    .containsExactly(
                            "peer 0",
                            "step 0",
                            "peer 1",
                            "member 0",
                            "stepped 0",
                            "step 1",
                            "peer 2",
                            "member 1",
                            "stepped 1",
                            "peer 3");
        });
    }

    @Test
    void enoughHaveEndedDuringAStep_theStepIsCancelled() {
        TestRuntime.run(runtime -> {
            var log = new ArrayList<String>();
            Iterable<Coroutine<Integer>> source = source(9, i -> {
                if (i == 2) {
                    try {
                        delay(1_000);
                    } finally {
                        log.add("left");
                    }
                }
                return ends(5 + i, i);
            });
            assertThat(Async.<Integer>awaitAnyOrFail(source)).isZero();
            assertThat(runtime.reactor().nanoTime()).isEqualTo(5_000_000);
            delay(5);
            assertThat(log).containsExactly("left");
            assertNobodyIsLeft();
        });
    }

    @Test
    void enoughHaveEndedDuringAStepInJdkCode_theStepIsInterrupted() {
        TestRuntime.run(() -> {
            var never = new Semaphore(0);
            var log = new ArrayList<String>();
            Iterable<Coroutine<Integer>> source = source(2, i -> {
                if (i == 1) {
                    try {
                        never.acquire();
                    } catch (InterruptedException e) {
                        log.add("interrupted");
                    }
                }
                return ends(1, i);
            });
            assertThat(Async.<Integer>awaitAnyOrFail(source)).isZero();
            delay(5);
            assertThat(log).containsExactly("interrupted");
            assertNobodyIsLeft();
        });
    }

    @Test
    void endlessSource_isPulledOnlyUntilEnoughHaveEnded() {
        TestRuntime.run(() -> {
            int[] pulled = {0};
            Iterable<Coroutine<Integer>> endless = source(Integer.MAX_VALUE, i -> {
                pulled[0]++;
                suspend();
                return ends(0, i);
            });
            assertThat(Async.<Integer>awaitAnyOf(10, endless).results()).hasSize(10);
            int soFar = pulled[0];
            assertThat(soFar).isBetween(10, 20);
            delay(5);
            assertThat(pulled[0]).isLessThanOrEqualTo(soFar + 1);
            assertNobodyIsLeft();
        });
    }

    @Test
    void endlessSourceThatNeverSuspends_letsItsMembersRun() {
        TestRuntime.run(runtime -> {
            Stream<Coroutine<Integer>> endless = Stream.generate(() -> {
                runtime.reactor().advance(100_000);
                return ends(0, 1);
            });
            assertThat(Async.<Integer>awaitAnyOrFail(lazily(endless::iterator))).isEqualTo(1);
            assertThat(runtime.reactor().nanoTime()).isLessThan(100_000_000);
        });
    }

    @Test
    @Tag("A18")
    void membersThatHaveEnded_areCountedAsTheyCome() {
        TestRuntime.run(() -> {
            Coroutine<Integer> done = ends(0, 1);
            Coroutine<Integer> failed = fails(0, error);
            Coroutine<Integer> slow = ends(50, 2);
            delay(5);
            assertThat(Async.<Integer>awaitFirstSuccess(lazily(Stream.of(slow, failed, done)::iterator)))
                    .isEqualTo(new FirstSuccess<>(true, 1, Map.of(1, error)));
            assertThat(isAwaited(slow)).isFalse();
        });
    }

    @Test
    void errorOfAnyStepOfTheSource_abortsTheCall() {
        TestRuntime.run(() -> {
            Coroutine<Integer> slow = ends(50, 1);
            Iterable<Coroutine<Integer>> inIterator = () -> {
                throw error;
            };
            Iterable<Coroutine<Integer>> inNext = source(5, i -> {
                if (i == 0) return slow;
                suspend();
                throw error;
            });
            Iterable<Coroutine<Integer>> inHasNext = () -> new Iterator<>() {
                private boolean given;

                @Override
                public boolean hasNext() {
                    if (given) throw error;
                    return true;
                }

                @Override
                public Coroutine<Integer> next() {
                    if (given) throw new NoSuchElementException();
                    given = true;
                    return slow;
                }
            };
            for (Iterable<Coroutine<Integer>> source : List.of(inIterator, inNext, inHasNext)) {
                assertThatThrownBy(() -> Async.<Integer>awaitAll(source)).isSameAs(error);
                assertThatThrownBy(() -> Async.<Integer>awaitFirstSuccess(source))
                        .isSameAs(error);
                assertThat(isAwaited(slow)).isFalse();
            }
            assertThat(await(slow)).isEqualTo(1);
            assertNobodyIsLeft();
        });
    }

    @Test
    @Tag("A22")
    void memberThatCanNotBeAwaited_abortsTheCall() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> Async.<Integer>awaitAll(source(2, i -> i == 0 ? ends(50, 0) : null)))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("null");
        });
    }

    @Test
    @Tag("A7")
    void tokenEndsDuringAStep_theStepIsCancelled() {
        TestRuntime.run(runtime -> {
            Coroutine<Integer> member = ends(500, 1);
            Iterable<Coroutine<Integer>> source = source(2, i -> {
                if (i == 1) delay(1_000);
                return member;
            });
            assertThatThrownBy(() -> Async.<Integer>awaitAll(source, timeout(10)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(runtime.reactor().nanoTime()).isEqualTo(10_000_000);
            assertThat(isAwaited(member)).isFalse();
            delay(600);
            assertNobodyIsLeft();
        });
    }

    @Test
    @Tag("A8")
    void tokenThatHasEnded_theSourceIsNotTouched() {
        TestRuntime.run(() -> {
            Coroutine<Integer> token = ends(0, 0);
            delay(1);
            RuntimeStats cost = TestRuntime.counting(() -> assertThatThrownBy(() -> Async.<Integer>awaitAll(
                            source(1, i -> {
                                throw new AssertionError("not touched");
                            }),
                            token))
                    .isInstanceOf(OperationCanceledException.class));
            assertThat(cost.spawned()).isZero();
        });
    }

    @Test
    @Tag("A25")
    void waiterCancelledDuringAStep_theStepIsCancelledToo() {
        TestRuntime.run(() -> {
            Coroutine<Integer> member = ends(50, 1);
            Coroutine<?> waiter = spawn(() -> Async.<Integer>awaitAll(source(2, i -> {
                if (i == 1) delay(1_000);
                return member;
            })));
            delay(5);
            assertThat(isAwaited(member)).isTrue();
            waiter.cancel();
            assertThat(await(member)).isEqualTo(1);
            assertThat(waiter.isCancelled()).isTrue();
            assertNobodyIsLeft();
        });
    }

    @Test
    void helperCancelledBySomebodyElse_theCallSaysSo() {
        TestRuntime.run(() -> {
            var reason = new AsyncCancellation("expected");
            for (boolean begun : List.of(true, false)) {
                Coroutine<?> main = Async.currentCoroutine();
                Coroutine<?> canceller = spawn(() -> {
                    if (begun) delay(1);
                    for (Coroutine<?> c : Async.coroutines())
                        if (c != main && c != Async.currentCoroutine()) c.cancel(reason);
                });
                assertThatThrownBy(() -> Async.<Integer>awaitAll(source(1, i -> {
                            delay(1_000);
                            return ends(1, i);
                        })))
                        .isSameAs(reason);
                await(canceller);
            }
        });
    }

    @Test
    @Tag("F51")
    void sourceThatFailsAfterTheWaitHasEnded_isNotSwallowed() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            assertThat(Async.<Integer>awaitAnyOrFail(source(2, i -> {
                        if (i == 0) return ends(1, 7);
                        try {
                            delay(1_000);
                        } finally {
                            throwIt(error);
                        }
                        return ends(1, i);
                    })))
                    .isEqualTo(7);
            delay(10);
        });
        assertThat(thrown).isSameAs(error);
    }

    private static void throwIt(RuntimeException e) {
        throw e;
    }

    @Test
    @Tag("F24")
    void sourceThatNeverGoesOn_isADeadlock() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> main = Async.currentCoroutine();
            Async.<Integer>awaitAll(source(1, i -> {
                await(main);
                return ends(1, i);
            }));
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
    }

    @Test
    void channel_isASourceOfMembers() {
        TestRuntime.run(() -> {
            var channel = new Channel<Coroutine<Integer>>();
            spawn(() -> {
                for (int i = 0; i < 3; i++) {
                    channel.send(ends(5, i));
                    delay(1);
                }
                channel.close();
            });
            assertThat(Async.<Integer>awaitAllOrFail(channel)).containsExactly(0, 1, 2);
            assertNobodyIsLeft();
        });
    }

    @Test
    void helperAndWhatItSpawns_belongToTheScopeOfTheWaiter() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            var made = new ArrayList<Coroutine<Integer>>();
            Coroutine<?> waiter = scope.spawn(() -> Async.<Integer>awaitAll(source(3, i -> {
                made.add(ends(1_000, i));
                delay(2);
                return made.get(i);
            })));
            delay(3);
            scope.cancel();
            delay(1);
            assertThat(waiter.isCancelled()).isTrue();
            assertThat(made).hasSize(2).allMatch(Coroutine::isCancelled);
            assertNobodyIsLeft();
        });
    }
}
