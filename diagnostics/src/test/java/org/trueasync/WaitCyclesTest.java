package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.awaitAnyOrFail;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * Coroutines that wait for each other, beside others that could go on, or may: reported once, and left alone. The runs
 * end when their reports have come, by a cancellation.
 */
@Tag("K60")
class WaitCyclesTest {
    private static final Duration SOON = Duration.ofMillis(20);

    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();

    private void run(Body main) {
        new TestRuntime(builder -> builder.deadlockAfter(SOON).diagnostics(reports::add)).start(main);
    }

    private String report() throws InterruptedException {
        String report = reports.poll(10, TimeUnit.SECONDS);
        assertThat(report).as("a report within 10 s").isNotNull();
        return report;
    }

    /** Two that await each other. */
    private static Coroutine<?>[] pair() {
        var pair = new Coroutine<?>[2];
        pair[0] = spawn(() -> {
            suspend();
            await(pair[1]);
        });
        pair[1] = spawn(() -> {
            suspend();
            await(pair[0]);
        });
        return pair;
    }

    private static void end(Coroutine<?>... all) {
        for (Coroutine<?> one : all) one.cancel();
    }

    /** Another thread waits for the report, and nothing in the loop moves meanwhile. */
    private String standsStillUntilReported() {
        return Async.blocking(this::report);
    }

    @Test
    void pairThatAwaitsEachOther_whileAnExecutorIsHeld_isReported() {
        run(() -> {
            Executor executor = executor();
            var pair = pair();
            suspend();
            String report = standsStillUntilReported();
            assertThat(report)
                    .startsWith("2 coroutines wait for each other, and only a cancellation can end that")
                    .contains("#" + pair[0].id() + " spawned WaitCyclesTest.java:")
                    .contains("#" + pair[1].id() + " spawned WaitCyclesTest.java:")
                    .doesNotContain("from a pool")
                    .contains("awaits coroutine #" + pair[0].id(), "awaits coroutine #" + pair[1].id());
            end(pair);
            Reference.reachabilityFence(executor);
        });
        assertThat(reports).as("no second report").isEmpty();
    }

