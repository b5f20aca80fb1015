package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.awaitAnyOrFail;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.iterate;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * Waits that nothing but the waiting coroutines themselves could end, while others live: refused, or reported at once.
 */
@Tag("D28")
class WaitRingsTest {
    private static final String EACH_OTHER = " coroutines wait for each other, and only a cancellation can end that";

    // ---- oneself

    private static void isRefused(Body wait) {
        assertThatThrownBy(wait::run)
                .isInstanceOf(AsyncException.class)
                .hasMessageStartingWith(
                        "coroutine " + "#" + currentCoroutine().id() + " would wait for itself: it awaits ")
                .hasMessageEndingWith(
                        ", which can't come before its own end; leave that wait out, or make it in another coroutine");
    }

    @Test
    @Tag("K60")
    void waitForOneself_isRefusedAndHurtsNobody() {
        var runtime = TestRuntime.run(() -> {
            Coroutine<?> self = currentCoroutine();
            Coroutine<?> other = spawn(() -> delay(100));
            isRefused(() -> await(self));
            isRefused(self::await);
            isRefused(() -> awaitAll(List.of(self)));
            isRefused(() -> awaitAll(List.of(other, self)));
            isRefused(() -> awaitAnyOrFail(List.of(self)));
            isRefused(() -> withTimeout(Duration.ofSeconds(1), () -> await(self)));
            assertThat(await(spawn(() -> "the next wait"))).isEqualTo("the next wait");
            await(other);
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void taskThatWaitsForAllOfItsGroup_isRefused() {
        TestRuntime.run(() -> {
            for (int limit : new int[] {0, 1, 2}) {
                var group = new TaskGroup<Object>(limit);
                var set = new TaskSet<Object>(limit);
                var handle = new TaskHandle<?>[1];
                handle[0] = group.spawn(() -> {
                    group.spawn(() -> "other");
                    isRefused(() -> group.all().await());
                    isRefused(() -> handle[0].await());
                    return "done";
                });
                assertThat(handle[0].await()).isEqualTo("done");
                var inSet = set.spawn(() -> {
                    set.spawn(() -> "other");
                    isRefused(() -> set.joinAll().await());
                    return "done";
                });
                assertThat(inSet.await()).isEqualTo("done");
                group.close();
                set.close();
            }
        });
    }

    /** Others, a token or a later failure could end these. */
    @Test
    void waitThatOthersMayEnd_isNotRefused() {
        var runtime = TestRuntime.run(() -> {
            Coroutine<?> self = currentCoroutine();
            Coroutine<String> other = spawn(() -> {
                delay(50);
                return "other";
            });
            assertThatThrownBy(() -> await(self, timeout(5))).isInstanceOf(OperationCanceledException.class);
            assertThat(await(other, self)).as("itself as the token").isEqualTo("other");
            assertThat(Async.<Object>awaitAnyOrFail(List.of(self, spawn(() -> "first"))))
                    .isEqualTo("first");
            assertThatThrownBy(() -> Async.<Object>awaitAllOrFail(List.of(self, spawn(() -> {
                        throw new IllegalStateException("fails");
                    }))))
                    .hasMessage("fails");
            var group = new TaskGroup<Object>();
            group.spawn(() -> "before");
            var before = group.all();
            assertThat(await(group.spawn(() -> before.await()))).isEqualTo(java.util.Map.of(0, "before"));
        });
        assertThat(runtime.reports()).isEmpty();
    }

    // ---- rings

    /** Runs it beside a coroutine that lives for a minute; returns what was reported in the first second. */
    private static List<String> reportsOf(Body rings) {
        var runtime = new TestRuntime();
        var early = new java.util.ArrayList<String>();
        runtime.start(() -> {
            Coroutine<?> lives = spawn(() -> delay(60_000));
            try (var scope = new Scope()) {
                scope.spawn(rings);
                delay(500);
                early.addAll(runtime.reports());
                delay(20_000);
                assertThat(runtime.reports()).as("no second report").hasSameSizeAs(early);
            }
            lives.cancel();
        });
        return early;
    }

    /** So many, of which each awaits the next. */
    private static Coroutine<?>[] ring(int count) {
        var ring = new Coroutine<?>[count];
        for (int i = 0; i < count; i++) {
            int next = (i + 1) % count;
            ring[i] = spawn(() -> {
                suspend();
                await(ring[next]);
            });
        }
        return ring;
    }

    @Test
    @Tag("K60")
    void ringOfAwaits_isReportedAtOnceThoughOthersLive() {
        for (int count : new int[] {2, 3, 30, 900}) {
            assertThat(reportsOf(() -> ring(count))).singleElement().satisfies(report -> {
                assertThat(report).startsWith(count + EACH_OTHER);
                assertThat(report.lines().skip(1).limit(20)).allSatisfy(line -> assertThat(line)
                        .matches("  #\\d+ spawned WaitRingsTest.java:\\d+, suspended WaitRingsTest.java:\\d+, awaits"
                                + " coroutine #\\d+ spawned .*"));
            });
        }
    }

    @Test
    void ringsThatCloseTogether_areOneReport() {
        assertThat(reportsOf(() -> {
                    ring(2);
                    ring(3);
                    ring(4);
                }))
                .singleElement()
                .asString()
                .startsWith(9 + EACH_OTHER);
    }

    /** Each kind of wait that lasts until certain coroutines have ended. */
    @Test
    void ringThroughOtherWaits_isReportedAtOnce() {
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    awaitAll(List.of(spawn(() -> await(self)), spawn(() -> delay(300))));
                }))
                .as("awaitAll")
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    var scope = Scope.inherit();
                    scope.spawn(() -> delay(300));
                    scope.spawn(() -> await(self));
                    scope.awaitCompletion();
                }))
                .as("a scope")
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    var group = new TaskGroup<Object>(2);
                    group.spawn(() -> await(self));
                    group.spawn(() -> 1);
                    group.all().await();
                }))
                .as("all of a group")
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    var group = new TaskGroup<Object>();
                    group.spawn(() -> await(self));
                    group.close();
                    group.awaitCompletion();
                }))
                .as("the end of a group")
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    new TaskGroup<Object>().spawn(() -> await(self)).await();
                }))
                .as("a task's handle")
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    iterate(List.of(1, 2), item -> {
                        if (item == 2) await(self);
                        return true;
                    });
                }))
                .as("iterate")
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
        assertThat(reportsOf(() -> {
                    var mutex = new Mutex();
                    mutex.lock();
                    Coroutine<?> wants = spawn(() -> mutex.lock());
                    suspend();
                    await(wants);
                }))
                .as("a mutex")
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
    }

    @Test
    void ringThatTimeOrATokenMayOpen_isNotReported() {
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    var other = spawn(() -> await(self, timeout(10_000)));
                    suspend();
                    try {
                        await(other);
                    } catch (OperationCanceledException opened) {
                        // by the other one's token
                    }
                }))
                .as("a token")
                .isEmpty();
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    var other = spawn(() -> await(self));
                    suspend();
                    assertThatThrownBy(() -> withTimeout(Duration.ofSeconds(10), () -> await(other)))
                            .isInstanceOf(AsyncTimeoutException.class);
                }))
                .as("a section's limit")
                .isEmpty();
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    var scope = Scope.inherit();
                    var other = scope.spawn(() -> await(self));
                    scope.disposeAfterTimeout(Duration.ofSeconds(10));
                    suspend();
                    assertThatThrownBy(() -> await(other)).isInstanceOf(AsyncCancellation.class);
                }))
                .as("the time of a scope")
                .isEmpty();
    }

    /** The limit is not delivered inside of a protected section. */
    @Test
    void limitThatAProtectedSectionDefers_opensNoRing() {
        assertThat(reportsOf(() -> {
                    Coroutine<?> self = currentCoroutine();
                    var other = spawn(() -> await(self));
                    suspend();
                    withTimeout(Duration.ofMinutes(9), () -> Async.protect(() -> await(other)));
                }))
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
    }

    @Test
    void ringThatIsCancelledAtOnce_isNotReported() {
        assertThat(reportsOf(() -> {
                    var pair = ring(2);
                    delay(50);
                    pair[0].cancel();
                }))
                .isEmpty();
    }

    /** The wait of the third one leads into the ring, and must not be followed round and round. */
    @Test
    void whoAwaitsAMemberOfARing_isNotPartOfIt() {
        assertThat(reportsOf(() -> {
                    var pair = ring(2);
                    delay(5);
                    spawn(() -> await(pair[0]));
                }))
                .singleElement()
                .asString()
                .startsWith(2 + EACH_OTHER);
    }

    @Test
    void runInWhichNobodyElseLives_isADeadlockAndNoMore() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> ring(3));
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasMessageContaining("3 coroutines");
        assertThat(runtime.reports()).singleElement().asString().startsWith("Deadlock: 3 coroutines wait");
    }

    // ---- what it costs

    @Test
    @Tag("K24")
    void waitForAWaitingCoroutine_costsNoMoreSwitches() {
        TestRuntime.run(() -> {
            Coroutine<?> inner = spawn(() -> delay(20));
            Coroutine<?> outer = spawn(() -> await(inner));
            suspend();
            RuntimeStats stats = TestRuntime.counting(() -> await(outer));
            assertThat(stats.directSwitches() + stats.schedulerSwitches()).isEqualTo(3);
            assertThat(stats.contextsCreated() + stats.spawned()).isZero();
        });
    }
}
