package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** What groups and sets of tasks both promise: spawning, limits, and what is known of the outcomes. */
abstract sealed class GroupedTasksTest permits GroupedTasksEndTest {
    final List<String> log = new ArrayList<>();

    abstract GroupBuilder<String, ?> builder();

    abstract GroupedTasks<String> tasks(int concurrency);

    abstract void onFinally(GroupedTasks<String> tasks, Consumer<GroupedTasks<String>> callback);

    GroupedTasks<String> tasks() {
        return tasks(0);
    }

    static Callable<String> after(long millis, String value) {
        return () -> {
            delay(millis);
            return value;
        };
    }

    Callable<String> logged(long millis, String value) {
        return () -> {
            delay(millis);
            log.add(value);
            return value;
        };
    }

    static Callable<String> failing(long millis, String message) {
        return () -> {
            delay(millis);
            throw new IllegalStateException(message);
        };
    }

    // ---- G1: spawning

    @Test
    @Tag("G1")
    void spawn_numbersTasksFromZeroAroundNamesThatAreNumbers() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            assertThat(tasks.spawn(() -> "a").key()).isEqualTo(0);
            tasks.spawnWithKey(1, () -> "own");
            assertThat(tasks.spawn(() -> "b").key()).isEqualTo(2);
            tasks.spawnWithKey("name", () -> "c");
            delay(1);
            assertThat(tasks.results()).hasToString("{0=a, 1=own, 2=b, name=c}");
        });
    }

    @Test
    @Tag("G1")
    void negativeNumbers_areNamesLikeOthers() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            tasks.spawn(() -> "a");
            tasks.spawnWithKey(-1, () -> "b");
            assertThatThrownBy(() -> tasks.spawnWithKey(-1, () -> "x")).isInstanceOf(AsyncException.class);
            tasks.spawnWithKey(2, () -> "c");
            delay(1);
            assertThat(tasks.results()).hasToString("{0=a, -1=b, 2=c}");
            assertThat(tasks.spawn(() -> "d").key()).isEqualTo(1);
            assertThat(tasks.spawn(() -> "e").key()).isEqualTo(3);
        });
    }

    @Test
    @Tag("G1")
    void takenKey_isRefusedAndTheTaskDoesNotRun() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            tasks.spawn(() -> "a");
            tasks.spawnWithKey("k", () -> "b");
            assertThatThrownBy(() -> tasks.spawnWithKey("k", () -> log.add("ran") ? "x" : "y"))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("'k'");
            assertThatThrownBy(() -> tasks.spawnWithKey(0, () -> "x")).isInstanceOf(AsyncException.class);
            delay(1);
            assertThat(tasks.results()).hasToString("{0=a, k=b}");
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("G1")
    void spawnInAClosedOrCancelledGroup_isRefused() {
        TestRuntime.run(() -> {
            var closed = tasks();
            closed.close();
            assertThatThrownBy(() -> closed.spawn(() -> "x"))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("closed");
            var cancelled = tasks();
            cancelled.cancel();
            assertThatThrownBy(() -> cancelled.spawnWithKey("k", () -> "x")).isInstanceOf(AsyncException.class);
            var disposed = tasks();
            disposed.dispose();
            assertThatThrownBy(() -> disposed.spawn(() -> "x")).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("G1")
    void negativeLimits_areRefusedWithTheirValue() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> tasks(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> builder().queueLimit(-2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-2");
            assertThatThrownBy(() -> builder().concurrency(-3)).isInstanceOf(IllegalArgumentException.class);
        });
    }

    // ---- G2, G3

    @Test
    @Tag("G2")
    void concurrencyLimit_runsSoManyAndStartsTheOthersInOrder() {
        TestRuntime.run(() -> {
            var tasks = builder().concurrency(2).queueLimit(0).build();
            int[] now = {0, 0};
            for (int i = 0; i < 6; i++) {
                int n = i;
                tasks.spawn(() -> {
                    log.add("begins " + n);
                    now[1] = Math.max(now[1], ++now[0]);
                    delay(10 - n);
                    now[0]--;
                });
            }
            suspend();
            // those that wait have no coroutine
            assertThat(Async.coroutines()).hasSize(3);
            tasks.close();
            tasks.awaitCompletion();
            assertThat(now).containsExactly(0, 2);
            assertThat(log).containsExactly("begins 0", "begins 1", "begins 2", "begins 3", "begins 4", "begins 5");
        });
    }

    @Test
    @Tag("G2")
    void noLimit_startsAll() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            for (int i = 0; i < 50; i++) tasks.spawn(() -> delay(1));
            assertThat(Async.coroutines()).hasSize(51);
            tasks.close();
            tasks.awaitCompletion();
        });
    }

    @Test
    @Tag("G3")
    void fullQueue_parksTheSpawnerUntilATaskHasSettled() {
        TestRuntime.run(() -> {
            var tasks = tasks(1);
            spawn(() -> {
                for (int i = 0; i < 5; i++) {
                    tasks.spawn(logged(10, "task " + i));
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
            var narrow = builder().concurrency(2).queueLimit(1).build();
            Coroutine<?> spawner = spawn(() -> {
                for (int i = 0; i < 4; i++) narrow.spawn(() -> delay(10));
            });
            suspend();
            assertThat(narrow.size()).isEqualTo(3);
            assertThat(spawner.isCompleted()).isFalse();
            assertThat(spawner.awaitingInfo().getFirst())
                    .contains(narrow.getClass().getSimpleName());
            await(spawner);
            var wide = builder().queueLimit(1).build();
            for (int i = 0; i < 4; i++) wide.spawn(() -> delay(10));
            assertThat(wide.size()).isEqualTo(4);
        });
    }

    @Test
    @Tag("G3")
    @Tag("F64")
    void parkedSpawnerThatLeaves_addsNothingAndItsPlaceGoesToTheNext() {
        TestRuntime.run(() -> {
            var tasks = builder().concurrency(1).queueLimit(1).build();
            List<Coroutine<?>> unstarted = new ArrayList<>();
            tasks.spawn(() -> {
                delay(10);
                log.add("running");
                // goes before whoever is woken by the end of this task
                spawn(() -> unstarted.getFirst().cancel());
            });
            tasks.spawn(logged(10, "queued"));
            Coroutine<?> leaves = spawn(() -> tasks.spawnWithKey("k", logged(1, "never")));
            unstarted.add(leaves);
            Coroutine<?> next = spawn(() -> tasks.spawn(logged(1, "next")));
            Coroutine<?> givesUp = spawn(() -> {
                assertThatThrownBy(() -> withTimeout(Duration.ofMillis(5), () -> tasks.spawn(logged(1, "never"))))
                        .isInstanceOf(AsyncTimeoutException.class);
            });
            delay(6);
            await(givesUp);
            await(next);
            assertThat(leaves.isCancelled()).isTrue();
            tasks.spawnWithKey("k", () -> "the key is free");
            tasks.close();
            tasks.awaitCompletion();
            assertThat(log).containsExactly("running", "queued", "next");
        });
    }

    @Test
    @Tag("G3")
    @Tag("F3")
    void allWhoWereWokenLeave_theNextIsWokenAlthoughNoTaskIsLeftToSettle() {
        TestRuntime.run(() -> {
            var tasks = builder().concurrency(1).queueLimit(1).build();
            List<Coroutine<?>> spawners = new ArrayList<>();
            tasks.spawn(() -> {
                delay(10);
                // goes before the first spawner, who is woken by the end of this task
                spawn(() -> spawners.get(0).cancel());
            });
            tasks.spawn(() -> "wakes the second spawner");
            spawners.add(spawn(() -> {
                try {
                    tasks.spawn(logged(1, "never"));
                } finally {
                    spawners.get(1).cancel();
                }
            }));
            spawners.add(spawn(() -> tasks.spawn(logged(1, "never"))));
            spawners.add(spawn(() -> tasks.spawn(logged(1, "third"))));
            await(spawners.get(2));
            tasks.close();
            tasks.awaitCompletion();
            assertThat(spawners).map(Coroutine::isCancelled).containsExactly(true, true, false);
            assertThat(log).containsExactly("third");
        });
    }

    @Test
    @Tag("G3")
    void close_tellsTheParkedSpawners() {
        TestRuntime.run(() -> {
            var tasks = builder().concurrency(1).queueLimit(1).build();
            for (int i = 0; i < 2; i++) tasks.spawn(() -> delay(10));
            Coroutine<?> parked = spawn(() -> tasks.spawn(() -> "never"));
            suspend();
            tasks.close();
            assertThatThrownBy(() -> await(parked)).isInstanceOf(AsyncException.class);
            assertThat(tasks.size()).isEqualTo(2);
        });
    }

    @Test
    @Tag("G3")
    void groupThatIsClosedWhenTheSpawnerHasBeenWoken_takesNothing() {
        TestRuntime.run(() -> {
            var tasks = builder().concurrency(1).queueLimit(1).build();
            tasks.spawn(() -> {
                delay(10);
                // goes before the spawner, who is woken by the end of this task
                spawn(() -> tasks.close());
            });
            tasks.spawn(logged(1, "queued"));
            Coroutine<?> woken = spawn(() -> tasks.spawn(logged(1, "never")));
            assertThatThrownBy(() -> await(woken))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("closed");
            tasks.awaitCompletion();
            assertThat(log).containsExactly("queued");
            assertThat(tasks.size()).isEqualTo(2);
        });
    }

    /** A task that waits for room which comes when it has ended. */
    @Test
    @Tag("G3")
    void taskThatSpawnsIntoItsOwnFullGroup_doesNotWait() {
        TestRuntime.run(() -> {
            var tasks = builder().concurrency(1).queueLimit(1).build();
            tasks.spawn(() -> {
                for (int i = 0; i < 5; i++) tasks.spawn(logged(1, "task " + i));
                log.add("parent ends");
            });
            suspend();
            tasks.close();
            tasks.awaitCompletion();
            assertThat(log).containsExactly("parent ends", "task 0", "task 1", "task 2", "task 3", "task 4");
        });
    }

    @Test
    @Tag("G3")
    void childOfATaskThatSpawnsIntoTheFullGroup_doesNotWait() {
        TestRuntime.run(() -> {
            var tasks = builder().concurrency(2).queueLimit(1).build();
            for (int t = 0; t < 2; t++) {
                String name = "parent " + t;
                tasks.spawn(() -> {
                    await(spawn(() -> {
                        for (int i = 0; i < 3; i++) tasks.spawn(logged(1, "child's"));
                    }));
                    try (var below = Scope.inherit()) {
                        await(below.spawn(() -> tasks.spawn(logged(1, "child's"))));
                    }
                    log.add(name);
                });
            }
            delay(1);
            tasks.close();
            tasks.awaitCompletion();
            assertThat(log.subList(0, 2)).containsExactly("parent 0", "parent 1");
            assertThat(log.subList(2, log.size())).hasSize(8).containsOnly("child's");
        });
    }

    /** The limit holds for everybody else, and those of the inside count. */
    @Test
    @Tag("G3")
    void spawnerOutside_waitsUntilWhatTheTasksHaveBroughtHasRun() {
        TestRuntime.run(() -> {
            var tasks = builder().concurrency(1).queueLimit(1).build();
            tasks.spawn(() -> {
                for (int i = 0; i < 3; i++) tasks.spawn(logged(10, "task " + i));
            });
            suspend();
            tasks.spawn(logged(1, "outside"));
            assertThat(log).containsExactly("task 0", "task 1");
            tasks.close();
            tasks.awaitCompletion();
            assertThat(log).containsExactly("task 0", "task 1", "task 2", "outside");
        });
    }

    // ---- G6: awaitCompletion, results

    @Test
    @Tag("G6")
    void awaitCompletion_needsAClosedGroupAndThrowsNoErrorOfTasks() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            tasks.spawn(failing(10, "kept"));
            tasks.spawn(logged(20, "value"));
            assertThatThrownBy(tasks::awaitCompletion)
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("close it first");
            tasks.close();
            assertThatThrownBy(() -> tasks.awaitCompletion(timeout(5))).isInstanceOf(OperationCanceledException.class);
            assertThat(tasks.isFinished()).isFalse();
            tasks.awaitCompletion();
            assertThat(tasks.isFinished()).isTrue();
            assertThat(tasks.results()).hasToString("{1=value}");
            assertThat(tasks.errors()).containsOnlyKeys(0);
            tasks.awaitCompletion();
        });
    }

    @Test
    @Tag("G6")
    @Tag("A8")
    void spentToken_refusesTheWaitForTheEnd() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            tasks.spawn(logged(10, "task"));
            tasks.close();
            assertThatThrownBy(() -> tasks.awaitCompletion(Future.completed(1)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasMessageContaining("before it began");
            Coroutine<?> waiter = spawn(() -> tasks.awaitCompletion());
            suspend();
            assertThat(waiter.awaitingInfo().getFirst())
                    .startsWith("the end of Task")
                    .endsWith(", closed");
            tasks.awaitCompletion();
            tasks.awaitCompletion(Future.completed(1));
            assertThat(log).containsExactly("task");
        });
    }

    @Test
    @Tag("G6")
    void tokenOfAWaitThatIsNotNeeded_countsAsUsed() {
        TestRuntime run = TestRuntime.run(() -> {
            var tasks = tasks();
            tasks.close();
            var token = new FutureState<Integer>();
            tasks.awaitCompletion(token.future());
            token.error(new IllegalStateException("token"));
        });
        assertThat(run.reports()).isEmpty();
    }

    @Test
    @Tag("G6")
    void awaitCompletionFromATask_isRefused() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            tasks.spawn(() -> {
                tasks.close();
                assertThatThrownBy(tasks::awaitCompletion)
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("wait for itself");
            });
            delay(1);
            assertThat(tasks.isClosed()).isTrue();
            assertThat(tasks.results()).hasSize(1);
        });
    }

    @Test
    @Tag("G6")
    void results_areASnapshot() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            tasks.spawn(logged(10, "later"));
            tasks.spawn(logged(1, "now"));
            delay(5);
            Map<Object, String> results = tasks.results();
            delay(10);
            assertThat(results).hasToString("{1=now}");
            assertThat(tasks.results()).hasToString("{0=later, 1=now}");
        });
    }

    // ---- size, places

    @Test
    @Tag("G2")
    void queuedTask_isKnownByThePlaceWhereItWasSpawned() {
        TestRuntime.run(() -> {
            var tasks = tasks(1);
            tasks.spawn(() -> delay(1));
            tasks.spawn(() -> currentCoroutine().spawnLocation());
            delay(5);
            assertThat(tasks.results().get(1)).startsWith("GroupedTasksTest.java:");
        });
    }

    @Test
    void group_showsWhatHasBecomeOfItsTasks() {
        TestRuntime.run(() -> {
            var tasks = builder().name("pages").concurrency(1).build();
            tasks.spawn(logged(1, "good"));
            tasks.spawn(failing(1, "bad"));
            tasks.spawn(logged(10, "runs"));
            tasks.spawn(logged(10, "waits"));
            String kind = tasks.getClass().getSimpleName();
            delay(5);
            assertThat(tasks).hasToString(kind + " 'pages', 1 running, 1 waiting, 2 settled");
            tasks.suppressErrors();
            tasks.close();
            tasks.awaitCompletion();
            assertThat(tasks).hasToString(kind + " 'pages', 0 running, 0 waiting, 4 settled, closed");
        });
    }
}
