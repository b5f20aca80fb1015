package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Stacks that no coroutine runs on. */
class IdleStacksTest {
    @Test
    @Tag("K66")
    void endOfTheRun_endsTheIdleThreads() {
        var threads = new ArrayList<Thread>();
        var uncaught = new ConcurrentLinkedQueue<Throwable>();
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
        try {
            TestRuntime.run(() -> {
                for (int i = 0; i < 4; i++) {
                    spawn(() -> {
                        threads.add(Thread.currentThread());
                        delay(1);
                    });
                }
                delay(5);
                assertThat(runtimeStats().idleContexts()).isEqualTo(4);
                assertThat(threads).allMatch(Thread::isAlive);
            });
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertThat(threads).hasSize(4).noneMatch(Thread::isAlive);
        assertThat(uncaught).isEmpty();
    }

    @Test
    @Tag("K27")
    void surplusThatTheLoopDrops_endsItsThread() {
        TestRuntime.run(() -> {
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 50; i++) {
                spawn(() -> {
                    threads.add(Thread.currentThread());
                    delay(1);
                });
            }
            delay(2);
            assertThat(runtimeStats().idleContexts()).isGreaterThan(4);
            for (int i = 0; i < 20; i++) delay(1_000);
            assertThat(runtimeStats().idleContexts()).isEqualTo(4);
            assertThat(threads).filteredOn(Thread::isAlive).hasSize(4);
        });
    }
}
