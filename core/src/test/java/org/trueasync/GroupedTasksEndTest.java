package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** What groups and sets of tasks both promise of their end. */
abstract sealed class GroupedTasksEndTest extends GroupedTasksTest permits TaskGroupTest, TaskSetTest {
    // ---- G8

    @Test
    @Tag("G8")
    void close_letsTheTasksGoOn() {
        TestRuntime.run(() -> {
            var tasks = tasks(1);
            assertThat(tasks.isFinished()).isTrue();
            assertThat(tasks.isClosed()).isFalse();
            tasks.spawn(logged(10, "running"));
            tasks.spawn(logged(10, "queued"));
            assertThat(tasks.isFinished()).isFalse();
            tasks.close();
            tasks.close();
            assertThat(tasks.isClosed()).isTrue();
            tasks.awaitCompletion();
            assertThat(log).containsExactly("running", "queued");
            assertThat(tasks.size()).isEqualTo(2);
        });
    }

    @Test
    @Tag("G8")
    void finished_mayFlipBackWhileOpen() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            tasks.spawn(() -> "a");
            delay(1);
            assertThat(tasks.isFinished()).isTrue();
            tasks.spawn(() -> "b");
            assertThat(tasks.isFinished()).isFalse();
            delay(1);
            assertThat(tasks.size()).isEqualTo(2);
        });
    }

    @Test
    @Tag("G8")
    void cancel_dropsTheQueueAndIsFinishedOnlyWhenTheRunningHaveEnded() {
        TestRuntime.run(() -> {
            var tasks = tasks(1);
            tasks.spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    delay(10);
                    log.add("unwound");
                }
            });
            tasks.spawn(logged(1, "never"));
            suspend();
            tasks.cancel(new AsyncCancellation("enough"));
            tasks.cancel();
            assertThat(tasks.isClosed()).isTrue();
            assertThat(tasks.isFinished()).isFalse();
            tasks.awaitCompletion();
            assertThat(tasks.isFinished()).isTrue();
            assertThat(log).containsExactly("unwound");
            assertThat(tasks.errors()).hasSize(2).allSatisfy((key, error) -> assertThat(error)
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("enough"));
        });
    }

    @Test
    @Tag("G8")
    void cancelWithoutAReason_saysWhatWasCancelled() {
        TestRuntime.run(() -> {
            var tasks = tasks(1);
            TaskHandle<String> running = tasks.spawn(logged(10, "never"));
            TaskHandle<String> queued = tasks.spawn(logged(10, "never"));
            suspend();
            tasks.cancel();
            String reason = tasks instanceof TaskSet ? "task set cancelled" : "task group cancelled";
            for (TaskHandle<String> task : List.of(running, queued))
                assertThatThrownBy(task::await)
                        .isInstanceOf(AsyncCancellation.class)
                        .hasMessage(reason);
        });
        assertThat(log).isEmpty();
    }

    @Test
    @Tag("G8")
    void dispose_endsAsItsScopeDoesAndCancelEndsTheZombies() {
        TestRuntime.run(() -> {
            var safe = Scope.inherit().allowZombies();
            var tasks = builder().scope(safe).build();
            tasks.spawn(logged(10, "zombie"));
            tasks.spawn(logged(1_000, "cancelled"));
            suspend();
            tasks.dispose();
            delay(20);
            assertThat(log).containsExactly("zombie");
            assertThat(tasks.isFinished()).isFalse();
            tasks.cancel();
            tasks.awaitCompletion();
            var strict = builder().scope(new Scope()).build();
            strict.spawn(logged(10, "never"));
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
            var tasks = builder().concurrency(1).queueLimit(0).build();
            for (int i = 0; i < 3; i++) tasks.spawn(logged(1_000, "never " + i));
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
            var tasks = tasks();
            tasks.spawn(logged(10, "task"));
            List<Coroutine<?>> runners = new ArrayList<>();
            onFinally(tasks, g -> {
                assertThat(g).isSameAs(tasks);
                runners.add(currentCoroutine());
                delay(5);
                log.add("first handler");
            });
            onFinally(tasks, g -> log.add("second handler"));
            delay(5);
            tasks.close();
            assertThat(log).isEmpty();
            Coroutine<?> waiter = spawn(() -> {
                tasks.awaitCompletion();
                log.add("waiter");
            });
            await(waiter);
            delay(10);
            assertThat(log).containsExactly("task", "waiter", "first handler", "second handler");
            assertThat(runners.getFirst()).isNotSameAs(currentCoroutine()).isNotSameAs(waiter);
            onFinally(tasks, g -> log.add("at once"));
            assertThat(log).endsWith("at once");
        });
    }

    @Test
    @Tag("G9")
    void finallyHandler_runsOnCancelToo() {
        TestRuntime.run(() -> {
            var tasks = tasks();
            onFinally(tasks, g -> log.add("empty"));
            tasks.cancel();
            suspend();
            assertThat(log).containsExactly("empty");
            var busy = tasks();
            busy.spawn(logged(1_000, "never"));
            onFinally(busy, g -> log.add("busy"));
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
            var tasks = builder().scope(scope).build();
            tasks.spawn(failing(1, "of the task"));
            onFinally(tasks, g -> {
                throw new IllegalStateException("of the handler");
            });
            onFinally(tasks, g -> log.add("second " + g.errors().size()));
            tasks.close();
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
            var tasks = builder().scope(scope).build();
            assertThat(scope.childScopes()).hasSize(1);
            tasks.spawn(() -> {
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
            tasks.awaitCompletion();
            delay(1);
            assertThat(log).containsExactly("child of a task ended");
            assertThat(scope.isClosed()).isTrue();
            assertThat(tasks.isClosed()).isTrue();
        });
    }

    @Test
    @Tag("G10")
    void scopeOfTheGroup_isThereUntilItIsClosedAndEmpty() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            var tasks = builder().scope(scope).build();
            tasks.spawn(() -> "a");
            delay(1);
            assertThat(scope.childScopes()).hasSize(1);
            tasks.spawn(() -> {
                spawn(() -> delay(10));
            });
            tasks.close();
            tasks.awaitCompletion();
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
            var tasks = builder().scope(scope).concurrency(1).build();
            tasks.spawn(logged(10, "running"));
            tasks.spawn(logged(10, "queued"));
            suspend();
            scope.dispose();
            assertThat(tasks.isClosed()).isTrue();
            assertThatThrownBy(() -> tasks.spawn(() -> "x")).isInstanceOf(AsyncException.class);
            tasks.awaitCompletion();
            assertThat(log).isEmpty();
            assertThat(tasks.errors()).containsOnlyKeys(0, 1);
            assertThatThrownBy(() -> builder().scope(scope).build()).isInstanceOf(AsyncException.class);
        });
    }
}
