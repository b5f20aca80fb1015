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
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Task groups: what sets promise too, the three futures, and iteration. */
final class TaskGroupTest extends GroupedTasksEndTest {
    @Override
    TaskGroup.Builder<String> builder() {
        return TaskGroup.builder();
    }

    @Override
    TaskGroup<String> tasks(int concurrency) {
        return new TaskGroup<>(concurrency);
    }

    @Override
    void onFinally(GroupedTasks<String> tasks, Consumer<GroupedTasks<String>> callback) {
        ((TaskGroup<String>) tasks).onFinally(callback);
    }

    // ---- G4, G5

    @Test
    @Tag("G4")
    void all_givesValuesInKeyOrderWhateverTheOrderOfSettling() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            assertThat(group.all().isCompleted()).isTrue();
            assertThat(group.all().await()).isEmpty();
            group.spawnWithKey("slow", logged(20, "1"));
            group.spawnWithKey("quick", logged(10, "2"));
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
            group.spawn(logged(30, "value"));
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
            group.spawn(logged(20, "slow"));
            group.spawn(logged(10, "quick"));
            assertThat(group.race().await()).isEqualTo("quick");
            assertThat(group.isFinished()).isFalse();
            group.all().await();
            assertThat(log).containsExactly("quick", "slow");
            var fails = new TaskGroup<String>();
            fails.spawn(logged(20, "slow"));
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
            group.spawn(logged(20, "slow"));
            group.spawn(logged(10, "up"));
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
            group.spawn(logged(5, "position 1"));
            group.spawn(logged(1, "position 2"));
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
            group.spawn(logged(20, "early"));
            Future<Map<Object, String>> all = group.all();
            Future<String> race = group.race();
            Future<String> any = group.any();
            group.spawn(logged(5, "late and quick"));
            group.spawn(logged(50, "late and slow"));
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
            group.spawn(logged(20, "value"));
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

    @Test
    @Tag("G5")
    @Tag("G8")
    void cancel_answersTheQuestions() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            group.spawn(after(1_000, "running"));
            group.spawn(after(1_000, "queued"));
            Future<Map<Object, String>> all = group.all();
            suspend();
            group.cancel(new AsyncCancellation("enough"));
            assertThatThrownBy(all::await)
                    .isInstanceOfSatisfying(CompositeException.class, e -> assertThat(e.exceptions())
                            .hasSize(2)
                            .allMatch(x -> x instanceof AsyncCancellation
                                    && x.getMessage().equals("enough")));
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
            group.spawn(logged(20, "a"));
            group.spawn(logged(10, "b"));
            group.spawn(failing(5, "c"));
            delay(50);
            assertThat(log).containsExactly("b", "saw 1 b", "saw 2 null", "a", "saw 0 a");
            group.spawn(logged(5, "d"));
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
            group.spawn(logged(20, "a"));
            Coroutine<?> reader = spawn(() -> {
                for (TaskResult<String> one : group) log.add("not reached " + one);
            });
            suspend();
            reader.cancel();
            assertThat(group.all().await()).hasSize(1);
            assertThat(log).containsExactly("a");
        });
    }

    // ---- size, places

    @Test
    @Tag("deep")
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
