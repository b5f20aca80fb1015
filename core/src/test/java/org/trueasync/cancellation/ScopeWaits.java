package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Channel;
import org.trueasync.Completable;
import org.trueasync.FutureState;
import org.trueasync.GuardedCalls;
import org.trueasync.Output;
import org.trueasync.RecoveryStrategy;
import org.trueasync.Scope;
import org.trueasync.Section;
import org.trueasync.Task;
import org.trueasync.TaskGroup;
import org.trueasync.TaskHandle;
import org.trueasync.TaskSet;
import org.trueasync.VoidSection;
import org.trueasync.internal.testkit.WaitTable;

/** Waits of scopes, groups and sections. */
final class ScopeWaits extends WaitTable {
    ScopeWaits() {
        scopesAndGroups();
        sections();
    }

    private void completion(String method, On<Scope> on) {
        row(method, wait -> {
            var scope = new Scope();
            var end = new FutureState<Integer>();
            scope.spawn(() -> await(end.future()));
            delay(1);
            call(method, wait, token -> on.call(scope, token));
            wait.serve(() -> {
                if (!end.isCompleted()) end.complete(1);
            });
        });
    }

    /** Of a scope in which something takes its time although the scope has been cancelled. */
    private void ending(String method, boolean isCancelled, On<Scope> on) {
        row(method, wait -> {
            var scope = new Scope();
            var end = new FutureState<Integer>();
            scope.spawn(() -> {
                protect(() -> {
                    await(end.future());
                });
            });
            delay(1);
            if (isCancelled) scope.cancel();
            else wait.lastsToTheEnd();
            call(method, wait, token -> on.call(scope, token));
            wait.serve(() -> {
                if (!end.isCompleted()) end.complete(1);
            });
        });
    }

    private interface Grouped {
        void call(TaskGroup<Integer> group, Completable<?> token) throws Throwable;
    }

    private void scopesAndGroups() {
        completion("Scope.awaitCompletion()", (scope, token) -> scope.awaitCompletion());
        completion("Scope.awaitCompletion(Completable)", (scope, token) -> scope.awaitCompletion(token));
        completion("Scope.awaitCompletion(Duration)", (scope, token) -> scope.awaitCompletion(AGES));
        ending("Scope.awaitAfterCancellation()", true, (scope, token) -> scope.awaitAfterCancellation());
        ending(
                "Scope.awaitAfterCancellation(BiConsumer, Completable)",
                true,
                (scope, token) -> scope.awaitAfterCancellation(null, token));
        ending("Scope.close()", false, (scope, token) -> scope.close());
        groups();
        sets();
    }

    private void tasks(String method, On<TaskHandle<Integer>> on) {
        row(method, wait -> {
            var end = new FutureState<Integer>();
            TaskHandle<Integer> task = new TaskGroup<Integer>().spawn(() -> await(end.future()));
            delay(1);
            call(method, wait, token -> on.call(task, token));
            wait.serve(() -> {
                if (!end.isCompleted()) end.complete(1);
            });
        });
    }

    private void full(String method, On<TaskGroup<Integer>> on) {
        row(method, wait -> {
            var ends = new Channel<Integer>(9);
            TaskGroup<Integer> group =
                    TaskGroup.<Integer>builder().concurrency(1).queueLimit(1).build();
            for (int i = 0; i < 2; i++) group.spawn(() -> ends.receive());
            delay(1);
            call(method, wait, token -> on.call(group, token));
            wait.serve(() -> {
                ends.send(1);
                delay(0);
            });
        });
    }

    private void fullSet(String method, On<TaskSet<Integer>> on) {
        row(method, wait -> {
            var ends = new Channel<Integer>(9);
            TaskSet<Integer> set =
                    TaskSet.<Integer>builder().concurrency(1).queueLimit(1).build();
            for (int i = 0; i < 2; i++) set.spawn(() -> ends.receive());
            delay(1);
            call(method, wait, token -> on.call(set, token));
            wait.serve(() -> {
                ends.send(1);
                delay(0);
            });
        });
    }

    private void closedGroup(String method, On<TaskGroup<Integer>> on) {
        row(method, wait -> {
            var group = new TaskGroup<Integer>();
            var end = new FutureState<Integer>();
            group.spawn(() -> await(end.future()));
            group.close();
            delay(1);
            call(method, wait, token -> on.call(group, token));
            wait.serve(() -> {
                if (!end.isCompleted()) end.complete(1);
            });
        });
    }

