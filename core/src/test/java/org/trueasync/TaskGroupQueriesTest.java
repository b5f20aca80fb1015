package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.future.FutureAccess;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** What a group answers: the maps of outcomes, the queries that wait, and the iterators. */
class TaskGroupQueriesTest {
    private final List<String> log = new ArrayList<>();

    private static Callable<String> after(long millis, String value) {
        return () -> {
            delay(millis);
            return value;
        };
    }

    private static Callable<String> failing(long millis, String message) {
        return () -> {
            delay(millis);
            throw new IllegalStateException(message);
        };
    }

    @Test
    @Tag("G4")
    void outcomes_areAMapLikeAnyOther() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawnWithKey("b", () -> "1");
            group.spawnWithKey("a", () -> null);
            Map<Object, String> all = group.all().await();
            Map<Object, String> plain = new HashMap<>();
            plain.put("a", null);
            plain.put("b", "1");
            assertThat(all).isEqualTo(plain).hasSameHashCodeAs(plain);
            assertThat(plain).isEqualTo(all);
            assertThat(all.entrySet()).hasSize(2);
            assertThat(all.keySet()).contains("a").doesNotContain("c").hasSize(2);
            for (int i = 0; i < 2; i++) {
                assertThat(all.containsKey("b")).isTrue();
                assertThat(all.containsKey("c")).isFalse();
                assertThat(all.get("b")).isEqualTo("1");
                assertThat(all.get("c")).isNull();
            }
            assertThat(all.containsKey(null)).isFalse();
            assertThat(all.get(null)).isNull();
            Iterator<?> entries = all.entrySet().iterator();
            entries.next();
            assertThatThrownBy(entries::remove).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(all::clear).isInstanceOf(UnsupportedOperationException.class);
            assertThat(all).hasSize(2);
        });
    }

    @Test
    @Tag("G5")
    void queriesThatWait_areAnsweredByTheTasksThatWereThere() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(failing(30, "first"));
            Future<String> raceOfOne = group.race();
            Future<String> anyOfOne = group.any();
            group.spawn(after(20, "second"));
            Future<String> raceOfTwo = group.race();
            Future<String> anyOfTwo = group.any();
            group.spawn(after(10, "third"));
            delay(15);
            assertThat(raceOfTwo.isCompleted()).as("the third came later").isFalse();
            assertThat(anyOfTwo.isCompleted()).isFalse();
            assertThat(group.race().await()).isEqualTo("third");
            delay(10);
            assertThat(raceOfTwo.await()).isEqualTo("second");
            assertThat(anyOfTwo.await()).isEqualTo("second");
            assertThat(raceOfOne.isCompleted()).isFalse();
            assertThat(group.any().await()).as("the smallest position so far").isEqualTo("second");
            delay(10);
            assertThatThrownBy(raceOfOne::await).hasMessage("first");
            assertThatThrownBy(anyOfOne::await).isInstanceOf(CompositeException.class);
        });
    }

    @Test
    void waitForAnAnswer_saysWhatItIsFor() {
        TestRuntime.run(() -> {
            var group = TaskGroup.<String>builder().name("g").build();
            group.spawn(after(10, "x"));
            List<Coroutine<?>> waiters = List.of(
                    spawn(() -> group.all().await()),
                    spawn(() -> group.all(true).await()),
                    spawn(() -> group.race().await()),
                    spawn(() -> group.any().await()),
                    spawn(() -> group.iterator().hasNext()));
            suspend();
            String state = " of TaskGroup 'g', 1 running, 0 waiting, 0 settled";
            List<String> waits = List.of(
                    "all of the tasks" + state + " (",
                    "all of the tasks" + state + " (",
                    "the next task" + state + " (",
                    "the next success" + state + " (",
                    "the next task" + state);
            for (int i = 0; i < waits.size(); i++)
                assertThat(waiters.get(i).awaitingInfo())
                        .singleElement()
                        .asString()
                        .startsWith(waits.get(i));
            waiters.forEach(Async::await);
        });
    }

    @Test
    @Tag("G5")
    void abandonedQuery_isForgottenWithItsHandle() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(after(1_000, "x"));
            WeakReference<Object> query = abandonedQuery(group);
            for (int i = 0; i < 50 && !query.refersTo(null); i++) {
                Garbage.collect();
                group.race();
            }
            assertThat(query.refersTo(null)).isTrue();
            group.cancel();
        });
    }

    private static WeakReference<Object> abandonedQuery(TaskGroup<String> group) {
        return new WeakReference<>(queryWithoutHandle(group));
    }

    private static Event queryWithoutHandle(TaskGroup<String> group) {
        Future<String> race = group.race();
        assertThatThrownBy(() -> race.await(timeout(1))).isInstanceOf(OperationCanceledException.class);
        return FutureAccess.coreOf(race);
    }

    @Test
    @Tag("G5")
    void queryThatSomebodyWaitsForAgain_isAnsweredAlsoWithoutItsHandle() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(after(1_000, "x"));
            Coroutine<Object> waiter = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(queryWithoutHandle(group), ResumeCallback.RESOLVE);
                return waker.await();
            });
            delay(5);
            for (int i = 0; i < 3; i++) {
                Garbage.collect();
                group.race();
            }
            assertThat(await(waiter)).isEqualTo("x");
        });
    }

    @Test
    @Tag("G7")
    void iteratorAtTheEnd_saysThatNothingIsLeft() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            group.spawn(() -> "x");
            group.close();
            Iterator<TaskResult<String>> all = group.iterator();
            assertThat(all.next().result()).isEqualTo("x");
            assertThat(all.hasNext()).isFalse();
            assertThatThrownBy(all::next)
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("no task is left in TaskGroup");
        });
    }

    @Test
    @Tag("G7")
    void severalIterators_seeTheSame() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            for (int reader = 0; reader < 2; reader++) {
                int number = reader;
                spawn(() -> {
                    for (TaskResult<String> one : group) log.add(number + " " + one.key());
                });
            }
            group.spawn(after(20, "x"));
            group.spawn(failing(10, "y"));
            group.spawn(after(10, "z"));
            group.close();
            group.awaitCompletion();
            delay(1);
        });
        assertThat(log).containsExactly("0 1", "0 2", "1 1", "1 2", "0 0", "1 0");
    }

    @Test
    @Tag("G7")
    @Tag("D15")
    void iterationOfWhatHasSettled_leavesTheOthersTheirTurn() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<Integer>();
            for (int i = 0; i < 1_000; i++) group.spawn(() -> 1);
            delay(1);
            group.close();
            spawn(() -> log.add("another"));
            int seen = 0;
            for (TaskResult<Integer> one : group) if (log.isEmpty()) seen += one.result();
            assertThat(seen).isBetween(1, 500);
        });
    }
}
