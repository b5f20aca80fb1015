package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

/** Coroutines that are always ready leave the reactor its turn, whichever way they hand the loop to each other. */
class FairnessTest {
    private static final long STEP = 100_000;
    /** Ten milliseconds are a hundred steps; the rest is what a turn a millisecond may add. */
    private static final int ROUNDS = 200;

    @Test
    @Tag("K28")
    void coroutinesThatYieldByTheJdk_doNotStarveATimer() {
        timerAmong(2, Async::spawn, Thread::yield);
    }

    @Test
    @Tag("K28")
    void guestsThatYield_doNotStarveATimer() {
        timerAmong(2, loop -> Thread.startVirtualThread(unchecked(loop)), Thread::yield);
    }

    @Test
    @Tag("K28")
    void callsServedWithoutASwitch_shareTheLoop() {
        timerAmong(1, Async::spawn, () -> Runtimes.here("test").shareLoop(), 3 * Loop.SERVED_IN_A_ROW);
    }

    private static void timerAmong(int count, Consumer<Body> start, Body handOn) {
        timerAmong(count, start, handOn, ROUNDS);
    }

    /** Ten milliseconds of delay beside some who are always ready. */
    private static void timerAmong(int count, Consumer<Body> start, Body handOn, int most) {
        TestRuntime.run(runtime -> {
            var stop = new AtomicBoolean();
            var rounds = new AtomicInteger();
            for (int i = 0; i < count; i++) {
                start.accept(() -> {
                    while (!stop.get()) {
                        step(runtime, rounds);
                        handOn.run();
                    }
                });
            }
            delay(10);
            stop.set(true);
            assertThat(rounds.get()).isLessThan(most);
        });
    }

    @Test
    @Tag("K28")
    void coroutinesThatMeetInAQueueOfTheJdk_doNotStarveATimer() {
        TestRuntime.run(runtime -> {
            var meeting = new SynchronousQueue<Boolean>();
            var stop = new AtomicBoolean();
            var rounds = new AtomicInteger();
            spawn(() -> {
                while (!stop.get()) {
                    step(runtime, rounds);
                    meeting.put(true);
                }
                meeting.put(false);
            });
            spawn(() -> {
                while (meeting.take()) {}
            });
            delay(10);
            stop.set(true);
            assertThat(rounds.get()).isLessThan(ROUNDS);
        });
    }

    private static Runnable unchecked(Body body) {
        return () -> {
            try {
                body.run();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        };
    }

    private static void step(TestRuntime runtime, AtomicInteger rounds) {
        // a loop that starves the timer ends by itself, so that the test fails instead of hanging
        if (rounds.incrementAndGet() > 100 * ROUNDS) throw new AssertionError("the timer starves");
        runtime.reactor().advance(STEP);
    }
}
