package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

/** What is done for a loop in coroutines of its own. */
class ServiceTest {
    private final ArrayList<String> log = new ArrayList<>();

    @Test
    void jobThatThrows_isAnUnhandledErrorAndTheNextOneIsDone() {
        var error = new IllegalStateException("expected");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Loop loop = Runtimes.here("test");
            loop.inService(() -> {
                throw error;
            });
            loop.inService(() -> log.add("next"));
            delay(3_600_000);
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("next");
    }

    @Test
    void jobThatMeetsALock_holdsUpNoOther() {
        var lock = new ReentrantLock();
        TestRuntime.run(() -> {
            Loop loop = Runtimes.here("test");
            Coroutine<?> holder = spawn(() -> {
                lock.lock();
                delay(10);
                log.add("holder");
                lock.unlock();
            });
            suspend();
            for (String name : new String[] {"first", "second"})
                loop.inService(() -> {
                    lock.lock();
                    log.add(name);
                    lock.unlock();
                });
            loop.inService(() -> log.add("free"));
            await(holder);
            delay(1);
        });
        assertThat(log).containsExactly("free", "holder", "first", "second");
    }
}
