package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** A task that waits for others of its own group takes no slot meanwhile: they may be in the queue. */
@Tag("G2")
class LentSlotsTest {
    private final List<String> log = new ArrayList<>();
    private int busy;
    private int mostBusy;

    /** Does something for a while, in one of the group's slots. */
    private <T> T work(T value) {
        mostBusy = Math.max(mostBusy, ++busy);
        delay(1);
        busy--;
        return value;
    }

    private Callable<String> logged(String name) {
        return logged(name, 10);
    }

    private Callable<String> logged(String name, long millis) {
        return () -> {
            log.add(name + " begins");
            delay(millis);
            log.add(name + " ends");
            return name;
        };
    }

    /** Once the tasks have spawned what they will. */
    private static void endOf(TaskGroup<?> group) {
        delay(1);
        group.close();
        group.awaitCompletion();
    }

    @Test
    void taskThatAwaitsAQueuedTaskOfItsGroup_getsItsValue() {
        TestRuntime.run(() -> {
            var executor = executor();
            var group = new TaskGroup<Integer>(1);
            var outer = group.spawn(() -> group.spawn(() -> 7).await() + 1);
            assertThat(await(outer)).isEqualTo(8);
            Reference.reachabilityFence(executor);
        });
    }

    private int sum(TaskGroup<Integer> group, int from, int to) {
        if (to - from == 1) return work(from);
        int middle = (from + to) / 2;
        var left = group.spawn(() -> sum(group, from, middle));
        var right = group.spawn(() -> sum(group, middle, to));
        int both = 0;
        for (Integer part : awaitAllOrFail(left, right)) both += part;
        return work(both);
    }

    @Test
    void tasksThatDivideTheirWork_endAndKeepTheLimit() {
        for (int limit = 1; limit <= 3; limit++) {
            int concurrency = limit;
            mostBusy = 0;
            TestRuntime.run(() -> {
                var group = new TaskGroup<Integer>(concurrency);
                assertThat(group.spawn(() -> sum(group, 0, 64)).await()).isEqualTo(64 * 63 / 2);
            });
            assertThat(mostBusy).as("busy with a limit of " + limit).isEqualTo(concurrency);
        }
    }

    @Test
    void lentSlot_goesToTheQueueInItsOrderAndComesBack() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            group.spawn(() -> {
                var awaited = group.spawn(logged("awaited"));
                group.spawn(logged("last"));
                log.add("waits");
                awaited.await();
                log.add("goes on");
                delay(10);
                log.add("parent ends");
                return "";
            });
            group.spawn(logged("first"));
            endOf(group);
        });
        assertThat(log)
                .containsExactly(
                        "waits",
                        "first begins",
                        "first ends",
                        "awaited begins",
                        "awaited ends",
                        "goes on",
                        "parent ends",
                        "last begins",
                        "last ends");
    }

    @Test
    void waitThatIsGivenUp_exceedsTheLimitUntilOneHasEnded() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            group.spawn(() -> {
                var slow = group.spawn(logged("slow"));
                group.spawn(logged("last"));
                assertThatThrownBy(() -> slow.await(Duration.ofMillis(2)))
                        .isInstanceOf(OperationCanceledException.class);
                log.add("goes on");
                delay(20);
                log.add("parent ends");
                return "";
            });
            endOf(group);
        });
        assertThat(log)
                .containsExactly("slow begins", "goes on", "slow ends", "parent ends", "last begins", "last ends");
    }

    @Test
    void waiterThatIsCancelled_hasItsSlotAgain() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            var parent = group.spawn(() -> {
                var awaited = group.spawn(logged("awaited"));
                group.spawn(logged("last"));
                try {
                    return awaited.await();
                } finally {
                    log.add("leaves");
                    Async.protect(() -> delay(20));
                    log.add("left");
                }
            });
            delay(1);
            parent.cancel();
            endOf(group);
        });
        assertThat(log).containsExactly("awaited begins", "leaves", "awaited ends", "left", "last begins", "last ends");
    }

    @Test
    void racesAndIteratorsInsideTheGroup_lendTheSlotToo() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            assertThat(group.spawn(() -> {
                                group.spawn(() -> "child");
                                return group.race().await();
                            })
                            .await())
                    .isEqualTo("child");
            var iterated = new TaskGroup<String>(1);
            assertThat(iterated.spawn(() -> {
                                iterated.spawn(() -> "child");
                                return iterated.iterator().next().result();
                            })
                            .await())
                    .isEqualTo("child");
        });
    }

    @Test
    void whatAnotherBringsLater_canBeTakenByATaskOfTheSet() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>(1);
            var taker = set.spawn(
                    () -> set.joinNext().await() + set.iterator().next().result());
            suspend();
            set.spawn(() -> "a");
            set.spawn(() -> "b");
            assertThat(taker.await()).isEqualTo("ab");
        });
    }

    @Test
    void futureOfAHandle_isNoWaitAndLendsNothing() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            group.spawn(() -> {
                var future = group.spawn(logged("child")).toCompletableFuture();
                delay(5);
                log.add("parent ends " + future.isDone());
                return "";
            });
            endOf(group);
        });
        assertThat(log).containsExactly("parent ends false", "child begins", "child ends");
    }

    @Test
    void waitForAnotherGroup_lendsNothing() {
        TestRuntime.run(() -> {
            var other = new TaskGroup<String>(1);
            var group = new TaskGroup<String>(1);
            group.spawn(() -> {
                group.spawn(logged("child"));
                other.spawn(logged("other")).await();
                log.add("parent ends");
                return "";
            });
            endOf(group);
        });
        assertThat(log).containsExactly("other begins", "other ends", "parent ends", "child begins", "child ends");
    }

    @Test
    void waitForATaskThatRuns_lendsTheSlotToo() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(2);
            var running = group.spawn(logged("running"));
            group.spawn(() -> {
                group.spawn(logged("child", 20));
                running.await();
                log.add("goes on");
                return "";
            });
            endOf(group);
        });
        assertThat(log).containsExactly("running begins", "child begins", "running ends", "goes on", "child ends");
    }

    @Test
    void emptyQueue_doesNotLetTheWaiterCountForEver() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            var parent = group.spawn(() -> {
                for (int i = 0; i < 3; i++) group.spawn(() -> work("child")).await();
                return work("parent");
            });
            var outside = spawn(() -> {
                for (int i = 0; i < 5; i++) group.spawn(() -> work("outside"));
            });
            assertThat(parent.await()).isEqualTo("parent");
            await(outside);
            endOf(group);
            assertThat(mostBusy).isEqualTo(1);
        });
    }
}
