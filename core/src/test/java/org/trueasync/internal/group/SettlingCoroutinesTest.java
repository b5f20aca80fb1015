package org.trueasync.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.testkit.TestRuntime;

/** Who must run for tasks of a group to settle: what the search for closed circles of waits is told. */
@Tag("K60")
class SettlingCoroutinesTest {
    /** Of the tasks that have begun, in this order. */
    private final List<Coroutine<?>> begun = new ArrayList<>();

    private static GroupCore group(int concurrency) {
        return GroupCore.create("test", GroupSettings.of("TaskGroup", null, concurrency, 0), null, false);
    }

    /** A task that runs for so long. */
    private Callable<Object> runs(long millis) {
        return () -> {
            begun.add(currentCoroutine());
            delay(millis);
            return "";
        };
    }

    private static TaskEvent<Object> add(GroupCore group, Callable<?> task) {
        return group.spawn(null, task);
    }

    /** The coroutines, or null if nothing is to be concluded. */
    private static @Nullable List<Coroutine<?>> producers(WaitForNode node) {
        var by = new ArrayList<Coroutine<?>>();
        return node.addProducers(by) ? by.stream().distinct().toList() : null;
    }

    private static WaitForNode all(GroupCore group) {
        return (WaitForNode) group.queries().<Object>all(false, future -> future);
    }

    @Test
    void task_settlesByItsOwnCoroutineUntilItHasSettled() {
        TestRuntime.run(() -> {
            var group = group(0);
            var task = add(group, runs(10));
            add(group, runs(10));
            suspend();
            assertThat(producers(task)).containsExactly(begun.getFirst());
            delay(20);
            assertThat(producers(task)).isNull();
        });
    }

    @Test
    void taskInTheQueue_needsOneOfThoseWithASlot() {
        TestRuntime.run(() -> {
            var group = group(2);
            add(group, runs(10));
            add(group, runs(20));
            var queued = add(group, runs(10));
            add(group, runs(10));
            suspend();
            assertThat(begun).hasSize(2);
            assertThat(producers(queued)).isEqualTo(begun);
            delay(15);
            assertThat(producers(queued)).as("runs itself").containsExactly(begun.get(2));
        });
    }

    @Test
    void taskThatLendsItsSlot_hasNoneToGive() {
        TestRuntime.run(() -> {
            var group = group(1);
            add(group, () -> add(group, runs(10)).await());
            suspend();
            suspend();
            assertThat(begun).as("the lender waits, what it awaits runs").hasSize(1);
            var queued = add(group, runs(10));
            assertThat(producers(queued)).isEqualTo(begun);
            delay(100);
        });
    }

    @Test
    void question_isAboutTheTasksThatWereThere() {
        TestRuntime.run(() -> {
            var group = group(0);
            add(group, runs(1));
            add(group, runs(20));
            add(group, runs(20));
            WaitForNode asked = all(group);
            delay(5);
            assertThat(producers(asked)).isEqualTo(begun.subList(1, 3));
            add(group, runs(20));
            suspend();
            assertThat(producers(asked)).as("a later task changes nothing").isEqualTo(begun.subList(1, 3));
        });
    }

    @Test
    void questionAboutQueuedTasks_needsThoseWithASlot() {
        TestRuntime.run(() -> {
            var group = group(1);
            add(group, runs(10));
            add(group, runs(10));
            WaitForNode asked = all(group);
            suspend();
            assertThat(producers(asked)).isEqualTo(begun);
        });
    }

    @Test
    void whatAnyTaskBrings_isOpenWhileAnotherCouldBeAddedAndBegin() {
        TestRuntime.run(() -> {
            var group = group(2);
            add(group, runs(10));
            suspend();
            assertThat(producers(group.progress)).isNull();
            add(group, runs(20));
            suspend();
            assertThat(producers(group.progress)).as("no slot is free").isEqualTo(begun);
            delay(15);
            assertThat(producers(group.progress)).isNull();
            group.close();
            assertThat(producers(group.progress)).as("closed").containsExactly(begun.get(1));
        });
    }

    @Test
    void nothingIsConcludedWhereNothingRuns() {
        TestRuntime.run(() -> {
            var group = group(1);
            add(group, runs(1));
            suspend();
            group.close();
            delay(5);
            assertThat(producers(group.progress)).isNull();
        });
    }

    @Test
    void moreThanAThousandTasks_areNotReasonedAbout() {
        TestRuntime.run(() -> {
            var wide = group(0);
            for (int i = 0; i < 1_000; i++) add(wide, runs(10));
            WaitForNode asked = all(wide);
            suspend();
            assertThat(producers(asked)).hasSize(1_000);
            add(wide, runs(10));
            WaitForNode more = all(wide);
            suspend();
            assertThat(producers(more)).isNull();
            assertThat(producers(asked)).hasSize(1_000);
        });
    }

    @Test
    void longerQueuesThanAThousand_areNotReasonedAbout() {
        TestRuntime.run(() -> {
            var narrow = group(1);
            add(narrow, runs(10));
            var queued = add(narrow, runs(1));
            for (int i = 2; i < 1_000; i++) add(narrow, runs(1));
            suspend();
            assertThat(producers(queued)).isEqualTo(begun);
            var last = add(narrow, runs(1));
            assertThat(producers(queued)).isNull();
            assertThat(producers(last)).isNull();
            narrow.cancel(new org.trueasync.AsyncCancellation("enough"));
        });
    }
}
