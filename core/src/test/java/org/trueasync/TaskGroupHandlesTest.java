package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** The handle of one task: it can be awaited, cancelled and shown as a future by itself. */
class TaskGroupHandlesTest {
    @Test
    void groupsTask_canBeAwaitedByItself() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            String first = group.spawn(() -> "x").await();
            TaskHandle<String> keyed = group.spawnWithKey("k", () -> "y");
            assertThat(keyed.isCompleted()).isFalse();
            assertThat(first + keyed.await() + keyed.await() + keyed.key()).isEqualTo("xyyk");
            TaskHandle<?> none = group.spawn(() -> delay(1));
            await(none);
            TaskHandle<String> failing = group.spawn(() -> {
                throw new IllegalStateException("own");
            });
            assertThatThrownBy(() -> awaitAllOrFail(keyed, failing)).hasMessage("own");
            assertThat(failing.isCompleted() && !failing.isCancelled()).isTrue();
            assertThat(keyed.toCompletableFuture().get()).isEqualTo("y");
        });
    }

    @Test
    @Tag("G6")
    void errorThatAHandleHasShown_isHandled() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            TaskHandle<?> failing = group.spawn(() -> {
                throw new IllegalStateException("seen");
            });
            assertThatThrownBy(failing::await).hasMessage("seen");
            group.close();
        });
    }

    @Test
    @Tag("G6")
    void errorThatAHandleWasTooImpatientFor_isStillTheGroups() {
        assertThatThrownBy(() -> TestRuntime.run(() -> {
                    var group = new TaskGroup<String>();
                    TaskHandle<?> failing = group.spawn(() -> {
                        delay(20);
                        throw new IllegalStateException("not seen");
                    });
                    assertThatThrownBy(() -> failing.await(timeout(5))).isInstanceOf(OperationCanceledException.class);
                    group.close();
                }))
                .hasMessage("not seen");
    }

    @Test
    void groupsTask_canBeCancelledByItself() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            TaskHandle<String> running = group.spawn(() -> {
                delay(1_000);
                return "late";
            });
            TaskHandle<String> waiting = group.spawn(() -> "never");
            TaskHandle<String> last = group.spawn(() -> "last");
            suspend();
            waiting.cancel(new AsyncCancellation("not this one"));
            assertThatThrownBy(waiting::await)
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("not this one");
            assertThat(waiting.isCancelled()).isTrue();
            running.cancel();
            assertThat(last.await()).isEqualTo("last");
            assertThat(running.isCancelled()).isTrue();
            last.cancel();
            assertThat(last.await()).isEqualTo("last");
            assertThat(group.errors()).containsOnlyKeys(0, 1);
        });
    }

    @Test
    void setsHandle_takesNothingOutOfTheSet() {
        TestRuntime.run(() -> {
            var set = new TaskSet<String>();
            TaskHandle<String> handle = set.spawn(() -> "x");
            assertThat(handle.await()).isEqualTo("x");
            assertThat(set.size()).isEqualTo(1);
            assertThat(set.joinNext().await()).isEqualTo("x");
            assertThat(set.size()).isZero();
            assertThat(handle.await()).as("for whoever has the handle").isEqualTo("x");
        });
    }

    @Test
    void allWhoAwaitATask_getItsValue() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            TaskHandle<String> handle = group.spawn(() -> {
                delay(10);
                return "value";
            });
            List<Coroutine<String>> waiters = new ArrayList<>();
            for (int i = 0; i < 3; i++) waiters.add(spawn(() -> handle.await()));
            suspend();
            waiters.getFirst().cancel();
            assertThat(await(waiters.get(1))).isEqualTo("value");
            assertThat(await(waiters.get(2))).isEqualTo("value");
            assertThat(handle.isCompleted()).isTrue();
            assertThat(handle.isCancelled()).isFalse();
        });
    }

    @Test
    @Tag("G6")
    void checkedErrorOfATask_isThrownWithItsCauseEachTime() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            TaskHandle<?> handle = group.spawn(() -> {
                delay(1);
                throw new IOException("gone");
            });
            for (int i = 0; i < 2; i++)
                assertThatThrownBy(handle::await)
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(IOException.class);
            assertThat(handle.isCancelled()).isFalse();
            assertThat(group.errors()).containsOnlyKeys(0);
        });
    }

    @Test
    void tokenOfAHandlesWait_givesOnlyTheWaitUp() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            TaskHandle<String> handle = group.spawn(() -> {
                delay(10);
                return "value";
            });
            assertThatThrownBy(() -> handle.await(timeout(5))).isInstanceOf(OperationCanceledException.class);
            assertThat(handle.isCompleted()).isFalse();
            assertThat(handle.await(timeout(10))).isEqualTo("value");
            assertThat(handle.await(Future.completed(1))).as("it has settled").isEqualTo("value");
        });
    }

    @Test
    void handleAsAFuture_endsAsItsTaskDoes() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            CompletableFuture<String> good = group.spawn(() -> {
                        delay(1);
                        return "value";
                    })
                    .toCompletableFuture();
            CompletableFuture<?> bad = group.spawn(() -> {
                        delay(1);
                        throw new IllegalStateException("boom");
                    })
                    .toCompletableFuture();
            TaskHandle<?> unstarted = group.spawn(() -> delay(1_000));
            CompletableFuture<?> cancelled = unstarted.toCompletableFuture();
            assertThat(good).isNotDone();
            delay(2);
            unstarted.cancel();
            delay(1);
            assertThat(good.get()).isEqualTo("value");
            assertThatThrownBy(bad::get).isInstanceOf(ExecutionException.class).hasRootCauseMessage("boom");
            assertThatThrownBy(cancelled::get)
                    .isInstanceOf(CancellationException.class)
                    .hasRootCauseMessage("task cancelled");
            group.close();
        });
    }

    @Test
    @Tag("G6")
    void handleOfASettledTaskAsAFuture_isDoneAndItsErrorIsHandled() {
        TestRuntime run = TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            TaskHandle<String> good = group.spawn(() -> "value");
            TaskHandle<?> bad = group.spawn(() -> {
                throw new IllegalStateException("boom");
            });
            delay(1);
            assertThat(good.toCompletableFuture()).isCompletedWithValue("value");
            assertThat(bad.toCompletableFuture()).isCompletedExceptionally();
            group.close();
        });
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void limitOfAHandlesWait_isOnlyALimit() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            TaskHandle<String> handle = group.spawn(() -> {
                delay(10);
                return "value";
            });
            assertThatThrownBy(() -> handle.await(Duration.ofMillis(5))).isInstanceOf(OperationCanceledException.class);
            assertThat(handle.await(Duration.ofMillis(20))).isEqualTo("value");
        });
    }

    @Test
    void taskThatIsDropped_makesRoomForTheNextSpawner() {
        TestRuntime.run(() -> {
            var group = TaskGroup.<String>builder().concurrency(1).queueLimit(1).build();
            TaskHandle<?> running = group.spawn(() -> delay(100));
            TaskHandle<String> queued = group.spawn(() -> "never");
            Coroutine<TaskHandle<String>> spawner = spawn(() -> group.spawn(() -> "next"));
            suspend();
            assertThat(spawner.isCompleted()).isFalse();
            queued.cancel();
            TaskHandle<String> next = await(spawner);
            assertThat(running.isCompleted()).isFalse();
            assertThat(next.await()).isEqualTo("next");
            assertThatThrownBy(queued::await).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    void lastTaskOfAClosedGroupIsCancelled_groupIsOver() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>(1);
            TaskHandle<?> running = group.spawn(() -> delay(1_000));
            TaskHandle<?> queued = group.spawn(() -> delay(1_000));
            group.close();
            queued.cancel();
            running.cancel();
            group.awaitCompletion();
            assertThat(group).hasToString("TaskGroup, 0 running, 0 waiting, 2 settled, closed");
        });
    }

    @Test
    @Tag("K1")
    void handleOnAnotherThread_isRefused() {
        TestRuntime.run(() -> {
            var group = new TaskGroup<String>();
            TaskHandle<?> handle = group.spawn(() -> delay(10));
            List<Runnable> calls = List.of(handle::cancel, handle::toCompletableFuture);
            for (Runnable call : calls)
                assertThat(thrownElsewhere(call))
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("called on thread");
            handle.await();
            assertThat(handle.isCancelled()).isFalse();
        });
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

    @Test
    void handle_saysWhichTaskItIsWithoutRunningCodeOfItsKey() {
        record Key() {
            @Override
            public String toString() {
                throw new IllegalStateException("of the key");
            }
        }
        TestRuntime.run(() -> {
            var group = TaskGroup.<String>builder().name("g").build();
            assertThat(group.spawn(() -> "x")).asString().startsWith("task #0 of TaskGroup 'g', 1 running");
            assertThat(group.spawnWithKey("k", () -> "x"))
                    .asString()
                    .startsWith("task 'k' of TaskGroup 'g', 2 running");
            assertThat(group.spawnWithKey(new Key(), () -> "x")).asString().startsWith("task of TaskGroup 'g', 3");
            TaskHandle<?> slow = group.spawn(() -> delay(10));
            Coroutine<?> waiter = spawn(() -> slow.await());
            suspend();
            assertThat(waiter.awaitingInfo().getFirst()).startsWith("task #1 of TaskGroup 'g', 1 running");
        });
    }
}
