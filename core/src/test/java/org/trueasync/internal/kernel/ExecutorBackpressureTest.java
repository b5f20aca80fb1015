package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.suspend;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.internal.testkit.TestRuntime;

/** Whoever brings tasks faster than they can begin is slowed down, and nobody else. */
@Tag("deep")
class ExecutorBackpressureTest {
    private static final int MORE = 50;

    private final AtomicInteger ran = new AtomicInteger();

    /** The loop does nothing meanwhile. */
    private void submit(Executor executor, int count, AtomicLong nanos) {
        var done = new CountDownLatch(1);
        Thread.ofPlatform().start(() -> {
            long begin = System.nanoTime();
            for (int i = 0; i < count; i++) executor.execute(ran::incrementAndGet);
            nanos.set(System.nanoTime() - begin);
            done.countDown();
        });
        while (done.getCount() > 0) Thread.onSpinWait();
    }

    @Test
    @Tag("K62")
    void flood_isThrottledUntilItHasBeenWorkedOff() {
        TestRuntime.run(() -> {
            Executor executor = Async.executor();
            var nanos = new AtomicLong();
            submit(executor, RemoteQueue.FLOOD_THRESHOLD + 2_000, nanos);
            suspend(); // the loop sees what there is
            assertThat(ran.get()).isLessThan(2_000);
            submit(executor, MORE, nanos);
            assertThat(nanos.get()).isGreaterThan(MORE * RemoteQueue.BACKPRESSURE_NANOS * 9 / 10);
            while (ran.get() < RemoteQueue.FLOOD_THRESHOLD + 2_000 + MORE) suspend();
            assertThat(((LoopExecutor) executor).isThrottled()).isFalse();
        });
    }

    /** Once tasks are refused there is no flood that could be waited for. */
    @Test
    @Tag("K62")
    void endOfTheRun_endsTheThrottling() {
        LoopExecutor[] executor = new LoopExecutor[1];
        TestRuntime.run(() -> {
            executor[0] = (LoopExecutor) Async.executor();
            submit(executor[0], RemoteQueue.FLOOD_THRESHOLD + 2_000, new AtomicLong());
            suspend();
            assertThat(executor[0].isThrottled()).isTrue();
            Async.gracefulShutdown();
        });
        assertThat(executor[0].isThrottled()).isFalse();
    }
}