    @Test
    void pairThatAwaitsEachOther_whileOthersGoOn_isReportedOnce() {
        run(() -> {
            var pair = pair();
            String first = null;
            while (first == null) {
                first = reports.poll();
                suspend();
            }
            assertThat(first).startsWith("2 coroutines wait for each other");
            long end = System.nanoTime() + 20 * SOON.toNanos();
            while (System.nanoTime() < end) suspend();
            end(pair);
        });
        assertThat(reports).as("no second report").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 23})
    void manyInACycle_areCountedAndTwentyOfThemShown(int count) {
        run(() -> {
            Executor executor = executor();
            var ring = new Coroutine<?>[count];
            for (int i = 0; i < count; i++) {
                int next = (i + 1) % count;
                ring[i] = spawn("ring-" + i, () -> {
                    suspend();
                    await(ring[next]);
                });
            }
            suspend();
            String report = standsStillUntilReported();
            assertThat(report)
                    .startsWith(count + " coroutines wait for each other")
                    .contains("'ring-0'", "'ring-19'");
            assertThat(report.lines()).hasSize(count > 20 ? 1 + 20 + 1 : 1 + 20);
            if (count > 20) assertThat(report).endsWith("\n  ... and 3 more");
            else assertThat(report).doesNotContain(" more");
            end(ring);
            Reference.reachabilityFence(executor);
        });
    }

    @Test
    void whoeverWaitsForSuchAPair_isReportedAfterIt() {
        run(() -> {
            var pair = pair();
            var third = spawn(() -> {
                awaitAll(List.of(pair[0], pair[1]));
            });
            suspend();
            assertThat(standsStillUntilReported()).startsWith("2 coroutines wait for each other");
            assertThat(standsStillUntilReported())
                    .startsWith("1 coroutine waits for others that wait for each other, and only a cancellation")
                    .contains("#" + third.id() + " spawned");
            end(third, pair[0], pair[1]);
        });
    }

    @Test
    void holderOfAMutexThatAwaitsWhoWantsIt_isReported() {
        run(() -> {
            var mutex = new Mutex();
            var wants = new Coroutine<?>[1];
            var holder = spawn(() -> {
                mutex.lock();
                suspend();
                suspend();
                await(wants[0]);
            });
            wants[0] = spawn(() -> mutex.lock());
            suspend();
            suspend();
            assertThat(standsStillUntilReported())
                    .startsWith("2 coroutines wait for each other")
                    .contains("awaits mutex, held by coroutine #" + holder.id());
            end(holder, wants[0]);
        });
    }

    @Test
    void twoThatWantEachOthersLockOfTheJdk_areReportedWithBothSites() {
        run(() -> {
            var one = new ReentrantLock();
            var two = new ReentrantLock();
            var a = spawn(() -> {
                one.lock();
                suspend();
                two.lockInterruptibly();
            });
            var b = spawn(() -> {
                two.lock();
                suspend();
                one.lockInterruptibly();
            });
            suspend();
            suspend();
            assertThat(standsStillUntilReported())
                    .startsWith("2 coroutines wait for each other, and at most a cancellation can end that")
                    .contains("ReentrantLock.lockInterruptibly, held by coroutine #" + a.id())
                    .contains("ReentrantLock.lockInterruptibly, held by coroutine #" + b.id())
                    .contains("suspended WaitCyclesTest.java:");
            end(a, b);
        });
    }

    @Test
    void memberThatWaitsForItsScopeThroughAnother_isReported() {
        run(() -> {
            var scope = new Scope();
            var outside = new Coroutine<?>[1];
            var member = scope.spawn(() -> {
                suspend();
                suspend();
                await(outside[0]);
            });
            outside[0] = spawn(() -> scope.awaitCompletion());
            suspend();
            suspend();
            assertThat(standsStillUntilReported()).startsWith("2 coroutines wait for each other");
            end(outside[0], member);
        });
    }

    /** Its child waits for a task that gets a slot when it ends itself. */
    @Test
    void taskThatWaitsForItsOwnSlotThroughAChild_isReportedWithTheGroup() {
        run(() -> {
            var executor = executor();
            var group =
                    TaskGroup.<Integer>builder().name("pages").concurrency(1).build();
            var task = group.spawn(() -> {
                spawn(() -> new FutureState<String>().future().await());
                return await(spawn(() -> group.spawn(() -> 7).await()));
            });
            suspend();
            suspend();
            assertThat(standsStillUntilReported())
                    .startsWith("2 coroutines wait for each other")
                    .contains("task #1 of TaskGroup 'pages', 1 running, 1 waiting, 0 settled");
            group.cancel();
            assertThat(task.isCompleted()).isFalse();
            Reference.reachabilityFence(executor);
        });
    }

    /** One of the tasks lends its slot, and will go on; that does not help whoever waits in the other's. */
    @Test
    void taskThatLendsItsSlot_isNobodyWhoCouldFreeOne() {
        run(() -> {
            var executor = executor();
            var group = new TaskGroup<Integer>(1);
            var lives = new FutureState<Integer>();
            var lender = group.spawn(() -> {
                var stuck = group.spawn(() -> awaitsQueuedThroughAChild(group));
                return awaitAnyOrFail(List.of(stuck, lives.future()));
            });
            suspend();
            suspend();
            suspend();
            assertThat(standsStillUntilReported()).startsWith("2 coroutines wait for each other");
            lives.complete(1);
            assertThat(lender.await()).isEqualTo(1);
            group.cancel();
            Reference.reachabilityFence(executor);
        });
    }

    private static int awaitsQueuedThroughAChild(TaskGroup<Integer> group) {
        return await(spawn(() -> group.spawn(() -> 7).await()));
    }

    /** A task of the full group awaits whoever waits for room in it. */
    @Test
    void spawnerThatATaskOfTheFullGroupAwaits_isReported() {
        run(() -> {
            var executor = executor();
            var group = TaskGroup.<Integer>builder()
                    .name("full")
                    .concurrency(1)
                    .queueLimit(1)
                    .build();
            var spawner = new Coroutine<?>[1];
            group.spawn(() -> {
                suspend();
                await(spawner[0]);
            });
            group.spawn(() -> 2);
            spawner[0] = spawn(() -> group.spawn(() -> 3));
            suspend();
            suspend();
            assertThat(standsStillUntilReported())
                    .startsWith("2 coroutines wait for each other")
                    .contains("awaits place in the queue of TaskGroup 'full', 1 running, 1 waiting, 0 settled");
            end(spawner);
            Reference.reachabilityFence(executor);
        });
    }

    private static Pool<Object> pool(String name, int max) {
        return Pool.of(Object::new).name(name).min(0).max(max).build();
    }

    @Test
    @Tag("P6")
    void takersOfAllResourcesThatWaitForMore_areReportedBesideAnExecutor() {
        run(() -> {
            var executor = executor();
            var pool = pool("connections", 2);
            var takers = new Coroutine<?>[2];
            for (int i = 0; i < 2; i++)
                takers[i] = spawn(() -> pool.use(first -> {
                    suspend();
                    return pool.use(second -> first);
                }));
            var behind = spawn(() -> {
                // before the takers wait: a search that found only them would report too early
                return pool.use(late -> late);
            });
            suspend();
            suspend();
            assertThat(standsStillUntilReported())
                    .startsWith("3 coroutines wait for each other, and only a cancellation can end that, or other code"
                            + " that gives back what one of them has taken from a pool;")
                    .contains("acquire from Pool 'connections' (max=2 active=2 idle=0 waiting=3)");
            takers[0].cancel();
            await(takers[1]);
            await(behind);
            pool.close();
            Reference.reachabilityFence(executor);
        });
    }

    /** Crosswise between two pools. */
    @Test
    void takersOfTwoPools_areReported() {
        run(() -> {
            var executor = executor();
            var left = pool("left", 1);
            var right = pool("right", 1);
            var one = spawn(() -> left.use(first -> {
                suspend();
                return right.use(second -> first);
            }));
            var other = spawn(() -> right.use(first -> {
                suspend();
                return left.use(second -> first);
            }));
            suspend();
            suspend();
            assertThat(standsStillUntilReported()).startsWith("2 coroutines wait for each other");
            end(one);
            await(other);
            left.close();
            right.close();
            Reference.reachabilityFence(executor);
        });
    }

    /** A taker that lives, one that has ended, a hook that has a resource, and a token: each speaks against it. */
    @Test
    void poolThatMayStillServe_isNotReported() {
        run(() -> {
            var busy = pool("busy", 2);
            var lent = pool("lent", 1);
            var limited = pool("limited", 1);
            var open = new FutureState<Boolean>();
            var hooked = Pool.of(Object::new)
                    .max(2)
                    .beforeRelease(r -> open.future().await())
                    .build();
            var inHook = spawn(() -> hooked.release(hooked.acquire()));
            var token = new FutureState<String>().future();
            Object resource = await(spawn(() -> lent.acquire()));
            var lives = spawn(
                    () -> busy.use(first -> new FutureState<String>().future().await()));
            var waits = new Coroutine<?>[] {
                spawn(() -> busy.use(first -> busy.use(second -> second))),
                spawn(() -> lent.acquire()),
                spawn(() -> hooked.use(first -> hooked.use(second -> second))),
                spawn(() -> limited.use(first -> limited.acquire(token)))
            };
            suspend();
            suspend();
            @Nullable String report = Async.blocking(() -> reports.poll(25 * SOON.toMillis(), TimeUnit.MILLISECONDS));
            assertThat(report).isNull();
            end(lives);
            end(waits);
            lent.release(resource);
            open.complete(true);
            await(inHook);
            suspend();
            for (Pool<?> pool : List.of(busy, lent, limited, hooked)) pool.close();
        });
    }

    /** What anybody could end is no closed wait: a channel, a future, a semaphore, a timer, a token. */
    @Test
    void waitsThatAnybodyCouldEnd_areNotReported() {
        run(() -> {
            var channel = new Channel<String>();
            var semaphore = new Semaphore(1);
            var other = new Coroutine<?>[1];
            var receiver = spawn(() -> channel.receive());
            var behind = spawn(() -> await(receiver));
            var holder = spawn(() -> {
                semaphore.acquire();
                suspend();
                await(other[0]);
            });
            other[0] = spawn(() -> semaphore.acquire());
            var patient = pairWithAToken();
            suspend();
            suspend();
            @Nullable String report = Async.blocking(() -> reports.poll(25 * SOON.toMillis(), TimeUnit.MILLISECONDS));
            assertThat(report).isNull();
            end(receiver, behind, holder, other[0], patient[0], patient[1]);
        });
    }

    /** One of the two would give up by itself. */
    private static Coroutine<?>[] pairWithAToken() {
        var pair = new Coroutine<?>[2];
        var state = new FutureState<String>();
        pair[0] = spawn(() -> {
            suspend();
            await(pair[1], state.future());
        });
        pair[1] = spawn(() -> {
            suspend();
            await(pair[0]);
        });
        return pair;
    }

    @Test
    void memberThatCanGoOn_keepsItAll() {
        run(() -> {
            var lives = spawn(() -> new Channel<String>().receive());
            var waits = spawn(() -> awaitAll(List.of(lives)));
            var behind = spawn(() -> await(waits));
            suspend();
            @Nullable String report = Async.blocking(() -> reports.poll(15 * SOON.toMillis(), TimeUnit.MILLISECONDS));
            assertThat(report).isNull();
            end(lives, waits, behind);
        });
    }
}
