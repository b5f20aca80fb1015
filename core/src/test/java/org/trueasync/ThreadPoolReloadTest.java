package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.Threads;

/** New workers in place of old ones. */
class ThreadPoolReloadTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
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
                var stop = new HeldTask();
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

    private static ThreadPool whoseSecondBootWaits(AtomicInteger boots, CountDownLatch go) {
        return ThreadPool.builder()
                .workers(1)
                .bootloader(() -> {
                    if (boots.incrementAndGet() == 2) go.await();
                })
                .build();
    }

    @Test
    @Tag("T28")
    void reloadsRequestedDuringOne_shareTheNext() {
        Threads.run(() -> {
            var boots = new AtomicInteger();
            var go = new CountDownLatch(1);
            try (var pool = whoseSecondBootWaits(boots, go)) {
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
            try (var pool = whoseSecondBootWaits(boots, go)) {
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
}
