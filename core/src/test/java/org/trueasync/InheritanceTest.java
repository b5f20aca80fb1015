package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Inheritable thread locals: from whoever spawns, at that moment, on a stack of whatever age. */
class InheritanceTest {
    private static final InheritableThreadLocal<String> VALUE = new InheritableThreadLocal<>();

    @AfterEach
    void forget() {
        VALUE.remove();
    }

    private static String seen() {
        return VALUE.get();
    }

    @Test
    void coroutinesOnFreshAndUsedStacks_seeTheSpawnersValue() {
        TestRuntime.run(() -> {
            List<String> seen = new ArrayList<>();
            Set<Thread> stacks = new HashSet<>();
            for (int round = 0; round < 3; round++) {
                VALUE.set("of round " + round);
                Coroutine<?> first = Async.spawn(() -> {
                    stacks.add(Thread.currentThread());
                    seen.add(seen());
                    Async.delay(1);
                });
                Coroutine<?> second = Async.spawn("named", () -> {
                    seen.add(seen());
                    Async.delay(1);
                });
                VALUE.set("set later");
                Async.await(first);
                Async.await(second);
            }
            VALUE.remove();
            seen.add(Async.await(Async.spawn(() -> String.valueOf(seen()))));
            assertThat(seen)
                    .containsExactly(
                            "of round 0", "of round 0", "of round 1", "of round 1", "of round 2", "of round 2", "null");
            assertThat(stacks).as("stacks of three rounds").hasSizeLessThan(3);
        });
    }

    @Test
    void valueSetBeforeTheRun_isSeenByMainAndItsCoroutines() {
        VALUE.set("of the platform thread");
        TestRuntime.run(() -> {
            assertThat(seen()).isEqualTo("of the platform thread");
            for (int i = 0; i < 3; i++) {
                assertThat(Async.await(Async.spawn(InheritanceTest::seen))).isEqualTo("of the platform thread");
            }
            VALUE.set("of main");
        });
        assertThat(seen()).isEqualTo("of the platform thread");
    }

    @Test
    void whatACoroutineSets_isItsOwn() {
        TestRuntime.run(() -> {
            VALUE.set("of main");
            Async.await(Async.spawn(() -> {
                VALUE.set("of the first");
                assertThat(Async.await(Async.spawn(InheritanceTest::seen))).isEqualTo("of the first");
            }));
            assertThat(seen()).isEqualTo("of main");
            assertThat(Async.await(Async.spawn(InheritanceTest::seen))).isEqualTo("of main");
        });
    }

    @Test
    void tasksOfAGroupThatBeginLater_inheritFromWhoSpawnedThem() {
        TestRuntime.run(() -> {
            List<String> seen = new ArrayList<>();
            try (TaskGroup<Object> group = TaskGroup.builder().concurrency(1).build()) {
                for (int i = 0; i < 3; i++) {
                    VALUE.set("task " + i);
                    group.spawn(() -> {
                        seen.add(seen());
                        VALUE.set("left behind");
                        Async.delay(1);
                    });
                }
                group.close();
                group.awaitCompletion();
            }
            assertThat(seen).containsExactly("task 0", "task 1", "task 2");
        });
    }

    @Test
    void workersOfIterate_inheritFromTheCaller() {
        TestRuntime.run(() -> {
            List<String> seen = new ArrayList<>();
            VALUE.set("of the caller");
            Async.iterate(List.of(1, 2, 3, 4), item -> {
                seen.add(seen());
                VALUE.set("left behind");
                Async.delay(item);
                return true;
            });
            assertThat(seen).hasSize(4).containsOnly("of the caller");
        });
    }

    @Test
    void everyWayToAnotherThread_takesTheValueAlong() {
        TestRuntime.run(() -> {
            VALUE.set("of main");
            for (int i = 0; i < 2; i++) {
                var executor = CompletableFuture.supplyAsync(InheritanceTest::seen, Async.executor());
                assertThat(Async.await(executor)).isEqualTo("of main");
                var thread = new CompletableFuture<String>();
                Async.threadFactory().newThread(() -> thread.complete(seen())).start();
                assertThat(Async.await(thread)).isEqualTo("of main");
                assertThat(Async.blocking(InheritanceTest::seen)).isEqualTo("of main");
                assertThat(Async.await(Async.spawnThread(InheritanceTest::seen)))
                        .isEqualTo("of main");
            }
            VALUE.remove();
            assertThat(Async.blocking(() -> String.valueOf(seen()))).isEqualTo("null");
        });
    }

    @Test
    void executorTaskFromAnotherThread_inheritsFromThatThread() {
        TestRuntime.run(() -> {
            VALUE.set("of main");
            Executor executor = Async.executor();
            var seen = new CompletableFuture<String>();
            Thread other = Thread.ofPlatform().start(() -> {
                VALUE.set("of the other");
                executor.execute(() -> seen.complete(seen()));
            });
            assertThat(Async.await(seen)).isEqualTo("of the other");
            other.join();
        });
    }

    @Test
    void contextClassLoader_isInheritedToo() {
        TestRuntime.run(() -> {
            ClassLoader usual = Thread.currentThread().getContextClassLoader();
            try (var own = new URLClassLoader(new URL[0], usual)) {
                Thread.currentThread().setContextClassLoader(own);
                for (int i = 0; i < 3; i++) {
                    assertThat(Async.await(
                                    Async.spawn(() -> Thread.currentThread().getContextClassLoader() == own)))
                            .isTrue();
                }
                Thread.currentThread().setContextClassLoader(usual);
            }
            assertThat(Async.await(Async.spawn(() -> Thread.currentThread().getContextClassLoader() == usual)))
                    .isTrue();
        });
    }

    @Test
    void childValueThatThrows_failsTheSpawn() {
        TestRuntime.run(() -> {
            var odd = new InheritableThreadLocal<String>() {
                @Override
                protected String childValue(String parent) {
                    throw new IllegalStateException("no child of mine");
                }
            };
            odd.set("x");
            assertThatThrownBy(() -> Async.spawn(() -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no child of mine");
            odd.remove();
            assertThat(Async.await(Async.spawn(() -> 7))).isEqualTo(7);
        });
    }

    @Test
    void classLoaderOfTheLoopThread_isThatOfEveryCoroutine() {
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        var own = new ClassLoader() {};
        here.setContextClassLoader(own);
        try {
            TestRuntime.run(() -> {
                for (int i = 0; i < 2; i++) {
                    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(own);
                    assertThat(Async.await(
                                    Async.spawn(() -> Thread.currentThread().getContextClassLoader())))
                            .isSameAs(own);
                }
            });
        } finally {
            here.setContextClassLoader(before);
        }
    }
}
