package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;

/** A loop with nothing to do sleeps until another thread brings something. */
class LoopSleepTest {
    /** Calls when the loop sleeps in its reactor, without an alarm. */
    private static void onceAsleep(Runnable action) {
        Thread loop = (Runtimes.here("the test")).loopThread;
        Thread.ofPlatform().start(() -> {
            while (LockSupport.getBlocker(loop) == null) Thread.onSpinWait();
            action.run();
        });
    }

    /** Time that is not virtual is what a loop looks for others in. */
    @Test
    @Tag("K29")
    void loopThatOthersHaveWoken_sleepsAgain() {
        var reactor = new VirtualReactor() {
            @Override
            public boolean isTimeVirtual() {
                return false;
            }
        };
        new TestRuntime(b -> b.reactor(() -> reactor)).start(() -> {
            var seen = new ArrayList<Integer>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                var brought = new CompletableFuture<Integer>();
                onceAsleep(() -> brought.complete(number));
                seen.add(await(brought));
            }
            assertThat(seen).containsExactly(0, 1, 2, 3, 4);
        });
    }

    /** A trigger is a system call, which only a loop that sleeps needs. */
    @Test
    @Tag("K29")
    void loopThatIsAwake_isNotTriggered() {
        var reactor = new CountingReactor();
        new TestRuntime(b -> b.reactor(() -> reactor)).start(() -> {
            var brought = new CompletableFuture<Integer>();
            onceAsleep(() -> brought.complete(1));
            await(brought);
            assertThat(reactor.triggers).hasPositiveValue();
            assertThat(Async.runtimeStats().reactorTurns()).isPositive();

            int before = reactor.triggers.get();
            var ran = new int[1];
            Loop loop = Runtimes.here("the test");
            Thread other = Thread.ofPlatform().start(() -> loop.post(() -> ran[0]++));
            while (other.isAlive()) Thread.onSpinWait();
            suspend();
            assertThat(ran).containsExactly(1);
            assertThat(reactor.triggers).hasValue(before);
        });
    }

    @Test
    void jobOfTheServiceThatIsHeldUp_isWaitedForAtTheEnd() {
        var log = new ConcurrentLinkedQueue<String>();
        TestRuntime.run(() -> {
            var gate = new CountDownLatch(1);
            Runtimes.here("the test").inService(() -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                log.add(Runtimes.hereOrNull() != null ? "job" : "job elsewhere");
            });
            onceAsleep(() -> {
                log.add("everybody else has ended");
                gate.countDown();
            });
        });
        assertThat(log).containsExactly("everybody else has ended", "job");
    }
}
