package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Threads;

/** How many tasks a worker has at a time, and what becomes of their coroutines. */
class ThreadPoolModesTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

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
                        while (most.get() < 3) suspend(); // the others have not been submitted yet
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
}
