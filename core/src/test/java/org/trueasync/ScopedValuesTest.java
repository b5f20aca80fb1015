package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;

/** Bindings of scoped values: from whoever spawns, at that moment, by every door. */
class ScopedValuesTest {
    private static final ScopedValue<String> NAME = ScopedValue.newInstance();
    private static final ScopedValue<Integer> NUMBER = ScopedValue.newInstance();

    private static String seen() {
        return NAME.orElse("unbound");
    }

    /** On the calling thread if the stack size is 0, else on one of its own. */
    private static AsyncRuntime runtime(long stackSize) {
        return Async.runtime().reactor(VirtualReactor::new).stackSize(stackSize).build();
    }

    private static <T> T with(String name, Callable<T> task) {
        try {
            return ScopedValue.where(NAME, name).call(task::call);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void coroutinesOnFreshAndUsedStacks_seeTheBindingOfTheSpawner() {
        TestRuntime.run(() -> {
            Set<Thread> stacks = new HashSet<>();
            List<String> seen = new ArrayList<>();
            for (int round = 0; round < 3; round++) {
                List<Coroutine<?>> all = with(
                        "round " + round,
                        () -> List.of(
                                spawn(() -> {
                                    stacks.add(Thread.currentThread());
                                    seen.add(seen());
                                    Async.delay(1);
                                    seen.add(seen());
                                }),
                                spawn("named", () -> seen.add(seen()))));
                for (Coroutine<?> one : all) await(one);
                assertThat(seen).hasSize(3).containsOnly("round " + round);
                seen.clear();
                assertThat(await(spawn(ScopedValuesTest::seen))).isEqualTo("unbound");
            }
            assertThat(stacks).as("stacks of three rounds").hasSizeLessThan(3);
            assertThat(seen()).isEqualTo("unbound");
        });
    }

    @Test
    void coroutinesInTurn_eachSeeTheirOwn() {
        TestRuntime.run(() -> {
            List<String> seen = new ArrayList<>();
            List<Coroutine<?>> all = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                all.add(with(
                        name,
                        () -> spawn(() -> {
                            for (int i = 0; i < 3; i++) {
                                seen.add(name + seen());
                                Async.suspend();
                            }
                        })));
            }
            all.add(spawn(() -> seen.add("-" + seen())));
            for (Coroutine<?> one : all) await(one);
            assertThat(seen).containsOnly("aa", "bb", "cc", "-unbound").hasSize(10);
        });
    }

    @Test
    void childThatOutlivesTheBlock_keepsTheBindingAndRebindsItsOwnWay() {
        TestRuntime.run(() -> {
            Coroutine<String> child = with(
                    "outer",
                    () -> spawn(() -> {
                        Async.delay(1);
                        String own = seen();
                        String inner = with("inner", () -> ScopedValue.where(NUMBER, 7)
                                .call(() -> seen() + NUMBER.get() + await(spawn(() -> seen() + NUMBER.get()))));
                        return own + " " + inner + " " + seen() + NUMBER.isBound();
                    }));
            assertThat(seen()).isEqualTo("unbound");
            assertThat(await(child)).isEqualTo("outer inner7inner7 outerfalse");
        });
    }

    @Test
    void launchGroupsAndIterate_seeTheBindingOfTheirCaller() {
        TestRuntime.run(() -> {
            List<String> seen = new ArrayList<>();
            with("launch", () -> {
                Async.launch(() -> seen.add(seen()));
                return null;
            });
            Async.delay(1);
            try (TaskGroup<Object> group = TaskGroup.builder().concurrency(1).build()) {
                for (int i = 0; i < 3; i++) {
                    with(
                            "task " + i,
                            () -> group.spawn(() -> {
                                Async.delay(1);
                                return seen.add(seen());
                            }));
                }
                group.close();
                group.awaitCompletion();
            }
            with("iterate", () -> {
                Async.iterate(List.of(1, 2, 3), item -> {
                    Async.delay(item);
                    return seen.add(seen());
                });
                return null;
            });
            try (var scope = new Scope()) {
                with("scope", () -> scope.spawn(() -> seen.add(seen())));
                scope.awaitCompletion();
            }
            assertThat(seen)
                    .containsExactly("launch", "task 0", "task 1", "task 2", "iterate", "iterate", "iterate", "scope");
        });
    }

    @Test
    void everyWayToAnotherThread_takesTheBindingAlongAndLeavesNothing() {
        TestRuntime.run(() -> {
            try (var pool = ThreadPool.builder().workers(1).build()) {
                List<Callable<String>> doors = List.of(
                        () -> await(CompletableFuture.supplyAsync(ScopedValuesTest::seen, Async.executor())),
                        () -> {
                            var seen = new CompletableFuture<String>();
                            Async.threadFactory()
                                    .newThread(() -> seen.complete(seen()))
                                    .start();
                            return await(seen);
                        },
                        () -> {
                            try (var threads = Executors.newThreadPerTaskExecutor(Async.threadFactory())) {
                                return threads.submit(ScopedValuesTest::seen).get();
                            }
                        },
                        () -> Async.blocking(ScopedValuesTest::seen),
                        () -> await(Async.spawnThread(ScopedValuesTest::seen)),
                        () -> await(Async.spawnThread(() -> await(spawn(ScopedValuesTest::seen)))),
                        () -> await(pool.submit(ScopedValuesTest::seen)),
                        () -> await(pool.submit(() -> await(spawn(ScopedValuesTest::seen)))));
                for (Callable<String> door : doors) {
                    assertThat(door.call()).isEqualTo("unbound");
                    assertThat(with("first", door)).isEqualTo("first");
                    assertThat(with("second", door)).isEqualTo("second");
                    assertThat(door.call()).isEqualTo("unbound");
                }
            }
        });
    }

    @Test
    void cores_takeTheBindingOfTheCallerAndOfEachCall() {
        TestRuntime.run(() -> {
            List<String> seen = with("all cores", () -> Cores.builder().count(2).run(() -> {
                int other = 1 - Cores.current().index();
                String called = with("a call", () -> Cores.current().on(other, ScopedValuesTest::seen));
                return seen() + ", " + called;
            }));
            assertThat(seen).containsOnly("all cores, a call").hasSize(2);
        });
    }

    @Test
    void tasksFromOtherThreads_takeTheBindingOfThatThread() {
        TestRuntime.run(() -> {
            Executor executor = Async.executor();
            var seen = new CompletableFuture<String>();
            Thread other = Thread.ofPlatform().start(() -> ScopedValue.where(NAME, "of the other")
                    .run(() -> executor.execute(() -> seen.complete(seen()))));
            assertThat(await(seen)).isEqualTo("of the other");
            other.join();
        });
    }

    @Test
    void runInsideABinding_hasItInMain() {
        var seen = new ArrayList<String>();
        for (long stackSize : new long[] {0, 1 << 20}) {
            with("before the run", () -> {
                runtime(stackSize).run(() -> {
                    seen.add(seen());
                    seen.add(await(spawn(ScopedValuesTest::seen)));
                });
                return seen.add(seen());
            });
        }
        assertThat(seen).hasSize(6).containsOnly("before the run");
    }

    @Test
    void taskSubmittedBeforeTheRun_takesTheBindingOfItsSubmitter() {
        AsyncRuntime runtime = runtime(0);
        var seen = with("early", () -> runtime.submit(ScopedValuesTest::seen));
        var seenLater = new CompletableFuture<String>();
        with("executor", () -> {
            runtime.executor().execute(() -> seenLater.complete(seen()));
            return null;
        });
        runtime.run(() -> assertThat(await(seen) + await(seenLater) + seen()).isEqualTo("earlyexecutorunbound"));
    }

    private static int deeper(int depth) {
        return depth < 0 ? 0 : 1 + deeper(depth + 1);
    }

    @Test
    void afterAStackOverflow_theBindingsOfTheCoroutineAreFound() {
        TestRuntime.run(() -> {
            Callable<String> overflows = () -> {
                String before = seen();
                assertThatThrownBy(() -> deeper(0)).isInstanceOf(StackOverflowError.class);
                return before + seen() + await(spawn(ScopedValuesTest::seen));
            };
            for (int i = 0; i < 2; i++) {
                assertThat(await(with("x", () -> spawn(overflows)))).isEqualTo("xxx");
                assertThat(await(spawn(overflows))).isEqualTo("unboundunboundunbound");
                assertThat(with(
                                "y",
                                () -> Async.blocking(() -> {
                                    String before = seen();
                                    assertThatThrownBy(() -> deeper(0)).isInstanceOf(StackOverflowError.class);
                                    return before + seen();
                                })))
                        .isEqualTo("yy");
                assertThat(Async.blocking(ScopedValuesTest::seen)).isEqualTo("unbound");
            }
        });
    }

    @Test
    void structuredTaskScopeOfTheJdk_worksWithGivenBindings() {
        TestRuntime.run(() -> {
            List<String> seen = Collections.synchronizedList(new ArrayList<>());
            await(with(
                    "given",
                    () -> spawn(() -> {
                        seen.add(forked());
                        seen.add(with("rebound", ScopedValuesTest::forked));
                        seen.add(forked());
                    })));
            seen.add(forked());
            assertThat(seen).containsExactly("given", "rebound", "given", "unbound");
        });
    }

    /** What a fork of the JDK's scope sees, in a task of our executor too. By reflection, as it is a preview. */
    private static String forked() throws Exception {
        Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
        try (var scope = (AutoCloseable) type.getMethod("open").invoke(null)) {
            Executor executor = Async.executor();
            Callable<String> task = () -> {
                var fromLibraryThread = new CompletableFuture<String>();
                executor.execute(() -> fromLibraryThread.complete(seen()));
                assertThat(fromLibraryThread.get()).isEqualTo(seen());
                return seen();
            };
            Object forked = type.getMethod("fork", Callable.class).invoke(scope, task);
            type.getMethod("join").invoke(scope);
            return (String) Class.forName("java.util.concurrent.StructuredTaskScope$Subtask")
                    .getMethod("get")
                    .invoke(forked);
        }
    }

    @Test
    void whatBeginsOnBehalfOfNobody_seesNoBinding() {
        TestRuntime.run(() -> {
            List<String> seen = new ArrayList<>();
            Coroutine<?> coroutine = with("x", () -> spawn(() -> {}));
            coroutine.onFinally(ended -> seen.add(seen()));
            await(coroutine);
            Async.delay(1);
            assertThat(seen).containsExactly("unbound");
        });
    }
}
