package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.iterate;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class IterateTest {
    private final List<String> log = new ArrayList<>();
    private int now;
    private int most;

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    /** A source that is no collection, and waits for each item. */
    private Iterable<Integer> slow(int count, long millis) {
        return () -> new Iterator<>() {
            private int next;
            private boolean stepping;

            @Override
            public boolean hasNext() {
                assertThat(stepping).as("somebody else is at the source").isFalse();
                stepping = true;
                delay(millis);
                stepping = false;
                return next < count;
            }

            @Override
            public Integer next() {
                assertThat(stepping).as("somebody else is at the source").isFalse();
                stepping = true;
                delay(millis);
                stepping = false;
                return next++;
            }
        };
    }

    private void enter() {
        most = Math.max(most, ++now);
    }

    // ---- I1

    @Test
    @Tag("I1")
    void emptySource_returnsWithoutACall() {
        TestRuntime.run(() -> {
            iterate(List.<Integer>of(), n -> log.add("called"));
            iterate(Stream.<Integer>of()::iterator, n -> log.add("called"));
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("I1")
    @Tag("F63")
    void concurrency_isNeitherExceededNorMissed() {
        for (int limit : new int[] {1, 2, 3, 7}) {
            for (boolean lazy : new boolean[] {false, true}) {
                most = 0;
                List<Integer> seen = new ArrayList<>();
                TestRuntime.run(() -> {
                    iterate(
                            lazy ? slow(20, 0) : numbers(20),
                            n -> {
                                enter();
                                delay(20 - n);
                                now--;
                                return seen.add(n);
                            },
                            limit);
                    assertThat(now).isZero();
                });
                assertThat(most).isEqualTo(limit);
                assertThat(seen).containsExactlyInAnyOrderElementsOf(numbers(20));
            }
        }
    }

    @Test
    @Tag("I1")
    void noLimit_hasAllInProgress() {
        TestRuntime.run(() -> {
            iterate(numbers(50), n -> {
                enter();
                delay(10);
                return true;
            });
            assertThat(most).isEqualTo(50);
        });
    }

    @Test
    @Tag("I1")
    void negativeConcurrency_isRefused() {
        TestRuntime.run(() -> assertThatThrownBy(() -> iterate(numbers(1), n -> true, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1"));
    }

    // ---- I2

    @Test
    @Tag("I2")
    void actionsThatDoNotPark_runInOneCoroutine() {
        TestRuntime.run(() -> {
            Set<Coroutine<?>> workers = new HashSet<>();
            long spawned = TestRuntime.counting(() -> iterate(numbers(100), n -> {
                        workers.add(currentCoroutine());
                        return true;
                    }))
                    .spawned();
            assertThat(spawned).isEqualTo(1);
            assertThat(workers).hasSize(1).doesNotContain(currentCoroutine());
        });
    }

    @Test
    @Tag("I2")
    void actionThatParks_hasAnotherCoroutineGoOnWithTheNextItem() {
        TestRuntime.run(() -> {
            Map<Integer, Coroutine<?>> workers = new HashMap<>();
            long spawned = TestRuntime.counting(() -> iterate(numbers(6), n -> {
                        workers.put(n, currentCoroutine());
                        log.add("begins " + n);
                        if (n % 3 == 2) delay(10);
                        log.add("ends " + n);
                        return true;
                    }))
                    .spawned();
            assertThat(workers.get(0)).isSameAs(workers.get(2));
            assertThat(workers.get(3)).isSameAs(workers.get(5)).isNotSameAs(workers.get(0));
            // the third finds that nothing is left
            assertThat(spawned).isEqualTo(3);
            assertThat(log)
                    .containsExactly(
                            "begins 0",
                            "ends 0",
                            "begins 1",
                            "ends 1",
                            "begins 2",
                            "begins 3",
                            "ends 3",
                            "begins 4",
                            "ends 4",
                            "begins 5",
                            "ends 2",
                            "ends 5");
        });
    }

    @Test
    @Tag("I2")
    void sourceThatWaits_deliversEachItemOnceAndIsAdvancedByOneAtATime() {
        for (int limit : new int[] {0, 1, 3}) {
            List<Integer> seen = new ArrayList<>();
            TestRuntime.run(() -> iterate(
                    slow(30, 2),
                    n -> {
                        seen.add(n);
                        delay(n % 5);
                        return true;
                    },
                    limit));
            assertThat(seen).isEqualTo(numbers(30));
        }
    }

    @Test
    @Tag("I2")
    void actionsThatNeverPark_letOthersRun() {
        TestRuntime.run(runtime -> {
            int[] others = {0};
            Coroutine<?> other = spawn(() -> {
                while (true) {
                    others[0]++;
                    suspend();
                }
            });
            Iterable<Integer> endless = () -> Stream.iterate(0, n -> n + 1).iterator();
            iterate(endless, n -> {
                runtime.reactor().advance(100_000);
                return others[0] < 5;
            });
            other.cancel();
        });
    }

    // ---- I3

    @Test
    @Tag("I3")
    void actionThatReturnsFalse_stopsAndThoseInProgressFinish() {
        TestRuntime.run(() -> {
            iterate(
                    numbers(10),
                    n -> {
                        log.add("begins " + n);
                        delay(n == 2 ? 5 : 10);
                        log.add("ends " + n);
                        return n != 2;
                    },
                    3);
            assertThat(log).containsExactly("begins 0", "begins 1", "begins 2", "ends 2", "ends 0", "ends 1");
        });
    }

    @Test
    @Tag("I3")
    void actionThatThrows_cancelsTheOthersAndItsErrorIsThrown() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("boom");
            assertThatThrownBy(() -> iterate(
                            numbers(10),
                            n -> {
                                try {
                                    delay(n == 1 ? 5 : 1_000);
                                    if (n == 1) throw error;
                                } catch (AsyncCancellation e) {
                                    delay(5);
                                    log.add("unwound " + n);
                                    throw e;
                                }
                                return true;
                            },
                            3))
                    .isSameAs(error);
            assertThat(log).containsExactly("unwound 0", "unwound 2");
            assertThatThrownBy(() -> iterate(numbers(1), n -> {
                        throw new IOException("checked");
                    }))
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseInstanceOf(IOException.class);
            assertThat(currentCoroutine().isCancellationRequested()).isFalse();
        });
    }

    @Test
    @Tag("I3")
    @Tag("F52")
    void errorsOfOthersThatUnwind_areAttachedToTheFirst() {
        TestRuntime.run(() -> assertThatThrownBy(() -> iterate(numbers(3), n -> {
                    if (n == 2) throw new IllegalStateException("first");
                    try {
                        delay(1_000);
                    } finally {
                        if (n == 0) throw new IllegalArgumentException("in finally");
                    }
                    return true;
                }))
                .hasMessage("first")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("in finally")));
    }

    @Test
    @Tag("I3")
    @Tag("D17")
    void errorAfterAnActionThatEndedAsCancelled_isThrown() {
        TestRuntime.run(() -> assertThatThrownBy(() -> iterate(numbers(2), n -> {
                    if (n == 1) throw new AsyncCancellation("this one alone");
                    try {
                        delay(1_000);
                    } finally {
                        throwIt("in finally");
                    }
                    return true;
                }))
                .hasMessage("in finally")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("this one alone")));
    }

    @Test
    @Tag("I3")
    void sourceThatThrows_cancelsTheActionsAndItsErrorIsThrown() {
        TestRuntime.run(() -> {
            Iterable<Integer> source = () -> new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return true;
                }

                @Override
                public Integer next() {
                    if (next == 2) throw new IllegalStateException("source");
                    return next++;
                }
            };
            assertThatThrownBy(() -> iterate(source, n -> {
                        try {
                            delay(1_000);
                        } finally {
                            log.add("cancelled " + n);
                        }
                        return true;
                    }))
                    .hasMessage("source");
            assertThat(log).containsExactly("cancelled 0", "cancelled 1");
            assertThatThrownBy(() -> iterate(
                            () -> {
                                throw new IllegalStateException("no iterator");
                            },
                            n -> true))
                    .hasMessage("no iterator");
        });
    }

    // ---- I4

    @Test
    @Tag("I4")
    void slowActions_areAwaited() {
        TestRuntime.run(() -> {
            iterate(numbers(3), n -> {
                delay(n == 0 ? 1_000 : 1);
                log.add("ends " + n);
                return true;
            });
            assertThat(log).containsExactly("ends 1", "ends 2", "ends 0");
        });
    }

    @Test
    @Tag("I4")
    void whatActionsSpawn_isCancelledInTheEndOrAwaited() {
        IterateAction<Integer> action = n -> {
            spawn(() -> {
                try {
                    delay(50);
                    log.add("ended " + n);
                } catch (AsyncCancellation e) {
                    log.add("cancelled " + n);
                    throw e;
                }
            });
            delay(1);
            return true;
        };
        TestRuntime.run(() -> {
            iterate(numbers(2), action, 0);
            assertThat(log).containsExactly("cancelled 0", "cancelled 1");
            iterate(numbers(2), action, 0, false);
            assertThat(log).endsWith("ended 0", "ended 1");
        });
    }

    @Test
    @Tag("I4")
    @Tag("F63")
    void lastWorker_isNotCancelled() {
        TestRuntime.run(() -> {
            Set<Coroutine<?>> workers = new HashSet<>();
            iterate(
                    numbers(9),
                    n -> {
                        workers.add(currentCoroutine());
                        delay(n % 3);
                        return true;
                    },
                    3);
            assertThat(workers).isNotEmpty().allMatch(c -> c.isCompleted() && !c.isCancelled());
            assertThat(workers).noneMatch(Coroutine::isCancellationRequested);
        });
    }

    @Test
    @Tag("I4")
    void errorOfWhatAnActionSpawned_endsTheIterationWithIt() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> iterate(numbers(2), n -> {
                        spawn(() -> {
                            throw new IllegalStateException("spawned " + n);
                        });
                        try {
                            delay(1_000);
                        } finally {
                            log.add("cancelled " + n);
                        }
                        return true;
                    }))
                    .hasMessage("spawned 0");
            assertThat(log).containsExactly("cancelled 0");
            assertThat(Scope.global().isCancelled()).isFalse();
            assertThat(Scope.global().childScopes()).isEmpty();
        });
    }

    // ---- I5

    @Test
    @Tag("I5")
    void changesOfTheSource_haveNoEffect() {
        TestRuntime.run(() -> {
            var list = new ArrayList<>(numbers(3));
            iterate(list, n -> {
                list.add(n + 10);
                delay(1);
                return true;
            });
            assertThat(list).hasSize(6);
            var map = new LinkedHashMap<>(Map.of("a", 1));
            map.put("b", 2);
            iterate(map.entrySet(), entry -> {
                map.put(entry.getKey() + entry.getKey(), entry.getValue());
                delay(1);
                return log.add(entry.getKey() + entry.getValue());
            });
            assertThat(log).containsExactly("a1", "b2");
        });
    }

    @Test
    @Tag("I5")
    void callerCancelled_cancelsTheActionsAndWaitsForTheirEnd() {
        TestRuntime.run(() -> {
            Coroutine<?> caller = spawn(() -> {
                try {
                    iterate(numbers(2), n -> {
                        try {
                            delay(1_000);
                        } finally {
                            delay(5);
                            log.add("unwound " + n);
                        }
                        return true;
                    });
                } finally {
                    log.add("caller");
                }
            });
            suspend();
            suspend();
            delay(1);
            caller.cancel(new AsyncCancellation("enough"));
            assertThatThrownBy(() -> await(caller)).hasMessage("enough");
            assertThat(log).containsExactly("unwound 0", "unwound 1", "caller");
        });
    }

    @Test
    @Tag("I5")
    void protectedCaller_isNotInterrupted() {
        TestRuntime.run(() -> {
            Coroutine<?> caller = spawn(() -> {
                protect(() -> {
                    iterate(numbers(2), n -> {
                        delay(10);
                        return log.add("ends " + n);
                    });
                });
            });
            delay(1);
            caller.cancel();
            delay(20);
            assertThat(log).containsExactly("ends 0", "ends 1");
            assertThat(caller.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("I5")
    void scopeDisposedOfAround_endsTheIterationAsCancelled() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> caller = scope.spawn(() -> {
                protect(() -> {
                    try {
                        iterate(numbers(5), n -> {
                            delay(10);
                            return log.add("ends " + n);
                        });
                        log.add("looks whole");
                    } catch (AsyncCancellation e) {
                        log.add("cut short");
                    }
                });
            });
            delay(1);
            scope.dispose();
            delay(30);
            assertThat(caller.isCompleted()).isTrue();
            assertThat(log).containsExactly("cut short");
        });
    }

    @Test
    @Tag("I5")
    void safeScopeDisposedOfAround_letsTheActionsGoOn() {
        TestRuntime.run(() -> {
            var scope = new Scope().allowZombies();
            Coroutine<?> caller = scope.spawn(() -> iterate(
                    numbers(5),
                    n -> {
                        delay(10);
                        return log.add("ends " + n);
                    },
                    2));
            delay(1);
            scope.dispose();
            delay(100);
            assertThat(caller.isCompleted()).isTrue();
            assertThat(caller.isCancelled()).isFalse();
            assertThat(log).hasSize(5);
        });
    }

    @Test
    @Tag("I4")
    void iterationsNest() {
        TestRuntime.run(() -> {
            iterate(
                    numbers(3),
                    outer -> {
                        iterate(
                                numbers(3),
                                inner -> {
                                    enter();
                                    delay(1 + inner);
                                    now--;
                                    return log.add(outer + "." + inner);
                                },
                                2);
                        return true;
                    },
                    2);
            assertThat(log).hasSize(9).doesNotHaveDuplicates();
            assertThat(most).isEqualTo(4);
        });
    }

    @Test
    @Tag("D17")
    void allErrors_areDeliveredTheFirstThrownTheOthersAttached() {
        TestRuntime.run(() -> assertThatThrownBy(() -> Async.iterate(List.of(1, 2, 3), x -> {
                    spawn(() -> {
                        try {
                            delay(100_000);
                        } finally {
                            throwIt("spawned by " + x);
                        }
                    });
                    try {
                        delay(30L / x);
                    } finally {
                        throwIt("item " + x);
                    }
                    return true;
                }))
                .hasMessage("item 3")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .contains("item 1", "item 2", "spawned by 1")));
    }

    @Test
    @Tag("D17")
    void errorsOfAnIterateThatAShutdownEnds_areToldAtTheEndOfTheRun() {
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> Async.iterate(List.of(1, 2), x -> {
                try {
                    delay(100_000);
                } finally {
                    delay(10);
                    log.add("ended " + x);
                    throwIt("clean-up of " + x);
                }
                return true;
            }));
            delay(1);
            Async.gracefulShutdown();
        });
        assertThat(log).containsExactly("ended 1", "ended 2");
        assertThat(thrown).hasMessage("clean-up of 1");
        assertThat(thrown.getSuppressed()).extracting(Throwable::getMessage).contains("clean-up of 2");
    }

    private static void throwIt(String message) {
        throw new IllegalStateException(message);
    }

    /** Two errors that nobody handles: the second one ends all waits of the clean-up. */
    private static void failTwiceSoon() {
        for (int i = 0; i < 2; i++)
            Async.launch(() -> {
                try {
                    for (int turns = 0; turns < 10; turns++) suspend();
                } finally {
                    throwIt("ends the run");
                }
            });
    }

    private static void ignoringCancellation(Runnable wait) {
        try {
            wait.run();
        } catch (AsyncCancellation e) {
            // goes on
        }
    }

    @Test
    @Tag("K64")
    @Tag("F52")
    void actionFailsAfterTheEndOfTheRunHasMadeTheCallerLeave_itsErrorIsToldByTheRun() {
        Throwable failure = TestRuntime.failureOf(() -> {
            failTwiceSoon();
            iterate(
                    numbers(1),
                    number -> {
                        for (int i = 0; i < 2; i++) ignoringCancellation(() -> delay(1_000_000));
                        throwIt("late");
                        return true;
                    },
                    1,
                    true);
        });
        assertThat(failure).hasMessage("late").hasRootCauseMessage("ends the run");
    }

    @Test
    @Tag("K46")
    void actionThrowsACancellation_andTheEndOfTheRunMakesTheCallerLeave_theCancellationIsNoErrorOfTheRun() {
        Throwable failure = TestRuntime.failureOf(() -> {
            failTwiceSoon();
            iterate(
                    numbers(2),
                    number -> {
                        if (number == 1) throw new AsyncCancellation("its own");
                        ignoringCancellation(() -> delay(1_000_000));
                        delay(1_000_000);
                        return true;
                    },
                    2,
                    true);
        });
        assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessage("ends the run");
    }

    @Test
    @Tag("D30")
    void anotherActionFailed_whatFailedInProtectedSectionsIsSuppressedInItsError() {
        TestRuntime.run(() -> assertThatThrownBy(() -> iterate(
                        numbers(3),
                        number -> {
                            if (number == 2) throwIt("first");
                            protect(() -> {
                                delay(10);
                                throwIt("protected " + number);
                            });
                            return true;
                        },
                        3,
                        true))
                .hasMessage("first")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .contains("protected 0", "protected 1")));
    }
}
