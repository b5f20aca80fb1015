package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

/** Errors of tasks: kept for whoever asks, reported once to the scope if nobody does. */
@Tag("G6")
@Tag("F51")
class TaskGroupErrorsTest {
    private final List<String> log = new ArrayList<>();

    private static void fail(TaskGroup<?> group, String message) {
        group.spawn(() -> {
            throw new IllegalStateException(message);
        });
    }

    private Scope loggingScope() {
        var scope = new Scope();
        scope.setExceptionHandler((s, c, e) -> log.add(
                e instanceof CompositeException all
                        ? all.exceptions().stream().map(Throwable::getMessage).toList() + ""
                        : e.getMessage()));
        return scope;
    }

    @Test
    void unhandledErrors_leaveTheScopeAloneAndEndTheRunWhenItIsOver() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var group = new TaskGroup<String>();
            fail(group, "boom");
            delay(10);
            assertThat(Scope.global().isCancelled()).isFalse();
            log.add("main goes on");
            assertThat(group.isFinished()).isTrue();
        });
        assertThat(log).containsExactly("main goes on");
        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessage("boom");
        assertThat(thrown.getSuppressed()[0].toString()).contains("TaskGroupErrorsTest.java:");
    }

    @Test
    void errorThatNobodyAsksForInTime_isTold() {
        var run = new TestRuntime();
        Throwable thrown = run.failure(() -> {
            var group = new TaskGroup<String>();
            group.spawn(() -> {
                throw new IllegalStateException("in the group");
            });
            delay(1_000);
            // what fails in here would be lost beside the group's error
            log.addAll(run.reports());
            log.add("finished: " + group.isFinished());
        });
        assertThat(thrown).hasMessage("in the group");
        assertThat(log).hasSize(2).last().isEqualTo("finished: true");
        assertThat(log.getFirst()).contains("in the group", "TaskGroupErrorsTest.java");
        TestRuntime asked = TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(() -> {
                throw new IllegalStateException("in the group");
            });
            delay(500);
            assertThatThrownBy(() -> group.all().await()).isInstanceOf(CompositeException.class);
            delay(1_000);
        });
        assertThat(asked.reports()).isEmpty();
    }

    @Test
    void errorOfATask_isNotToldWhileSomebodyWaitsForAll() {
        TestRuntime waits = TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(() -> delay(2_000));
            fail(group, "in the group");
            assertThatThrownBy(() -> group.all().await()).isInstanceOf(CompositeException.class);
            var set = new TaskSet<String>();
            set.spawn(() -> delay(2_000));
            set.spawn(() -> {
                throw new IllegalStateException("in the set");
            });
            assertThatThrownBy(() -> set.joinAll().await()).isInstanceOf(CompositeException.class);
        });
        assertThat(waits.reports()).isEmpty();

        TestRuntime givenUp = TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(() -> delay(2_000));
            fail(group, "the wait is given up");
            var all = group.all();
            assertThatThrownBy(() -> all.await(Async.timeout(500))).isInstanceOf(OperationCanceledException.class);
            delay(2_000);
            var other = new TaskGroup<String>();
            other.spawn(() -> delay(2_000));
            fail(other, "without errors");
            other.all(true).await();
            assertThat(group.errors()).hasSize(1);
            assertThat(other.errors()).hasSize(1);
        });
        assertThat(givenUp.reports())
                .anyMatch(report -> report.startsWith("Failed in a group") && report.contains("the wait is given up"))
                .anyMatch(report -> report.startsWith("Failed in a group") && report.contains("without errors"));
    }

    @Test
    void severalUnhandledErrors_areReportedTogetherInKeyOrder() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            var group = TaskGroup.<String>builder().scope(scope).build();
            group.spawn(() -> {
                delay(10);
                throw new IllegalStateException("first");
            });
            fail(group, "second");
            group.spawn(() -> {
                throw new AsyncCancellation("is no error");
            });
            delay(20);
        });
        assertThat(log).containsExactly("[first, second]");
    }

    @Test
    void errorsThatSomebodyGot_areNotReported() {
        TestRuntime run = TestRuntime.run(() -> {
            var asked = new TaskGroup<String>();
            fail(asked, "asked for");
            var seen = new TaskGroup<String>();
            fail(seen, "seen");
            var suppressed = new TaskGroup<String>();
            fail(suppressed, "suppressed");
            var awaited = new TaskGroup<String>();
            fail(awaited, "awaited");
            var raced = new TaskGroup<String>();
            fail(raced, "raced");
            var early = new TaskGroup<String>();
            early.suppressErrors();
            fail(early, "suppressed before it happened");
            delay(1);
            assertThat(asked.errors()).hasSize(1);
            seen.close();
            for (TaskResult<String> one : seen) assertThat(one.isFailed()).isTrue();
            suppressed.suppressErrors();
            assertThatThrownBy(() -> awaited.all().await()).isInstanceOf(CompositeException.class);
            assertThatThrownBy(() -> raced.race().await()).hasMessage("raced");
        });
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void errorsLeftOutByAll_areNotHandled() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            var group = TaskGroup.<String>builder().scope(scope).build();
            fail(group, "left out");
            group.spawn(() -> "value");
            assertThat(group.all(true).await()).hasToString("{1=value}");
        });
        assertThat(log).containsExactly("left out");
    }

    @Test
    void errorOfAFutureThatNobodyAwaits_isReportedOnceByTheFuture() {
        TestRuntime run = TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            fail(group, "boom");
            Future<?> all = group.all();
            delay(1);
            assertThat(all.isCompleted()).isTrue();
        });
        assertThat(run.reports()).hasSize(1);
        assertThat(run.reports().getFirst()).contains("boom");
    }

    @Test
    void unreachableGroup_reportsItsErrorsOnceToTheScope() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            WeakReference<TaskGroup<String>> lost = lostGroup(scope);
            for (int i = 0; i < 200 && log.isEmpty(); i++) {
                System.gc();
                Async.blocking(() -> Thread.sleep(10));
            }
            assertThat(lost.refersTo(null)).isTrue();
            assertThat(log).containsExactly("boom");
            assertThat(scope.childScopes()).isEmpty();
        });
        assertThat(log).containsExactly("boom");
    }

    @Test
    @Tag("G10")
    void groupThatIsDroppedWithoutErrors_takesItsScopeAndItsValuesAlong() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            WeakReference<Object> value = droppedGroup(scope);
            for (int i = 0; i < 200 && !(scope.childScopes().isEmpty() && value.refersTo(null)); i++) {
                System.gc();
                Async.blocking(() -> Thread.sleep(10));
            }
            assertThat(scope.childScopes()).isEmpty();
            assertThat(value.refersTo(null)).isTrue();
            scope.dispose();
        });
    }

    private static WeakReference<Object> droppedGroup(Scope scope) {
        var group = TaskGroup.<Object>builder().scope(scope).build();
        group.spawn(Object::new);
        assertThat(scope.childScopes()).hasSize(1);
        return new WeakReference<>(group.race().await());
    }

    private static WeakReference<TaskGroup<String>> lostGroup(Scope scope) {
        var group = TaskGroup.<String>builder().scope(scope).build();
        fail(group, "boom");
        group.onFinally(g -> suspend());
        suspend();
        return new WeakReference<>(group);
    }

    @Test
    void lateErrorOfAChildOfATask_goesToTheScopeAroundTheGroup() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            var group = TaskGroup.<String>builder().scope(scope).build();
            group.spawn(() -> {
                spawn(() -> {
                    throw new IllegalStateException("of a child");
                });
                delay(1_000);
            });
            delay(10);
            assertThat(log).containsExactly("of a child");
            assertThat(group.isClosed()).isTrue();
            assertThat(scope.isCancelled()).isFalse();
            scope.dispose();
        });
    }

    @Test
    void unhandledErrorInASet_isReportedLikeAGroups() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            var set = TaskSet.<String>builder().scope(scope).build();
            for (String message : List.of("taken", "left")) {
                set.spawn(() -> {
                    throw new IllegalStateException(message);
                });
            }
            assertThatThrownBy(() -> set.joinNext().await()).hasMessage("taken");
        });
        assertThat(log).containsExactly("left");
    }

    @Test
    void errorsOfLaterTasks_areNotHandledByAnEarlierQuestion() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            var group = TaskGroup.<String>builder().scope(scope).build();
            group.spawn(() -> {
                delay(10);
                throw new IllegalStateException("asked about");
            });
            Future<?> all = group.all();
            fail(group, "later");
            assertThatThrownBy(all::await)
                    .isInstanceOfSatisfying(CompositeException.class, e -> assertThat(e.exceptions())
                            .hasSize(1));
        });
        assertThat(log).containsExactly("later");
    }

    @Test
    void errorsThatAnyHasShown_areHandled() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            var group = TaskGroup.<String>builder().scope(scope).build();
            fail(group, "one");
            fail(group, "two");
            Future<?> any = group.any();
            assertThatThrownBy(any::await).isInstanceOf(CompositeException.class);
        });
        assertThat(log).isEmpty();
    }

    @Test
    void raceThatASuccessHasWon_leavesTheErrorsToTheOthers() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            var group = TaskGroup.<String>builder().scope(scope).build();
            group.spawn(() -> "won");
            fail(group, "left");
            assertThat(group.race().await()).isEqualTo("won");
            assertThat(group.any().await()).isEqualTo("won");
        });
        assertThat(log).containsExactly("left");
    }

    @Test
    void errorThatIsTakenAfterTheEnd_isNotReported() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            var set = TaskSet.<String>builder().scope(scope).build();
            set.spawn(() -> {
                throw new IllegalStateException("taken");
            });
            set.close();
            set.awaitCompletion();
            assertThatThrownBy(() -> set.joinNext().await()).hasMessage("taken");
            assertThat(set.errors()).isEmpty();
        });
        assertThat(log).isEmpty();
    }

    @Test
    @Tag("G9")
    void lastHandlersOfALostGroup_mayStillAskForItsErrors() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            WeakReference<TaskGroup<String>> lost = lostGroupWithACurator(scope);
            for (int i = 0; i < 200 && log.isEmpty(); i++) {
                System.gc();
                Async.blocking(() -> Thread.sleep(10));
            }
            assertThat(lost.refersTo(null)).isTrue();
            delay(1);
            assertThat(scope.childScopes()).isEmpty();
        });
        assertThat(log).containsExactly("curator got [boom]");
    }

    private WeakReference<TaskGroup<String>> lostGroupWithACurator(Scope scope) {
        var group = TaskGroup.<String>builder().scope(scope).build();
        fail(group, "boom");
        group.onFinally(g -> {
            suspend();
            log.add("curator got "
                    + g.errors().values().stream().map(Throwable::getMessage).toList());
        });
        suspend();
        return new WeakReference<>(group);
    }

    /** Of what a dropped group knows. */
    private static WeakReference<Object> valueOf(TaskGroup<Object> group) {
        return new WeakReference<>(group.spawn(Object::new).await());
    }

    private static void collectUntilGone(WeakReference<?> reference) {
        for (int i = 0; i < 200 && !reference.refersTo(null); i++) {
            Garbage.collect();
            suspend();
        }
        assertThat(reference.refersTo(null)).isTrue();
    }

    private WeakReference<Object> lostGroupWithoutHandlers(Scope scope) {
        var group = TaskGroup.<Object>builder().scope(scope).build();
        fail(group, "boom");
        return valueOf(group);
    }

    @Test
    void unreachableGroupWithoutHandlers_reportsItsErrorsAndIsGone() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            WeakReference<Object> value = lostGroupWithoutHandlers(scope);
            for (int i = 0; i < 200 && log.isEmpty(); i++) {
                Garbage.collect();
                suspend();
            }
            assertThat(log).containsExactly("boom");
            collectUntilGone(value);
            scope.dispose();
        });
        assertThat(log).containsExactly("boom");
    }

    private WeakReference<Object> lostGroupThatFailsLater(Scope scope) {
        var group = TaskGroup.<Object>builder().scope(scope).build();
        group.spawn(() -> {
            delay(1_000_000);
            throw new IllegalStateException("late");
        });
        return new WeakReference<>(group);
    }

    @Test
    void groupThatIsUnreachableBeforeItsTaskFails_reportsThatThen() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            collectUntilGone(lostGroupThatFailsLater(scope));
            suspend();
            delay(999_000);
            assertThat(log).isEmpty();
            delay(2_000);
            assertThat(log).containsExactly("late");
            scope.dispose();
        });
        assertThat(log).containsExactly("late");
    }

    private static WeakReference<Object> groupWhoseErrorsWereAskedFor(Scope scope) {
        var group = TaskGroup.<Object>builder().scope(scope).build();
        fail(group, "one");
        fail(group, "two");
        WeakReference<Object> value = valueOf(group);
        assertThat(group.errors()).hasSize(2);
        return value;
    }

    @Test
    @Tag("G10")
    void errorsThatWereAskedFor_keepNoGroup() {
        TestRuntime.run(() -> {
            Scope scope = loggingScope();
            collectUntilGone(groupWhoseErrorsWereAskedFor(scope));
            scope.dispose();
        });
        assertThat(log).isEmpty();
    }
}
