package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.Threads;

class ThreadPoolTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    /** A task that has begun waits here until the test lets it go. */
    private static final class Stop {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);

        String hold(String value) throws InterruptedException {
            begun.countDown();
            go.await();
            return value;
        }
    }

    // ---- T20

    @Test
    @Tag("T20")
    void badSizes_areRefused() {
        Threads.run(() -> {
            assertThatThrownBy(() -> new ThreadPool(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> ThreadPool.builder().queueSize(-2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-2");
            assertThatThrownBy(() -> ThreadPool.builder().concurrency(-3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-3");
            assertThatThrownBy(() -> ThreadPool.builder().concurrency(2).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("coroutineMode");
        });
    }

    @Test
    @Tag("T20")
    void outsideARuntime_isRefused() {
        assertThatThrownBy(() -> new ThreadPool(1))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("ThreadPool");
    }

    @Test
    @Tag("T20")
    @Tag("T24")
    void zeroWorkers_areAsManyAsProcessorsAndBeginAtOnce() {
        Threads.run(() -> {
            try (var pool = new ThreadPool()) {
                assertThat(pool.workerCount()).isEqualTo(Runtime.getRuntime().availableProcessors());
            }
            var booted = new CountDownLatch(2);
            try (var pool = ThreadPool.builder()
                    .workers(2)
                    .bootloader(booted::countDown)
                    .build()) {
                booted.await();
                assertThat(pool.workerCount()).isEqualTo(2);
            }
        });
    }

    @Test
    @Tag("T20")
    @Tag("T21")
    void queueSizeZero_isFourForEachWorker() {
        Threads.run(() -> {
            var stop = new Stop();
            try (var pool = new ThreadPool(1)) {
                Future<String> first = pool.submit(() -> stop.hold("x"));
                stop.begun.await();
                for (int i = 0; i < 4; i++) pool.submit(() -> {}).ignore();
                assertThat(pool.pendingCount()).isEqualTo(4);
                Coroutine<?> fifth = spawn(() -> pool.submit(() -> {}).ignore());
                suspend();
                assertThat(fifth.isSuspended()).isTrue();
                assertThat(fifth.awaitingInfo()).hasSize(1).allMatch(line -> line.startsWith("submit to thread pool"));
                stop.go.countDown();
                await(fifth);
                await(first);
            }
        });
    }

    // ---- T21

    @Test
    @Tag("T21")
    void value_reachesWhoAwaitsAnyNumberOfTimes() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(2)) {
                Object here = Runtimes.here("test");
                Future<Object> future = pool.submit(() -> Runtimes.here("test"));
                assertThat(await(future)).isNotSameAs(here);
                assertThat(await(future)).isSameAs(await(future));
            }
        });
    }

    @Test
    @Tag("T21")
    @Tag("F75")
    void error_arrivesAsItIsAndTheWorkerLivesOn() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                var unchecked = new IllegalStateException("a");
                var checked = new IOException("b");
                for (int i = 0; i < 3; i++) {
                    Future<Object> one = pool.submit(() -> {
                        throw unchecked;
                    });
                    assertThatThrownBy(() -> await(one)).isSameAs(unchecked);
                    Future<Object> two = pool.submit(() -> {
                        throw checked;
                    });
                    assertThatThrownBy(() -> await(two))
                            .isInstanceOf(CompletionException.class)
                            .hasCause(checked);
                }
                assertThat(await(pool.submit(() -> "alive"))).isEqualTo("alive");
                assertThat(pool.workerCount()).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("T21")
    void submitAfterClose_isRefused() {
        Threads.run(() -> {
            var pool = new ThreadPool(1);
            pool.close();
            assertThat(pool.isClosed()).isTrue();
            assertThatThrownBy(() -> pool.submit(() -> "x"))
                    .isInstanceOf(ThreadPoolException.class)
                    .hasMessageContaining("is closed");
        });
    }

    @Test
    @Tag("T21")
    @Tag("T23")
    void submittersParkedWhenItCloses_areRefusedAndAcceptedTasksEnd() {
        Threads.run(() -> {
            var stop = new Stop();
            var pool = ThreadPool.builder().workers(1).queueSize(1).build();
            Future<String> running = pool.submit(() -> stop.hold("running"));
            stop.begun.await();
            Future<String> queued = pool.submit(() -> "queued");
            Coroutine<?> here = spawn(() -> pool.submit(() -> "parked"));
            suspend();
            Coroutine<?> closing = spawn(() -> pool.close());
            suspend();
            assertThatThrownBy(() -> await(here)).isInstanceOf(ThreadPoolException.class);
            assertThat(closing.isSuspended()).isTrue();
            stop.go.countDown();
            await(closing);
            assertThat(pool.workerCount()).isZero();
            assertThat(await(running)).isEqualTo("running");
            assertThat(await(queued)).isEqualTo("queued");
        });
    }

    @Test
    @Tag("T21")
    @Tag("F36")
    void submitterCancelledWhileParked_itsTaskNeverRuns() {
        Threads.run(() -> {
            var stop = new Stop();
            var ran = new AtomicBoolean();
            try (var pool = ThreadPool.builder().workers(1).queueSize(1).build()) {
                Future<String> running = pool.submit(() -> stop.hold("x"));
                stop.begun.await();
                Future<String> queued = pool.submit(() -> "y");
                Coroutine<?> parked = spawn(() -> pool.submit(() -> ran.set(true)));
                suspend();
                parked.cancel();
                assertThatThrownBy(() -> await(parked)).isInstanceOf(AsyncCancellation.class);
                assertThatThrownBy(() -> pool.submit(() -> ran.set(true), timeout(5)))
                        .isInstanceOf(OperationCanceledException.class);
                stop.go.countDown();
                await(running);
                await(queued);
            }
            assertThat(ran).isFalse();
        });
    }

    // ---- T22

    @Test
    @Tag("T22")
    void map_keepsOrderAndKeys() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(3)) {
                var items = new ArrayList<Integer>();
                for (int i = 0; i < 50; i++) items.add(i);
                List<Integer> results = pool.map(items, n -> n * n);
                for (int i = 0; i < 50; i++) assertThat(results.get(i)).isEqualTo(i * i);
                var keyed = new LinkedHashMap<String, Integer>();
                for (String key : List.of("z", "a", "m")) keyed.put(key, key.length() + keyed.size());
                Map<String, Integer> byKey = pool.map(keyed, n -> n + 100);
                assertThat(new ArrayList<>(byKey.keySet())).containsExactly("z", "a", "m");
                assertThat(byKey.values()).containsExactly(101, 102, 103);
                assertThat(pool.<Integer, Integer>map(List.of(), n -> n)).isEmpty();
            }
        });
    }

    @Test
    @Tag("T22")
    void mapWithAnError_throwsItAndCancelsTheRest() {
        Threads.run(() -> {
            var begun = ConcurrentHashMap.<Integer>newKeySet();
            try (var pool = ThreadPool.builder().workers(1).queueSize(10).build()) {
                assertThatThrownBy(() -> pool.map(List.of(1, 2, 3, 4, 5), n -> {
                            begun.add(n);
                            if (n == 1) throw new IllegalStateException("no " + n);
                            return new ThreadChannel<Integer>().receive();
                        }))
                        .hasMessage("no 1");
            }
            assertThat(begun).isSubsetOf(1, 2);
        });
    }

    // ---- T23

    @Test
    @Tag("T23")
    void close_isIdempotentAndEveryoneWaits() {
        Threads.run(() -> {
            var stop = new Stop();
            var pool = new ThreadPool(2);
            Future<String> task = pool.submit(() -> stop.hold("done"));
            stop.begun.await();
            Coroutine<?> one = spawn(() -> pool.close());
            Coroutine<?> two = spawn(() -> pool.close());
            ThreadTask<?> three = spawnThread(() -> pool.close());
            suspend();
            assertThat(one.isSuspended()).isTrue();
            assertThat(two.isSuspended()).isTrue();
            stop.go.countDown();
            await(one);
            await(two);
            await(three);
            pool.close();
            assertThat(await(task)).isEqualTo("done");
        });
    }

    @Test
    @Tag("T23")
    @Tag("T24")
    void cancelInPlainMode_rejectsTheBacklogAndLetsRunningTasksEnd() {
        Threads.run(() -> {
            var stop = new Stop();
            var pool = new ThreadPool(1);
            Future<String> running = pool.submit(() -> stop.hold("ended"));
            stop.begun.await();
            Future<String> queued = pool.submit(() -> "never");
            pool.cancel();
            pool.cancel();
            assertThatThrownBy(() -> await(queued)).isInstanceOf(AsyncCancellation.class);
            assertThat(queued.isCancelled()).isTrue();
            stop.go.countDown();
            assertThat(await(running)).isEqualTo("ended");
            pool.close();
            assertThat(pool.workerCount()).isZero();
            assertThat(pool.completedCount()).isEqualTo(2);
            assertThat(pool.runningCount()).isZero();
            assertThat(pool.pendingCount()).isZero();
        });
    }

    @Test
    @Tag("T23")
    @Tag("F75")
    void cancelInCoroutineMode_cancelsRunningTasksToo() {
        Threads.run(() -> {
            var begun = new CountDownLatch(3);
            var cleaned = new AtomicInteger();
            var pool = ThreadPool.builder().workers(1).coroutineMode(true).build();
            var futures = new ArrayList<Future<?>>();
            for (int i = 0; i < 3; i++) {
                futures.add(pool.submit(() -> {
                    begun.countDown();
                    try {
                        new ThreadChannel<String>().receive();
                    } finally {
                        suspend();
                        cleaned.incrementAndGet();
                    }
                }));
            }
            begun.await();
            pool.cancel();
            for (Future<?> future : futures)
                assertThatThrownBy(() -> await(future)).isInstanceOf(AsyncCancellation.class);
            pool.close();
            assertThat(cleaned).hasValue(3);
            assertThat(pool.completedCount()).isEqualTo(3);
        });
    }

    @Test
    @Tag("T23")
    void cancelInCoroutineMode_meetsATaskThatItsWorkerHasNotBegun() {
        Threads.run(() -> {
            var computes = new CountDownLatch(1);
            var go = new CountDownLatch(1);
            var pool = ThreadPool.builder().workers(1).coroutineMode(true).build();
            pool.submit(() -> {
                        computes.countDown();
                        while (go.getCount() > 0) Thread.onSpinWait();
                    })
                    .ignore();
            computes.await();
            Future<String> given = pool.submit(() -> new ThreadChannel<String>().receive());
            assertThat(pool.runningCount()).isEqualTo(2);
            pool.cancel();
            go.countDown();
            assertThatThrownBy(() -> await(given)).isInstanceOf(AsyncCancellation.class);
            pool.close();
        });
    }

    @Test
    @Tag("T23")
    void closeByATaskOfThePool_doesNotWaitForItself() {
        Threads.run(() -> {
            var pool = new ThreadPool(1);
            Future<String> task = pool.submit(() -> {
                pool.close();
                return "went on";
            });
            assertThat(await(task)).isEqualTo("went on");
            pool.close();
        });
    }

    @Test
    @Tag("T23")
    void closeOnAPlainThread_waitsThere() {
        Threads.run(() -> {
            var stop = new Stop();
            var pool = new ThreadPool(1);
            Future<String> task = pool.submit(() -> stop.hold("done"));
            stop.begun.await();
            Thread plain = Thread.ofPlatform().start(pool::close);
            Threads.awaitParked(plain);
            assertThat(pool.isClosed()).isTrue();
            stop.go.countDown();
            assertThat(await(task)).isEqualTo("done");
            plain.join();
            assertThat(pool.workerCount()).isZero();
        });
    }

    // ---- T24

    @Test
    @Tag("T24")
    void counters_tellHowFarItIs() {
        Threads.run(() -> {
            var stop = new Stop();
            var pool = new ThreadPool(1);
            Future<String> one = pool.submit(() -> stop.hold("1"));
            stop.begun.await();
            Future<String> two = pool.submit(() -> "2");
            assertThat(pool.runningCount()).isEqualTo(1);
            assertThat(pool.pendingCount()).isEqualTo(1);
            assertThat(pool.completedCount()).isZero();
            stop.go.countDown();
            await(one);
            await(two);
            assertThat(pool.completedCount()).isEqualTo(2);
            assertThat(pool.runningCount()).isZero();
            pool.close();
            assertThat(pool.workerCount()).isZero();
        });
    }

    // ---- T25

    @Test
    @Tag("T25")
    void coroutineMode_runsTasksThatWaitTogether() {
        Threads.run(() -> {
            try (var pool = ThreadPool.builder().workers(1).coroutineMode(true).build()) {
                var meeting = new ThreadChannel<String>(1);
                Future<String> waits = pool.submit(() -> meeting.receive());
                Future<?> sends = pool.submit(() -> meeting.send("hello"));
                assertThat(await(waits)).isEqualTo("hello");
                await(sends);
            }
        });
    }

    @Test
    @Tag("T25")
    void workerWithRoomForAnotherTask_saysWhatItWaitsFor() {
        Threads.run(() -> {
            try (var pool = ThreadPool.builder().workers(1).coroutineMode(true).build()) {
                assertThat(await(pool.submit(Async::dump))).contains("next task of thread pool 'family-pool-1'");
            }
        });
    }

    @Test
    @Tag("T25")
    void concurrency_isKept() {
        Threads.run(() -> {
            var now = new AtomicInteger();
            var most = new AtomicInteger();
            try (var pool = ThreadPool.builder()
                    .workers(1)
                    .coroutineMode(true)
                    .concurrency(3)
                    .build()) {
                var futures = new ArrayList<Future<?>>();
                for (int i = 0; i < 20; i++) {
                    futures.add(pool.submit(() -> {
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        for (int j = 0; j < 3; j++) suspend();
                        delay(1);
                        now.decrementAndGet();
                    }));
                }
                for (Future<?> future : futures) await(future);
            }
            assertThat(most).hasValue(3);
        });
    }

    @Test
    @Tag("T25")
    void plainMode_hasOneTaskAtATime() {
        Threads.run(() -> {
            var now = new AtomicInteger();
            var most = new AtomicInteger();
            try (var pool = new ThreadPool(1)) {
                var futures = new ArrayList<Future<?>>();
                for (int i = 0; i < 10; i++) {
                    futures.add(pool.submit(() -> {
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        delay(1);
                        now.decrementAndGet();
                    }));
                }
                for (Future<?> future : futures) await(future);
            }
            assertThat(most).hasValue(1);
        });
    }

    @Test
    @Tag("T25")
    void childrenThatATaskDidNotAwait_areCancelledWhenItEnds() {
        for (boolean coroutineMode : new boolean[] {false, true}) {
            Threads.run(() -> {
                var ends = Collections.synchronizedList(new ArrayList<String>());
                try (var pool = ThreadPool.builder()
                        .workers(1)
                        .coroutineMode(coroutineMode)
                        .build()) {
                    Future<String> task = pool.submit(() -> {
                        spawn(() -> {
                            try {
                                new ThreadChannel<String>().receive();
                            } finally {
                                suspend();
                                ends.add("child");
                            }
                        });
                        Coroutine<String> awaited = spawn(() -> "awaited");
                        String value = await(awaited);
                        spawn(() -> ends.add("must not begin"));
                        return value;
                    });
                    assertThat(await(task)).isEqualTo("awaited");
                    assertThat(ends).containsExactly("child");
                }
                assertThat(ends).containsExactly("child");
            });
        }
    }

    @Test
    @Tag("T25")
    void childThatFails_endsItsTaskAndTheWorkerLivesOn() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Future<?> task = pool.submit(() -> {
                    spawn(() -> {
                        throw new IllegalStateException("child");
                    });
                    new ThreadChannel<String>().receive();
                });
                assertThatThrownBy(() -> await(task)).hasMessage("child");
                assertThat(await(pool.submit(() -> "alive"))).isEqualTo("alive");
            }
        });
    }

    // ---- T26

    @Test
    @Tag("T26")
    void futureThatLostItsWaiters_cancelsAQueuedTask() {
        Threads.run(() -> {
            var stop = new Stop();
            var ran = new AtomicBoolean();
            try (var pool = new ThreadPool(1)) {
                Future<String> first = pool.submit(() -> stop.hold("x"));
                stop.begun.await();
                Future<?> second = pool.submit(() -> ran.set(true));
                assertThatThrownBy(() -> await(second, timeout(5))).isInstanceOf(OperationCanceledException.class);
                while (!second.isCompleted()) suspend();
                assertThat(second.isCancelled()).isTrue();
                assertThat(pool.pendingCount()).isZero();
                assertThatThrownBy(() -> await(second)).isInstanceOf(AsyncCancellation.class);
                stop.go.countDown();
                await(first);
            }
            assertThat(ran).isFalse();
        });
    }

    @Test
    @Tag("T26")
    void futureThatLostItsWaiters_cancelsARunningTask() {
        for (boolean coroutineMode : new boolean[] {false, true}) {
            Threads.run(() -> {
                var begun = new CountDownLatch(1);
                try (var pool = ThreadPool.builder()
                        .workers(1)
                        .coroutineMode(coroutineMode)
                        .build()) {
                    Future<String> task = pool.submit(() -> {
                        begun.countDown();
                        return new ThreadChannel<String>().receive();
                    });
                    begun.await();
                    Coroutine<String> one = spawn(() -> await(task));
                    Coroutine<String> two = spawn(() -> await(task));
                    suspend();
                    one.cancel();
                    for (int i = 0; i < 5; i++) suspend();
                    assertThat(task.isCompleted()).isFalse();
                    two.cancel();
                    while (!task.isCompleted()) delay(1);
                    assertThat(task.isCancelled()).isTrue();
                    assertThat(await(pool.submit(() -> "alive"))).isEqualTo("alive");
                    assertThat(pool.completedCount()).isEqualTo(2);
                }
            });
        }
    }

    @Test
    @Tag("T26")
    void waiterThatComesBack_hasLostNothing() {
        Threads.run(() -> {
            var stop = new Stop();
            try (var pool = new ThreadPool(1)) {
                Future<String> task = pool.submit(() -> stop.hold("value"));
                stop.begun.await();
                for (int i = 0; i < 10; i++)
                    assertThatThrownBy(() -> await(task, timeout(1))).isInstanceOf(OperationCanceledException.class);
                stop.go.countDown();
                assertThat(await(task)).isEqualTo("value");
            }
        });
    }

    @Test
    @Tag("T26")
    void futureThatNobodyEverAwaited_justRuns() {
        Threads.run(() -> {
            var ran = new CountDownLatch(1);
            try (var pool = new ThreadPool(1)) {
                pool.submit(ran::countDown).ignore();
            }
            assertThat(ran.getCount()).isZero();
        });
    }

    @Test
    @Tag("T26")
    void cancelAfterCompletion_changesNothing() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Future<String> task = pool.submit(() -> "value");
                await(task);
                task.cancel();
                assertThat(await(task)).isEqualTo("value");
            }
        });
    }

    // ---- T27

    @Test
    @Tag("T27")
    @Tag("F51")
    void bootloaderFails_thePoolEndsAndEveryoneGetsTheCause() {
        var original = new IOException("no driver");
        var go = new CountDownLatch(1);
        TestRuntime runtime = Threads.run(() -> {
            var pool = ThreadPool.builder()
                    .workers(1)
                    .queueSize(1)
                    .bootloader(() -> {
                        go.await();
                        throw original;
                    })
                    .build();
            Future<String> queued = pool.submit(() -> "never");
            Coroutine<?> parked = spawn(() -> pool.submit(() -> "never"));
            suspend();
            go.countDown();
            // Both at once: while one is waited for, virtual time passes, and an error that nobody awaits is told.
            Outcomes<Integer, Object> outcomes = Async.awaitAll(List.<Completable<?>>of(queued, parked));
            assertThat(outcomes.errors()).hasSize(2);
            for (Throwable error : outcomes.errors().values())
                assertThat(error).isInstanceOf(ThreadPoolException.class).hasCause(original);
            assertThatThrownBy(() -> pool.submit(() -> "x"))
                    .isInstanceOf(ThreadPoolException.class)
                    .hasCause(original);
            pool.close();
            assertThat(pool.workerCount()).isZero();
        });
        assertThat(runtime.reports()).hasSize(1).allMatch(line -> line.contains("no driver"));
    }

    // ---- T28

    /** It would wait for room that only itself can make. */
    @Test
    @Tag("T21")
    void taskThatSubmitsIntoItsOwnFullPool_doesNotWaitForRoom() {
        Threads.run(() -> {
            for (boolean coroutineMode : new boolean[] {false, true}) {
                var settings = ThreadPool.builder().workers(1).queueSize(1).coroutineMode(coroutineMode);
                try (var pool = (coroutineMode ? settings.concurrency(1) : settings).build()) {
                    var order = new ConcurrentLinkedQueue<Integer>();
                    Future<Integer> all = pool.submit(() -> {
                        for (int i = 0; i < 5; i++) {
                            int number = i;
                            pool.submit(() -> order.add(number)).ignore();
                        }
                        return pool.pendingCount();
                    });
                    assertThat(await(all)).isEqualTo(5);
                    while (order.size() < 5) delay(1);
                    assertThat(order).containsExactly(0, 1, 2, 3, 4);
                }
            }
        });
    }

    @Test
    @Tag("T28")
    void reload_replacesTheWorkersWhileOldTasksEnd() {
        Threads.run(() -> {
            var boots = new AtomicInteger();
            Set<Object> loops = ConcurrentHashMap.newKeySet();
            try (var pool = ThreadPool.builder()
                    .workers(2)
                    .bootloader(boots::incrementAndGet)
                    .build()) {
                var stop = new Stop();
                Future<String> old = pool.submit(() -> {
                    loops.add(Runtimes.here("test"));
                    return stop.hold("old");
                });
                stop.begun.await();
                while (boots.get() < 2) suspend();
                pool.reload();
                int after = boots.get();
                var others = new ArrayList<Object>();
                for (int i = 0; i < 20; i++) others.add(await(pool.submit(() -> Runtimes.here("test"))));
                stop.go.countDown();
                assertThat(after).isEqualTo(4);
                assertThat(others).doesNotContainAnyElementsOf(loops);
                assertThat(await(old)).isEqualTo("old");
                while (pool.workerCount() > 2) delay(1);
            }
        });
    }

    @Test
    @Tag("T28")
    void reloadsAskedForDuringOne_shareTheNext() {
        Threads.run(() -> {
            var boots = new AtomicInteger();
            var go = new CountDownLatch(1);
            try (var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> {
                        if (boots.incrementAndGet() == 2) go.await();
                    })
                    .build()) {
                await(pool.submit(() -> "has begun"));
                Coroutine<?> one = spawn(() -> pool.reload());
                while (boots.get() < 2) suspend();
                Coroutine<?> two = spawn(() -> pool.reload());
                Coroutine<?> three = spawn(() -> pool.reload());
                while (!three.isSuspended()) suspend();
                go.countDown();
                await(one);
                await(two);
                await(three);
                int overlapping = boots.get();
                pool.reload();
                assertThat(overlapping).isEqualTo(3);
                assertThat(boots).hasValue(4);
            }
        });
    }

    /** Whatever was changed before a reload is asked for is loaded when it returns. */
    @Test
    @Tag("T28")
    void reloadAfterAChange_loadsItThoughAnotherOneBoots() {
        Threads.run(() -> {
            var config = new AtomicInteger(1);
            var read = new AtomicInteger();
            var loaded = new AtomicInteger();
            var go = new CountDownLatch(1);
            try (var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> {
                        int mine = config.get();
                        read.set(mine);
                        if (mine == 2) go.await();
                        loaded.set(mine);
                    })
                    .build()) {
                await(pool.submit(() -> "has begun"));
                config.set(2);
                Coroutine<?> one = spawn(() -> pool.reload());
                while (read.get() < 2) suspend();
                config.set(3);
                Coroutine<?> two = spawn(() -> pool.reload());
                while (!two.isSuspended()) suspend();
                go.countDown();
                await(two);
                assertThat(loaded).hasValue(3);
                await(one);
            }
        });
    }

    @Test
    @Tag("T28")
    void reloadThatIsCancelled_isMadeByWhoeverWaitsForIt() {
        Threads.run(() -> {
            var boots = new AtomicInteger();
            var go = new CountDownLatch(1);
            try (var pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> {
                        if (boots.incrementAndGet() == 2) go.await();
                    })
                    .build()) {
                await(pool.submit(() -> "has begun"));
                Coroutine<?> one = spawn(() -> pool.reload());
                while (boots.get() < 2) suspend();
                Coroutine<?> two = spawn(() -> pool.reload());
                while (!two.isSuspended()) suspend();
                one.cancel();
                go.countDown();
                await(two);
                assertThat(one.isCancelled()).isTrue();
                assertThat(boots).hasValue(3);
                while (pool.workerCount() > 1) delay(1);
            }
        });
    }

    @Test
    @Tag("T28")
    void replacementsThatDieAtStart_theOldWorkersGoOn() {
        var fail = new AtomicBoolean();
        var boots = new CountDownLatch(2);
        TestRuntime runtime = Threads.run(() -> {
            try (var pool = ThreadPool.builder()
                    .workers(2)
                    .bootloader(() -> {
                        boolean fails = fail.get();
                        boots.countDown();
                        if (fails) throw new IllegalStateException("second time");
                    })
                    .build()) {
                boots.await();
                fail.set(true);
                pool.reload();
                assertThat(await(pool.submit(() -> "alive"))).isEqualTo("alive");
                fail.set(false);
                pool.reload();
                assertThat(await(pool.submit(() -> "alive"))).isEqualTo("alive");
            }
        });
        assertThat(runtime.reports()).anyMatch(line -> line.contains("second time"));
    }

    @Test
    @Tag("T28")
    void reloadOfAClosedPool_isRefused() {
        Threads.run(() -> {
            var pool = new ThreadPool(1);
            pool.close();
            assertThatThrownBy(pool::reload).isInstanceOf(ThreadPoolException.class);
        });
    }

    // ---- T29

    @Test
    @Tag("T29")
    void workerThatDies_failsItsTaskAndAnotherOneGoesOn() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                var original = new IllegalStateException("outside of the task");
                var workers = new AtomicReference<Executor>();
                var waits = new CountDownLatch(1);
                Future<?> task = pool.submit(() -> {
                    workers.set(Async.executor());
                    waits.countDown();
                    new ThreadChannel<String>().receive();
                });
                Future<String> next = pool.submit(() -> "next");
                waits.await();
                workers.get().execute(() -> {
                    throw original;
                });
                assertThatThrownBy(() -> await(task))
                        .isInstanceOf(ThreadPoolException.class)
                        .hasCause(original);
                assertThat(await(next)).isEqualTo("next");
                assertThat(pool.runningCount()).isZero();
                assertThat(pool.completedCount()).isEqualTo(2);
            }
        });
    }

    @Test
    @Tag("T29")
    void taskThatShutsItsWorkerDown_failsAndAnotherOneGoesOn() {
        for (boolean coroutineMode : new boolean[] {false, true}) {
            Threads.run(() -> {
                try (var pool = ThreadPool.builder()
                        .workers(1)
                        .coroutineMode(coroutineMode)
                        .build()) {
                    var reason = new AsyncCancellation("by the task itself");
                    Future<?> task = pool.submit(() -> {
                        Async.gracefulShutdown(reason);
                        suspend();
                    });
                    assertThatThrownBy(() -> await(task))
                            .isInstanceOf(ThreadPoolException.class)
                            .hasCause(reason);
                    assertThat(await(pool.submit(() -> "next"))).isEqualTo("next");
                }
            });
        }
    }

    @Test
    @Tag("T29")
    void deadlockInAPlainWorker_failsItsTaskAndAnotherOneGoesOn() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                Future<?> task = pool.submit(() -> await((Completable<?>) Async.currentCoroutine()));
                assertThatThrownBy(() -> await(task))
                        .isInstanceOf(ThreadPoolException.class)
                        .hasCauseInstanceOf(DeadlockError.class);
                assertThat(await(pool.submit(() -> "next"))).isEqualTo("next");
            }
        });
    }

    // ---- the end of the run

    @Test
    @Tag("F76")
    @Tag("F80")
    void poolLeftOpen_endsWithTheRun() {
        var ended = new CountDownLatch(1);
        Threads.run(() -> {
            var begun = new CountDownLatch(1);
            var pool = new ThreadPool(2);
            pool.submit(() -> {
                        begun.countDown();
                        try {
                            new ThreadChannel<String>().receive();
                        } finally {
                            ended.countDown();
                        }
                    })
                    .ignore();
            begun.await();
        });
        assertThat(ended.getCount()).isZero();
    }

    @Test
    @Tag("T21")
    void otherRuntimes_submitToo() {
        Threads.run(() -> {
            try (var pool = new ThreadPool(1)) {
                ThreadTask<Integer> other = spawnThread(() -> {
                    int sum = 0;
                    for (int i = 0; i < 100; i++) {
                        int n = i;
                        sum += await(pool.submit(() -> n));
                    }
                    return sum;
                });
                int sum = 0;
                for (int i = 0; i < 100; i++) {
                    int n = i;
                    sum += await(pool.submit(() -> n));
                }
                assertThat(sum).isEqualTo(4_950);
                assertThat(await(other)).isEqualTo(4_950);
            }
        });
    }
}
