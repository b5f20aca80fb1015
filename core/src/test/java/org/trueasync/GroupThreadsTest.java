package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;

/** Groups and sets of tasks belong to a loop: every other thread is refused at once, and the group stays as it was. */
class GroupThreadsTest {
    static Stream<Named<Consumer<GroupedTasks<String>>>> callsOfBoth() {
        return Stream.of(
                Named.of("spawn", g -> g.spawn(() -> "late")),
                Named.of("spawnWithKey", g -> g.spawnWithKey("key", () -> "late")),
                Named.of("close", g -> g.close()),
                Named.of("cancel", g -> g.cancel()),
                Named.of("dispose", g -> g.dispose()),
                Named.of("awaitCompletion", g -> g.awaitCompletion()),
                Named.of("results", g -> g.results()),
                Named.of("errors", g -> g.errors()),
                Named.of("suppressErrors", g -> g.suppressErrors()));
    }

    static Stream<Named<Consumer<TaskGroup<String>>>> callsOfGroups() {
        return Stream.of(
                Named.of("all", g -> g.all()),
                Named.of("race", g -> g.race()),
                Named.of("any", g -> g.any()),
                Named.of("iterator", g -> g.iterator().hasNext()),
                Named.of("onFinally", g -> g.onFinally(ended -> {})));
    }

    static Stream<Named<Consumer<TaskSet<String>>>> callsOfSets() {
        return Stream.of(
                Named.of("joinNext", s -> s.joinNext()),
                Named.of("joinAny", s -> s.joinAny()),
                Named.of("joinAll", s -> s.joinAll()),
                Named.of("iterator", s -> s.iterator().hasNext()),
                Named.of("onFinally", s -> s.onFinally(ended -> {})));
    }

    private static @Nullable Throwable thrownElsewhere(Runnable call) {
        return await(CompletableFuture.supplyAsync(() -> {
            try {
                call.run();
                return null;
            } catch (Throwable e) {
                return e;
            }
        }));
    }

    private static void assertRefused(GroupedTasks<String> tasks, Runnable call) {
        tasks.spawn(() -> "first");
        assertThat(thrownElsewhere(call))
                .isInstanceOf(AsyncException.class)
                .hasMessageMatching("Task(Group|Set)\\.\\w+ called on thread '.*loop 'test'.*");
        assertThat(tasks.size()).isEqualTo(1);
        assertThat(tasks.isClosed()).isFalse();
        tasks.spawn(() -> "second");
        tasks.close();
        tasks.awaitCompletion();
        assertThat(tasks.results().values()).containsExactly("first", "second");
        assertThat(tasks.errors()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("callsOfBoth")
    @Tag("K1")
    void groupOnAnotherThread_isRefused(Consumer<GroupedTasks<String>> call) {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            assertRefused(group, () -> call.accept(group));
        });
    }

    @ParameterizedTest
    @MethodSource("callsOfBoth")
    @Tag("K1")
    void setOnAnotherThread_isRefused(Consumer<GroupedTasks<String>> call) {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            assertRefused(set, () -> call.accept(set));
        });
    }

    @ParameterizedTest
    @MethodSource("callsOfGroups")
    @Tag("K1")
    void questionsToGroupOnAnotherThread_areRefused(Consumer<TaskGroup<String>> call) {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            assertRefused(group, () -> call.accept(group));
        });
    }

    @ParameterizedTest
    @MethodSource("callsOfSets")
    @Tag("K1")
    void joinsOfSetOnAnotherThread_areRefused(Consumer<TaskSet<String>> call) {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            assertRefused(set, () -> call.accept(set));
        });
    }

    @Test
    @Tag("K1")
    void groupInAScopeOfAnotherThread_isNotMade() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            assertThat(thrownElsewhere(
                            () -> TaskGroup.builder().scope(scope).build().close()))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("new TaskGroup called on thread");
            assertThat(scope.childScopes()).isEmpty();
            scope.dispose();
        });
    }
}
