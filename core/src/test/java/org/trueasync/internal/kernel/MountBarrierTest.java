package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.jdk.MountBarrier;
import org.trueasync.internal.testkit.TestRuntime;

/** While another thread walks the stacks of a loop, that mounts none. */
class MountBarrierTest {
    private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threadThatIsReady_isMountedAfterTheWalk(boolean libraryThread) {
        TestRuntime.run(() -> {
            Loop here = Runtimes.here("the test");
            var gate = new CountDownLatch(1);
            Runnable waits = () -> {
                pass(gate);
                log.add("mounted");
            };
            if (libraryThread) {
                Thread thread = Thread.ofVirtual().unstarted(waits);
                walkOnceParked(here, thread, gate);
                thread.start();
                thread.join();
            } else {
                walkOnceParked(here, Thread.currentThread(), gate);
                waits.run();
            }
        });
        assertThat(log).containsExactly("walked", "mounted");
    }

    /** On a thread of its own: lets the parked one go on while it keeps the loop still. */
    private void walkOnceParked(Loop loop, Thread parked, CountDownLatch gate) {
        var probe = new LoopProbe(loop);
        Thread loopThread = (loop).loopThread;
        Thread.ofPlatform().start(() -> {
            while (parked.getState() != Thread.State.WAITING) Thread.onSpinWait();
            probe.blockMounts();
            gate.countDown();
            while (log.isEmpty() && !(LockSupport.getBlocker(loopThread) instanceof MountBarrier)) Thread.onSpinWait();
            log.add("walked");
            probe.allowMounts();
        });
    }

    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
