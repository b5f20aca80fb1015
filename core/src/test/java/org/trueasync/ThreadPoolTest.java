package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.Threads;

/** What a pool takes, how it says what it has, and how values come back. */
class ThreadPoolTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

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
            var stop = new HeldTask();
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

    @Test
    @Tag("T24")
    void counters_tellHowFarItIs() {
        Threads.run(() -> {
            var stop = new HeldTask();
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