    private void groups() {
        tasks("TaskHandle.await()", (task, token) -> task.await());
        tasks("TaskHandle.await(Completable)", (task, token) -> task.await(token));
        tasks("TaskHandle.await(Duration)", (task, token) -> task.await(AGES));
        closedGroup("TaskGroup.awaitCompletion()", (group, token) -> group.awaitCompletion());
        closedGroup("TaskGroup.awaitCompletion(Completable)", (group, token) -> group.awaitCompletion(token));
        closedGroup(
                "TaskGroup.iterator().hasNext()",
                (group, token) -> assertThat(group.iterator().hasNext()).isTrue());
        closedGroup(
                "TaskGroup.iterator().next()",
                (group, token) -> assertThat(group.iterator().next().result()).isEqualTo(1));
        full("TaskGroup.spawn(Body)", (group, token) -> group.spawn(() -> {}));
        full("TaskGroup.spawn(Callable)", (group, token) -> group.spawn((Callable<Integer>) () -> 1));
        full("TaskGroup.spawn(Task)", (group, token) -> group.spawn((Task<Integer>) () -> 1));
        full("TaskGroup.spawnWithKey(Object, Body)", (group, token) -> group.spawnWithKey(new Object(), () -> {}));
        full(
                "TaskGroup.spawnWithKey(Object, Callable)",
                (group, token) -> group.spawnWithKey(new Object(), (Callable<Integer>) () -> 1));
        full(
                "TaskGroup.spawnWithKey(Object, Task)",
                (group, token) -> group.spawnWithKey(new Object(), (Task<Integer>) () -> 1));
    }

    private void sets() {
        fullSet("TaskSet.spawn(Body)", (set, token) -> set.spawn(() -> {}));
        fullSet("TaskSet.spawn(Callable)", (set, token) -> set.spawn((Callable<Integer>) () -> 1));
        fullSet("TaskSet.spawn(Task)", (set, token) -> set.spawn((Task<Integer>) () -> 1));
        fullSet("TaskSet.spawnWithKey(Object, Body)", (set, token) -> set.spawnWithKey(new Object(), () -> {}));
        fullSet(
                "TaskSet.spawnWithKey(Object, Callable)",
                (set, token) -> set.spawnWithKey(new Object(), (Callable<Integer>) () -> 1));
        fullSet(
                "TaskSet.spawnWithKey(Object, Task)",
                (set, token) -> set.spawnWithKey(new Object(), (Task<Integer>) () -> 1));
        for (String method : List.of("TaskSet.awaitCompletion()", "TaskSet.awaitCompletion(Completable)"))
            row(method, wait -> {
                var set = new TaskSet<Integer>();
                var end = new FutureState<Integer>();
                set.spawn(() -> await(end.future()));
                set.close();
                call(method, wait, token -> set.awaitCompletion(token));
                wait.serve(() -> {
                    if (!end.isCompleted()) end.complete(1);
                });
            });
        for (String method : List.of("TaskSet.iterator().hasNext()", "TaskSet.iterator().next()"))
            row(method, wait -> {
                var set = new TaskSet<Integer>();
                var ends = new Channel<Integer>(9);
                for (int i = 0; i < 2; i++) set.spawn(() -> ends.receive());
                delay(1);
                wait.call(() -> {
                            Iterator<?> results = set.iterator();
                            if (method.contains("hasNext"))
                                assertThat(results.hasNext()).isTrue();
                            results.next();
                        })
                        .serve(() -> {
                            ends.send(1);
                            delay(0);
                        });
            });
    }

    private void section(String method, On<Body> on) {
        row(method, wait -> {
            var state = new FutureState<Integer>();
            call(method, wait, token -> on.call(() -> await(state.future()), token));
            wait.serve(() -> {
                if (!state.isCompleted()) state.complete(1);
            });
        });
    }

    private void sections() {
        section(
                "Async.withTimeout(Duration, Section)",
                (body, token) -> Async.withTimeout(AGES, (Section<Integer, Exception>) () -> {
                    run(body);
                    return 1;
                }));
        section(
                "Async.withTimeout(Duration, VoidSection)",
                (body, token) -> Async.withTimeout(AGES, (VoidSection<Throwable>) body::run));
        section("Output.capture(VoidSection)", (body, token) -> Output.capture((VoidSection<Throwable>) body::run));
        section("GuardedCalls.call(Section)", (body, token) -> new GuardedCalls(
                        "calls", RecoveryStrategy.consecutiveFailures(3))
                .call((Section<Integer, Exception>) () -> {
                    run(body);
                    return 1;
                }));
        section("GuardedCalls.call(VoidSection)", (body, token) -> new GuardedCalls(
                        "calls", RecoveryStrategy.consecutiveFailures(3))
                .call((VoidSection<Throwable>) body::run));
        section(
                "Async.iterate(Iterable, IterateAction)",
                (body, token) -> Async.iterate(List.of(1, 2, 3), value -> {
                    body.run();
                    return true;
                }));
        section(
                "Async.iterate(Iterable, IterateAction, int)",
                (body, token) -> Async.iterate(
                        List.of(1, 2, 3),
                        value -> {
                            body.run();
                            return true;
                        },
                        2));
        section(
                "Async.iterate(Iterable, IterateAction, int, boolean)",
                (body, token) -> Async.iterate(
                        List.of(1, 2, 3),
                        value -> {
                            body.run();
                            return true;
                        },
                        2,
                        false));
    }

    private void run(Body body) throws Exception {
        try {
            body.run();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
