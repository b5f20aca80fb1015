package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Spawning, limits, the three futures, iteration and the end of task groups. */
class TaskGroupTest {
    private final List<String> log = new ArrayList<>();

    private Callable<String> after(long millis, String value) {
        return () -> {
            delay(millis);
            log.add(value);
            return value;
        };
    }

    private static Callable<String> failing(long millis, String message) {
        return () -> {
            delay(millis);
            throw new IllegalStateException(message);
        };
    }

    // ---- G1

    @Test
    @Tag("G1")
    void spawn_numbersTasksFromZeroAroundNamesThatAreNumbers() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            assertThat(group.spawn(() -> "a")).isZero();
            group.spawnWithKey(1, () -> "own");
            assertThat(group.spawn(() -> "b")).isEqualTo(2);
            group.spawnWithKey("name", () -> "c");
            assertThat(group.all().await()).hasToString("{0=a, 1=own, 2=b, name=c}");
        });
    }

    @Test
    @Tag("G1")
    void takenKey_isRefusedAndTheTaskDoesNotRun() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(() -> "a");
            group.spawnWithKey("k", () -> "b");
            assertThatThrownBy(() -> group.spawnWithKey("k", () -> log.add("ran") ? "x" : "y"))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("'k'");
            assertThatThrownBy(() -> group.spawnWithKey(0, () -> "x")).isInstanceOf(AsyncException.class);
            assertThat(group.all().await()).hasToString("{0=a, k=b}");
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("G1")
    void spawnInAClosedOrCancelledGroup_isRefused() {
        TestRuntime.run(() -> {
            var closed = new TaskGroup<String>();
            closed.close();
            assertThatThrownBy(() -> closed.spawn(() -> "x"))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("closed");
            var cancelled = new TaskGroup<String>();
            cancelled.cancel();
            assertThatThrownBy(() -> cancelled.spawnWithKey("k", () -> "x")).isInstanceOf(AsyncException.class);
            var disposed = new TaskGroup<String>();
            disposed.dispose();
            assertThatThrownBy(() -> disposed.spawn(() -> "x")).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("G1")
    void negativeLimits_areRefusedWithTheirValue() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> new TaskGroup<String>(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> TaskGroup.builder().queueLimit(-2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-2");
            assertThatThrownBy(() -> TaskSet.builder().concurrency(-3)).isInstanceOf(IllegalArgumentException.class);
        });
    }

    // ---- G2, G3

    @Test
    @Tag("G2")
    void concurrencyLimit_runsSoManyAndStartsTheOthersInOrder() {
        TestRuntime.run(() -> {
            var group = TaskGroup.<String>builder().concurrency(2).queueLimit(0).build();
            int[] now = {0, 0};
            for (int i = 0; i < 6; i++) {
                int n = i;
                group.spawn(() -> {
                    log.add("begins " + n);
                    now[1] = Math.max(now[1], ++now[0]);
                    delay(10 - n);
                    now[0]--;
                });
            }
            suspend();
            // those that wait have no coroutine
            assertThat(Async.coroutines()).hasSize(3);
            group.close();
            group.awaitCompletion();
            assertThat(now).containsExactly(0, 2);
            assertThat(log).containsExactly("begins 0", "begins 1", "begins 2", "begins 3", "begins 4", "begins 5");
        });
    }

    @Test
    @Tag("G2")
    void noLimit_startsAll() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            for (int i = 0; i < 50; i++) group.spawn(() -> delay(1));
            assertThat(Async.coroutines()).hasSize(51);
            group.all().await();
        });
    }

    @Test
    @Tag("G3")
    void fullQueue_parksTheSpawnerUntilATaskHasSettled() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            spawn(() -> {
                for (int i = 0; i < 5; i++) {
                    group.spawn(after(10, "task " + i));
                    log.add("spawned " + i);
                }
            });
            suspend();
            assertThat(log).containsExactly("spawned 0", "spawned 1", "spawned 2");
            delay(11);
            assertThat(log).containsExactly("spawned 0", "spawned 1", "spawned 2", "task 0", "spawned 3");
            delay(100);
            assertThat(log).endsWith("task 1", "spawned 4", "task 2", "task 3", "task 4");
        });
    }

    @Test
    @Tag("G3")
    void queueLimit_countsPendingTasksAndIsIgnoredWithoutConcurrency() {
        TestRuntime.run(() -> {
            var narrow =
                    TaskGroup.<String>builder().concurrency(2).queueLimit(1).build();
            Coroutine<?> spawner = spawn(() -> {
                for (int i = 0; i < 4; i++) narrow.spawn(() -> delay(10));
            });
            suspend();
            assertThat(narrow.size()).isEqualTo(3);
            assertThat(spawner.isCompleted()).isFalse();
            assertThat(spawner.awaitingInfo().getFirst()).contains("TaskGroup");
            await(spawner);
            var wide = TaskGroup.<String>builder().queueLimit(1).build();
            for (int i = 0; i < 4; i++) wide.spawn(() -> delay(10));
            assertThat(wide.size()).isEqualTo(4);
        });
    }

    @Test
    @Tag("G3")
    @Tag("F64")
    void parkedSpawnerThatLeaves_addsNothingAndItsPlaceGoesToTheNext() {
        TestRuntime.run(() -> {
            var group = TaskGroup.<String>builder().concurrency(1).queueLimit(1).build();
            List<Coroutine<?>> condemned = new ArrayList<>();
            group.spawn(() -> {
                delay(10);
                log.add("running");
                // goes before whoever is woken by the end of this task
                spawn(() -> condemned.getFirst().cancel());
            });
            group.spawn(after(10, "queued"));
            Coroutine<?> leaves = spawn(() -> group.spawnWithKey("k", after(1, "never")));
            condemned.add(leaves);
            Coroutine<?> next = spawn(() -> group.spawn(after(1, "next")));
            Coroutine<?> givesUp = spawn(() -> {
                assertThatThrownBy(() -> group.spawn(after(1, "never"), timeout(5)))
                        .isInstanceOf(OperationCanceledException.class);
            });
            delay(6);
            await(givesUp);
            await(next);
            assertThat(leaves.isCancelled()).isTrue();
            group.spawnWithKey("k", () -> "the key is free");
            group.close();
            group.awaitCompletion();
            assertThat(log).containsExactly("running", "queued", "next");
        });
    }

    @Test
    @Tag("G3")
    @Tag("F3")
    void allWhoWereWokenLeave_theNextIsWokenAlthoughNoTaskIsLeftToSettle() {
        TestRuntime.run(() -> {
            var group = TaskGroup.<String>builder().concurrency(1).queueLimit(1).build();
            List<Coroutine<?>> spawners = new ArrayList<>();
            group.spawn(() -> {
                delay(10);
                // goes before the first spawner, who is woken by the end of this task
                spawn(() -> spawners.get(0).cancel());
            });
            group.spawn(() -> "wakes the second spawner");
            spawners.add(spawn(() -> {
                try {
                    group.spawn(after(1, "never"));
                } finally {
                    spawners.get(1).cancel();
                }
            }));
            spawners.add(spawn(() -> group.spawn(after(1, "never"))));
            spawners.add(spawn(() -> group.spawn(after(1, "third"))));
            await(spawners.get(2));
            group.all().await();
            assertThat(spawners).map(Coroutine::isCancelled).containsExactly(true, true, false);
            assertThat(log).containsExactly("third");
        });
    }

    @Test
    @Tag("G3")
    void close_tellsTheParkedSpawners() {
        TestRuntime.run(() -> {
            var group = TaskGroup.<String>builder().concurrency(1).queueLimit(1).build();
            for (int i = 0; i < 2; i++) group.spawn(() -> delay(10));
            Coroutine<?> parked = spawn(() -> group.spawn(() -> "never"));
            suspend();
            group.close();
            assertThatThrownBy(() -> await(parked)).isInstanceOf(AsyncException.class);
            assertThat(group.size()).isEqualTo(2);
        });
    }

    // ---- G4, G5

    @Test
    @Tag("G4")
    void all_givesValuesInKeyOrderWhateverTheOrderOfSettling() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            assertThat(group.all().isCompleted()).isTrue();
            assertThat(group.all().await()).isEmpty();
            group.spawnWithKey("slow", after(20, "1"));
            group.spawnWithKey("quick", after(10, "2"));
            group.spawnWithKey("null", () -> null);
            Map<Object, String> all = group.all().await();
            assertThat(all).hasToString("{slow=1, quick=2, null=null}");
            assertThat(all.get("quick")).isEqualTo("2");
            assertThat(all).containsKey("null").doesNotContainKey("other");
            assertThat(all.keySet()).containsExactly("slow", "quick", "null");
            assertThatThrownBy(() -> all.put("x", "y")).isInstanceOf(UnsupportedOperationException.class);
        });
    }

    @Test
    @Tag("G4")
    void allWithErrors_throwsAllOfThemInKeyOrderAfterTheLastHasSettled() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(failing(20, "first"));
            group.spawn(after(30, "value"));
            group.spawn(() -> {
                throw new java.io.IOException("second");
            });
            assertThatThrownBy(() -> group.all().await())
                    .isInstanceOfSatisfying(CompositeException.class, e -> assertThat(e.exceptions())
                            .map(Throwable::getMessage)
                            .containsExactly("first", "second"));
            assertThat(log).containsExactly("value");
            assertThat(group.all(true).await()).hasToString("{1=value}");
        });
    }

    @Test
    @Tag("G4")
    void race_isTheFirstToSettleAndTheOthersGoOn() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            assertThatThrownBy(group::race).isInstanceOf(AsyncException.class);
            group.spawn(after(20, "slow"));
            group.spawn(after(10, "quick"));
            assertThat(group.race().await()).isEqualTo("quick");
            assertThat(group.isFinished()).isFalse();
            group.all().await();
            assertThat(log).containsExactly("quick", "slow");
            var fails = new TaskGroup<String>();
            fails.spawn(after(20, "slow"));
            fails.spawn(failing(10, "quick to fail"));
            assertThatThrownBy(() -> fails.race().await()).hasMessage("quick to fail");
        });
    }

    @Test
    @Tag("G4")
    void any_isTheFirstSuccessOrAllErrors() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            assertThatThrownBy(group::any).isInstanceOf(AsyncException.class);
            group.spawn(failing(1, "down"));
            group.spawn(after(20, "slow"));
            group.spawn(after(10, "up"));
            assertThat(group.any().await()).isEqualTo("up");
            assertThat(group.errors()).containsOnlyKeys(0);
            var fails = new TaskGroup<String>();
            fails.spawn(failing(10, "one"));
            fails.spawn(failing(5, "two"));
            assertThatThrownBy(() -> fails.any().await())
                    .isInstanceOfSatisfying(CompositeException.class, e -> assertThat(e.exceptions())
                            .map(Throwable::getMessage)
                            .containsExactly("one", "two"));
        });
    }

    @Test
    @Tag("G5")
    @Tag("F9")
    void settledGroup_answersEachTimeTheSameAndAtOnce() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(failing(10, "position 0"));
            group.spawn(after(5, "position 1"));
            group.spawn(after(1, "position 2"));
            delay(20);
            for (int i = 0; i < 2; i++) {
                Future<String> race = group.race();
                Future<String> any = group.any();
                Future<Map<Object, String>> all = group.all();
                assertThat(List.of(race.isCompleted(), any.isCompleted(), all.isCompleted()))
                        .containsOnly(true);
                assertThatThrownBy(race::await).hasMessage("position 0");
                assertThat(any.await()).isEqualTo("position 1");
                assertThatThrownBy(all::await).isInstanceOf(CompositeException.class);
            }
        });
    }

    @Test
    @Tag("G5")
    void questions_concernTheTasksThatArePresent() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(after(20, "early"));
            Future<Map<Object, String>> all = group.all();
            Future<String> race = group.race();
            Future<String> any = group.any();
            group.spawn(after(5, "late and quick"));
            group.spawn(after(50, "late and slow"));
            assertThat(race.await()).isEqualTo("early");
            assertThat(any.await()).isEqualTo("early");
            assertThat(all.await()).hasToString("{0=early}");
            assertThat(group.race().await()).isEqualTo("early");
            assertThat(group.all().await()).hasSize(3);
        });
    }

    @Test
    @Tag("G5")
    void questionGivenUp_isAnsweredAllTheSame() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(after(20, "value"));
            Future<String> race = group.race();
            Future<String> cancelled = group.race();
            assertThatThrownBy(() -> race.await(timeout(5))).isInstanceOf(OperationCanceledException.class);
            cancelled.cancel();
            List<String> seen = new ArrayList<>();
            race.map(seen::add);
            delay(20);
            assertThat(race.isCompleted()).isTrue();
            assertThat(race.await()).isEqualTo("value");
            assertThat(seen).containsExactly("value");
            assertThatThrownBy(cancelled::await).isInstanceOf(AsyncCancellation.class);
        });
    }

    // ---- G6: awaitCompletion, results

    @Test
    @Tag("G6")
    void awaitCompletion_needsAClosedGroupAndThrowsNoErrorOfTasks() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(failing(10, "kept"));
            group.spawn(after(20, "value"));
            assertThatThrownBy(group::awaitCompletion)
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("close it first");
            group.close();
            assertThatThrownBy(() -> group.awaitCompletion(timeout(5))).isInstanceOf(OperationCanceledException.class);
            assertThat(group.isFinished()).isFalse();
            group.awaitCompletion();
            assertThat(group.isFinished()).isTrue();
            assertThat(group.results()).hasToString("{1=value}");
            assertThat(group.errors()).containsOnlyKeys(0);
            group.awaitCompletion();
        });
    }

    @Test
    @Tag("G6")
    void awaitCompletionFromATask_isRefused() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<Object>();
            group.spawn(() -> {
                group.close();
                assertThatThrownBy(group::awaitCompletion)
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("wait for itself");
            });
            assertThat(group.all().await()).hasSize(1);
        });
    }

    @Test
    @Tag("G6")
    void results_areASnapshot() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(after(10, "later"));
            group.spawn(after(1, "now"));
            delay(5);
            Map<Object, String> results = group.results();
            delay(10);
            assertThat(results).hasToString("{1=now}");
            assertThat(group.results()).hasToString("{0=later, 1=now}");
        });
    }

    // ---- G7

    @Test
    @Tag("G7")
    void iteration_bringsEachOutcomeOnceAsItSettlesAndEndsWhenClosed() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(2);
            Coroutine<?> reader = spawn(() -> {
                for (TaskResult<String> one : group) log.add("saw " + one.key() + " " + one.result());
                log.add("over");
            });
            group.spawn(after(20, "a"));
            group.spawn(after(10, "b"));
            group.spawn(failing(5, "c"));
            delay(50);
            assertThat(log).containsExactly("b", "saw 1 b", "saw 2 null", "a", "saw 0 a");
            group.spawn(after(5, "d"));
            group.close();
            await(reader);
            assertThat(log).endsWith("d", "saw 3 d", "over");
            List<Object> again = new ArrayList<>();
            for (TaskResult<String> one : group) again.add(one.key() + (one.isFailed() ? "!" : ""));
            assertThat(again).containsExactly("1", "2!", "0", "3");
        });
    }

    @Test
    @Tag("G7")
    void iteratorCancelled_leavesTheGroupAlone() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(after(20, "a"));
            Coroutine<?> reader = spawn(() -> {
                for (TaskResult<String> one : group) log.add("not reached " + one);
            });
            suspend();
            reader.cancel();
            assertThat(group.all().await()).hasSize(1);
            assertThat(log).containsExactly("a");
        });
    }

    // ---- G8

    @Test
    @Tag("G8")
    void close_letsTheTasksGoOn() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            assertThat(group.isFinished()).isTrue();
            assertThat(group.isClosed()).isFalse();
            group.spawn(after(10, "running"));
            group.spawn(after(10, "queued"));
            assertThat(group.isFinished()).isFalse();
            group.close();
            group.close();
            assertThat(group.isClosed()).isTrue();
            group.awaitCompletion();
            assertThat(log).containsExactly("running", "queued");
            assertThat(group.size()).isEqualTo(2);
        });
    }

    @Test
    @Tag("G8")
    void finished_mayFlipBackWhileOpen() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(() -> "a");
            group.all().await();
            assertThat(group.isFinished()).isTrue();
            group.spawn(() -> "b");
            assertThat(group.isFinished()).isFalse();
            group.all().await();
            assertThat(group.size()).isEqualTo(2);
        });
    }

    @Test
    @Tag("G8")
    void cancel_dropsTheQueueAndIsFinishedOnlyWhenTheRunningHaveEnded() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            group.spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    delay(10);
                    log.add("unwound");
                }
            });
            group.spawn(after(1, "never"));
            Future<Map<Object, String>> all = group.all();
            suspend();
            group.cancel(new AsyncCancellation("enough"));
            group.cancel();
            assertThat(group.isClosed()).isTrue();
            assertThat(group.isFinished()).isFalse();
            group.awaitCompletion();
            assertThat(group.isFinished()).isTrue();
            assertThat(log).containsExactly("unwound");
            assertThatThrownBy(all::await)
                    .isInstanceOfSatisfying(CompositeException.class, e -> assertThat(e.exceptions())
                            .hasSize(2)
                            .allMatch(x -> x instanceof AsyncCancellation
                                    && x.getMessage().equals("enough")));
        });
    }

    @Test
    @Tag("G8")
    void dispose_endsAsItsScopeDoesAndCancelEndsTheZombies() {
        TestRuntime.run(() -> {
            var safe = Scope.inherit().allowZombies();
            var group = TaskGroup.<String>builder().scope(safe).build();
            group.spawn(after(10, "zombie"));
            group.spawn(after(1_000, "cancelled"));
            suspend();
            group.dispose();
            delay(20);
            assertThat(log).containsExactly("zombie");
            assertThat(group.isFinished()).isFalse();
            group.cancel();
            group.awaitCompletion();
            var strict = TaskGroup.<String>builder().scope(new Scope()).build();
            strict.spawn(after(10, "never"));
            suspend();
            strict.dispose();
            strict.awaitCompletion();
            assertThat(log).containsExactly("zombie");
        });
    }

    @Test
    @Tag("G8")
    @Tag("F27")
    void shutdown_dropsTheQueueToo() {
        TestRuntime.run(() -> {
            var group = TaskGroup.<String>builder().concurrency(1).queueLimit(0).build();
            for (int i = 0; i < 3; i++) group.spawn(after(1_000, "never " + i));
            suspend();
            Async.gracefulShutdown();
        });
        assertThat(log).isEmpty();
    }

    // ---- G9

    @Test
    @Tag("G9")
    void finallyHandler_runsOnceInItsOwnCoroutineAfterTheWaiters() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(after(10, "task"));
            List<Coroutine<?>> runners = new ArrayList<>();
            group.onFinally(g -> {
                assertThat(g).isSameAs(group);
                runners.add(currentCoroutine());
                delay(5);
                log.add("first handler");
            });
            group.onFinally(g -> log.add("second handler"));
            delay(5);
            group.close();
            assertThat(log).isEmpty();
            Coroutine<?> waiter = spawn(() -> {
                group.awaitCompletion();
                log.add("waiter");
            });
            await(waiter);
            delay(10);
            assertThat(log).containsExactly("task", "waiter", "first handler", "second handler");
            assertThat(runners.getFirst()).isNotSameAs(currentCoroutine()).isNotSameAs(waiter);
            group.onFinally(g -> log.add("at once"));
            assertThat(log).endsWith("at once");
        });
    }

    @Test
    @Tag("G9")
    void finallyHandler_runsOnCancelToo() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.onFinally(g -> log.add("empty"));
            group.cancel();
            suspend();
            assertThat(log).containsExactly("empty");
            var busy = new TaskGroup<String>();
            busy.spawn(after(1_000, "never"));
            busy.onFinally(g -> log.add("busy"));
            suspend();
            busy.cancel();
            delay(1);
            assertThat(log).containsExactly("empty", "busy");
        });
    }

    @Test
    @Tag("G9")
    @Tag("F52")
    void finallyHandlerThatThrows_doesNotStopTheOthersAndItsErrorGoesToTheScope() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, e) -> log.add(e.getMessage()));
            var group = TaskGroup.<String>builder().scope(scope).build();
            group.spawn(failing(1, "of the task"));
            group.onFinally(g -> {
                throw new IllegalStateException("of the handler");
            });
            group.onFinally(g -> log.add("second " + g.errors().size()));
            group.close();
            delay(5);
            assertThat(log).containsExactly("second 1", "of the handler");
            scope.dispose();
        });
    }

    // ---- G10

    @Test
    @Tag("G10")
    void tasksAndTheirChildren_liveInAChildScopeOfTheGivenOne() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            var group = TaskGroup.<String>builder().scope(scope).build();
            assertThat(scope.childScopes()).hasSize(1);
            group.spawn(() -> {
                spawn(() -> {
                    try {
                        delay(1_000);
                    } finally {
                        log.add("child of a task ended");
                    }
                });
                delay(1_000);
            });
            suspend();
            suspend();
            scope.cancel();
            group.awaitCompletion();
            delay(1);
            assertThat(log).containsExactly("child of a task ended");
            assertThat(scope.isClosed()).isTrue();
            assertThat(group.isClosed()).isTrue();
        });
    }

    @Test
    @Tag("G10")
    void scopeOfTheGroup_isThereUntilItIsClosedAndEmpty() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            var group = TaskGroup.<String>builder().scope(scope).build();
            group.spawn(() -> "a");
            group.all().await();
            assertThat(scope.childScopes()).hasSize(1);
            group.spawn(() -> {
                spawn(() -> delay(10));
            });
            group.close();
            group.awaitCompletion();
            assertThat(scope.childScopes()).hasSize(1);
            delay(20);
            assertThat(scope.childScopes()).isEmpty();
            scope.dispose();
        });
    }

    @Test
    @Tag("G10")
    void scopeThatEndsAbove_dropsTheQueueAndRefusesTasks() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            var group = TaskGroup.<String>builder().scope(scope).concurrency(1).build();
            group.spawn(after(10, "running"));
            group.spawn(after(10, "queued"));
            suspend();
            scope.dispose();
            assertThat(group.isClosed()).isTrue();
            assertThatThrownBy(() -> group.spawn(() -> "x")).isInstanceOf(AsyncException.class);
            group.awaitCompletion();
            assertThat(log).isEmpty();
            assertThat(group.errors()).containsOnlyKeys(0, 1);
            assertThatThrownBy(() -> TaskGroup.builder().scope(scope).build()).isInstanceOf(AsyncException.class);
        });
    }

    // ---- size, places

    @Test
    @Tag("G2")
    void hundredThousandTasks_settleInKeyOrder() {
        TestRuntime.run(() -> {
            var group =
                    TaskGroup.<Integer>builder().concurrency(100).queueLimit(0).build();
            for (int i = 0; i < 100_000; i++) {
                int n = i;
                group.spawn(() -> {
                    if (n % 1_000 == 0) delay(1);
                    return n;
                });
            }
            int expected = 0;
            for (int value : group.all().await().values()) assertThat(value).isEqualTo(expected++);
            assertThat(expected).isEqualTo(100_000);
        });
    }

    @Test
    @Tag("G2")
    void queuedTask_isKnownByThePlaceWhereItWasSpawned() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            group.spawn(() -> delay(1));
            group.spawn(() -> currentCoroutine().spawnLocation());
            Map<Object, String> all = group.all().await();
            assertThat(all.get(1)).startsWith("TaskGroupTest.java:");
        });
    }

    @Test
    @Tag("G4")
    void keysCodeIsNotRunWhereTasksSettle() {
        record Key(String name, List<String> log) {
            @Override
            public int hashCode() {
                log.add(currentCoroutine().isCompleted() ? "after the end" : "in a coroutine");
                return name.hashCode();
            }
        }
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            List<String> places = new ArrayList<>();
            var keys = List.of(new Key("a", places), new Key("b", places));
            for (Key key : keys) set.spawnWithKey(key, () -> key.name());
            assertThat(set.joinNext().await()).isEqualTo("a");
            assertThat(set.joinAll().await().get(keys.get(1))).isEqualTo("b");
            set.spawnWithKey(keys.get(0), () -> "free again");
            assertThat(set.joinNext().await()).isEqualTo("free again");
            assertThat(places).containsOnly("in a coroutine");
        });
    }
}
