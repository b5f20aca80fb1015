package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Task sets: what groups promise too, and what sets do otherwise: each outcome is handed out once. */
@Tag("G11")
final class TaskSetTest extends GroupedTasksEndTest {
    @Override
    TaskSet.Builder<String> builder() {
        return TaskSet.builder();
    }

    @Override
    TaskSet<String> tasks(int concurrency) {
        return new TaskSet<>(concurrency);
    }

    @Override
    void onFinally(GroupedTasks<String> tasks, Consumer<GroupedTasks<String>> callback) {
        ((TaskSet<String>) tasks).onFinally(callback);
    }

    @Test
    void joinNext_takesOutcomesInTheOrderOfSettling() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            assertThatThrownBy(set::joinNext).isInstanceOf(AsyncException.class);
            set.spawn(after(30, "c"));
            set.spawn(after(10, "a"));
            set.spawn(failing(20, "b"));
            assertThat(set.joinNext().await()).isEqualTo("a");
            assertThat(set.size()).isEqualTo(2);
            assertThatThrownBy(() -> set.joinNext().await()).hasMessage("b");
            assertThat(set.joinNext().await()).isEqualTo("c");
            assertThat(set.size()).isZero();
        });
    }

    @Test
    @Tag("F9")
    void resultsThatCameEarlier_areNotLost() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            for (int i = 0; i < 3; i++) set.spawn(after(3 - i, "task " + i));
            delay(10);
            assertThat(set.size()).isEqualTo(3);
            Future<String> first = set.joinNext();
            assertThat(first.isCompleted()).isTrue();
            assertThat(set.size()).isEqualTo(2);
            assertThat(first.await()).isEqualTo("task 2");
            assertThat(set.joinAny().await()).isEqualTo("task 1");
            assertThat(set.joinAll().await()).hasToString("{0=task 0}");
            assertThat(set.size()).isZero();
        });
    }

    @Test
    void joinAny_takesTheFirstSuccessAndLeavesTheErrors() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(failing(1, "down"));
            set.spawn(after(5, "up"));
            assertThat(set.joinAny().await()).isEqualTo("up");
            assertThat(set.size()).isEqualTo(1);
            assertThatThrownBy(() -> set.joinAny().await())
                    .isInstanceOfSatisfying(CompositeException.class, e -> assertThat(e.exceptions())
                            .hasSize(1));
            assertThat(set.size()).isZero();
        });
    }

    @Test
    @Tag("F64")
    void joinAllThatFails_takesTheErrorsAndLeavesTheValues() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            assertThat(set.joinAll().await()).isEmpty();
            set.spawn(after(5, "value"));
            set.spawn(failing(1, "boom"));
            assertThatThrownBy(() -> set.joinAll().await()).isInstanceOf(CompositeException.class);
            assertThat(set.size()).isEqualTo(1);
            assertThat(set.joinAll().await()).hasToString("{0=value}");
            set.spawn(after(1, "next"));
            set.spawn(failing(1, "stays"));
            assertThat(set.joinAll(true).await()).hasToString("{2=next}");
            assertThat(set.errors()).containsOnlyKeys(3);
        });
    }

    @Test
    @Tag("F64")
    void waitGivenUp_costsNoOutcome() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(10, "a"));
            set.spawn(after(20, "b"));
            Future<String> givenUp = set.joinNext();
            assertThatThrownBy(() -> givenUp.await(timeout(5))).isInstanceOf(OperationCanceledException.class);
            Coroutine<?> cancelled = spawn(() -> set.joinNext().await());
            suspend();
            cancelled.cancel();
            Future<String> dropped = set.joinNext();
            dropped.cancel();
            assertThat(set.joinNext().await()).isEqualTo("a");
            assertThat(givenUp.isCompleted()).isFalse();
            assertThat(givenUp.await()).isEqualTo("b");
            assertThat(set.size()).isZero();
        });
    }

    @Test
    void whoAsksFirst_isServedFirst() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(failing(10, "0"));
            for (int i = 1; i < 4; i++) set.spawn(after(10 + i, "" + i));
            Future<String> any = set.joinAny();
            Coroutine<?> iterates = spawn(() -> {
                Iterator<TaskResult<String>> all = set.iterator();
                log.add("iterator " + all.next().key());
            });
            delay(1);
            Future<String> next = set.joinNext();
            next.map(value -> log.add("next " + value));
            any.map(value -> log.add("any " + value));
            await(iterates);
            delay(20);
            assertThat(log).containsExactly("iterator 0", "any 1", "next 2");
            assertThat(set.joinAll().await()).hasToString("{3=3}");
        });
    }

    @Test
    void iteration_removesEachBeforeTheBodySeesIt() {
        TestRuntime run = TestRuntime.run(() -> {
            var set = new TaskSet<String>(2);
            for (int i = 0; i < 4; i++) set.spawn(after(10 - i, "task " + i));
            set.close();
            for (TaskResult<String> one : set) log.add(one.result() + ", left " + set.size());
            assertThat(log).containsExactly("task 1, left 3", "task 0, left 2", "task 2, left 1", "task 3, left 0");
            assertThat(set.iterator().hasNext()).isFalse();
        });
        assertThat(run.reports()).as("no outcome counts as overlooked").isEmpty();
    }

    @Test
    @Tag("F64")
    void iteratorCancelledWhenItHasBeenWoken_handsItsOutcomeToTheNext() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(10, "a"));
            set.spawn(after(10, "b"));
            List<Coroutine<?>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int n = i;
                readers.add(spawn(() -> {
                    for (TaskResult<String> one : set) log.add(n + " " + one.result());
                }));
            }
            suspend();
            // runs between the end of the tasks and the readers' turn
            spawn(() -> {
                delay(10);
                readers.get(0).cancel();
            });
            delay(11);
            assertThat(log).containsExactly("1 b", "1 a");
            assertThat(set.size()).isZero();
            readers.get(1).cancel();
        });
    }

    @Test
    void closedAndEmptied_joinsFailInsteadOfWaitingForEver() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(10, "only"));
            Future<String> first = set.joinNext();
            Future<String> second = set.joinNext();
            Future<String> any = set.joinAny();
            set.close();
            assertThat(first.await()).isEqualTo("only");
            assertThatThrownBy(second::await)
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("nothing is left");
            assertThatThrownBy(any::await).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("F64")
    void slotBlockedByAFullQueue_isServedWhenOneFrees() {
        TestRuntime.run(() -> {
            var set = TaskSet.<String>builder().concurrency(1).queueLimit(1).build();
            Coroutine<?> producer = spawn(() -> {
                for (int i = 0; i < 10; i++) set.spawn(after(1, "task " + i));
                set.close();
            });
            for (TaskResult<String> one : set) log.add(one.result());
            assertThat(producer.isCompleted()).isTrue();
            assertThat(log).hasSize(10).startsWith("task 0").endsWith("task 9");
        });
    }

    @Test
    void joinAll_concernsTheTasksThatArePresentAndNotTaken() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(20, "0"));
            set.spawn(after(10, "1"));
            Future<Map<Object, String>> all = set.joinAll();
            set.spawn(after(30, "2"));
            assertThat(set.joinNext().await()).isEqualTo("1");
            assertThat(all.await()).hasToString("{0=0}");
            assertThat(set.size()).isEqualTo(1);
        });
    }

    @Test
    void whateverHasSettled_isTakenInThatOrder() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(1, "a"));
            set.spawn(failing(2, "b"));
            set.spawn(after(3, "c"));
            set.spawn(failing(4, "d"));
            delay(10);
            assertThat(set.joinNext().await()).isEqualTo("a");
            assertThatThrownBy(() -> set.joinNext().await()).hasMessage("b");
            Iterator<TaskResult<String>> rest = set.iterator();
            assertThat(rest.next().key()).isEqualTo(2);
            assertThat(rest.next().key()).isEqualTo(3);
        });
    }

    @Test
    void oneThatTakesAnything_comesBeforeALaterOneThatWantsASuccess() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(1, "a"));
            set.spawn(after(2, "b"));
            Future<String> next = set.joinNext();
            Future<String> any = set.joinAny();
            assertThat(next.await()).isEqualTo("a");
            assertThat(any.isCompleted()).isFalse();
            assertThat(any.await()).isEqualTo("b");
        });
    }

    @Test
    void joinAny_isNotServedByALaterTask() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(failing(10, "down"));
            Future<String> any = set.joinAny();
            set.spawn(after(5, "later"));
            assertThatThrownBy(any::await).isInstanceOf(CompositeException.class);
            assertThat(set.joinNext().await()).isEqualTo("later");
            assertThat(set.size()).isZero();
        });
    }

    @Test
    @Tag("F64")
    void iteratorCancelledWhenItHasBeenWoken_putsItsOutcomeBackWhereItWas() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(10, "a"));
            set.spawn(after(10, "b"));
            Coroutine<?> reader = spawn(() -> {
                for (TaskResult<String> one : set) log.add(one.result());
            });
            suspend();
            // runs between the end of the tasks and the reader's turn
            spawn(() -> {
                delay(10);
                reader.cancel();
            });
            delay(11);
            assertThat(reader.isCancelled()).isTrue();
            assertThat(log).isEmpty();
            assertThat(set.size()).isEqualTo(2);
            assertThat(set.results()).hasToString("{0=a, 1=b}");
            assertThat(set.joinNext().await()).isEqualTo("a");
            assertThat(set.joinNext().await()).isEqualTo("b");
        });
    }

    @Test
    void iteratorCancelledWhenNothingIsLeft_goesAsOthersDo() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            Coroutine<?> reader = spawn(() -> {
                for (TaskResult<String> one : set) log.add(one.result());
                log.add("over");
            });
            suspend();
            assertThat(reader.awaitingInfo().getFirst()).startsWith("the next task of TaskSet, 0 running");
            set.close();
            reader.cancel(new AsyncCancellation("stop"));
            assertThatThrownBy(() -> await(reader))
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("stop");
            assertThat(log).isEmpty();
        });
    }

    @Test
    void iteratorThatHasLookedAhead_hasTheOutcomeForItself() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawnWithKey("k", () -> "a");
            set.spawn(after(1, "b"));
            set.spawn(failing(2, "c"));
            delay(5);
            Iterator<TaskResult<String>> first = set.iterator();
            assertThat(first.hasNext()).isTrue();
            assertThat(first.hasNext()).isTrue();
            assertThat(set.size()).as("not handed out yet").isEqualTo(3);
            assertThat(set.results()).hasToString("{0=b}");
            assertThatThrownBy(() -> set.spawnWithKey("k", () -> "x")).isInstanceOf(AsyncException.class);
            assertThat(set.joinAll(true).await()).hasToString("{0=b}");
            Iterator<TaskResult<String>> second = set.iterator();
            assertThat(second.hasNext()).isTrue();
            assertThat(set.errors()).isEmpty();
            assertThat(first.next().key()).isEqualTo("k");
            assertThat(set.spawnWithKey("k", () -> "again").await()).isEqualTo("again");
            assertThat(second.next().error()).hasMessage("c");
        });
    }

    @Test
    void iteratorAtTheEnd_saysThatNothingIsLeft() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(1, "a"));
            set.close();
            Iterator<TaskResult<String>> all = set.iterator();
            assertThat(all.next().result()).isEqualTo("a");
            assertThatThrownBy(all::next)
                    .isInstanceOf(java.util.NoSuchElementException.class)
                    .hasMessageContaining("no task is left in TaskSet");
        });
    }

    @Test
    @Tag("D15")
    void iterationOfWhatHasSettled_leavesTheOthersTheirTurn() {
        TestRuntime.run(() -> {
            var set = new TaskSet<Integer>();
            for (int i = 0; i < 1_000; i++) set.spawn(() -> 1);
            delay(1);
            set.close();
            spawn(() -> log.add("another"));
            int seen = 0;
            for (TaskResult<Integer> one : set) if (log.isEmpty()) seen += one.result();
            assertThat(seen).isBetween(1, 500);
        });
    }

    @Test
    void joinAll_leavesALaterTaskThatHasSettledBefore() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(20, "0"));
            Future<Map<Object, String>> all = set.joinAll();
            set.spawn(after(5, "later"));
            assertThat(all.await()).hasToString("{0=0}");
            assertThat(set.size()).isEqualTo(1);
            assertThat(set.joinNext().await()).isEqualTo("later");
        });
    }

    @Test
    void whoWaitsWhenNothingIsLeft_isTold() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(10, "only"));
            Coroutine<?> first = spawn(() -> log.add(set.joinNext().await()));
            Coroutine<?> second = spawn(() -> {
                assertThatThrownBy(() -> set.joinNext().await()).hasMessageContaining("nothing is left");
                log.add("none");
            });
            Coroutine<?> reader = spawn(() -> {
                for (TaskResult<String> one : set) log.add("not reached " + one);
                log.add("over");
            });
            suspend();
            set.close();
            await(first);
            await(second);
            await(reader);
            assertThat(log).containsExactly("only", "none", "over");
        });
    }

    @Test
    void allIsSetAsideByIterators_nothingIsLeftToJoin() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(1, "a"));
            set.close();
            Iterator<TaskResult<String>> all = set.iterator();
            assertThat(all.hasNext()).isTrue();
            assertThat(set.size()).isEqualTo(1);
            assertThatThrownBy(() -> set.joinNext().await()).hasMessageContaining("nothing is left");
            assertThatThrownBy(() -> set.joinAny().await()).hasMessageContaining("nothing is left");
            assertThat(all.next().result()).isEqualTo("a");
        });
    }

    @Test
    @Tag("F64")
    void iteratorCancelledWhenItHasBeenWoken_handsItsOutcomeToWhoWaits() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawn(after(10, "a"));
            Coroutine<?> reader = spawn(() -> {
                for (TaskResult<String> one : set) log.add("not reached " + one);
            });
            Coroutine<?> waits = spawn(() -> log.add("joined " + set.joinNext().await()));
            suspend();
            // runs between the end of the task and the reader's turn
            spawn(() -> {
                delay(10);
                reader.cancel();
            });
            delay(11);
            assertThat(reader.isCancelled()).isTrue();
            assertThat(waits.isCompleted()).isTrue();
            assertThat(log).containsExactly("joined a");
            assertThat(set.size()).isZero();
        });
    }

    @Test
    @Tag("G1")
    void keysOfWhatWasTaken_areFreeAgain() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            set.spawnWithKey(1, () -> "own");
            set.spawnWithKey("k", () -> "named");
            assertThat(set.joinAll().await()).hasSize(2);
            assertThat(set.spawn(() -> "a").key()).isEqualTo(0);
            assertThat(set.spawn(() -> "b").key()).isEqualTo(1);
            assertThatThrownBy(() -> set.spawnWithKey(1, () -> "x")).isInstanceOf(AsyncException.class);
            assertThat(set.spawnWithKey("k", () -> "c").key()).isEqualTo("k");
        });
    }
}
