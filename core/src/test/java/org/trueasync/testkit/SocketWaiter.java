package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.trueasync.Body;

/** Whoever waits for a socket, seen by others: any thread may ask whether it is parked, and what came of it. */
final class SocketWaiter {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(20);

    private final Callable<?> call;
    private final IntSupplier returnedCalls;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile Thread thread;
    private volatile boolean failed;
    private volatile boolean hung;
    private volatile int returnedWhenParked;
    private volatile String outcome = "still waits";

    SocketWaiter(Callable<?> call) {
        this(call, () -> 0);
    }

    SocketWaiter(SocketWait wait) {
        this(wait::begin, wait::returnedCalls);
    }

    private SocketWaiter(Callable<?> call, IntSupplier returnedCalls) {
        this.call = call;
        this.returnedCalls = returnedCalls;
    }

    /** Waits, and passes on what it has met: that tells whether a coroutine ends as cancelled. */
    void run() throws Exception {
        thread = Thread.currentThread();
        try {
            outcome = String.valueOf(call.call());
        } catch (Throwable e) {
            failed = true;
            outcome = e.getClass().getSimpleName() + ": " + e.getMessage();
            throw e;
        } finally {
            end.countDown();
        }
    }

    /** Waits; what it has met is the outcome and nothing more. */
    void runQuietly() {
        try {
            run();
        } catch (Throwable e) {
            // noted
        }
        Thread.interrupted();
    }

    Thread thread() {
        return thread;
    }

    /** What came of it. */
    String outcome() {
        return hung ? "hung, then " + outcome : outcome;
    }

    /**
     * Asked when it is over: false if the call in which it was seen parked has returned. A write may return though the
     * peer reads nothing: what TCP acknowledges late makes room in the send buffer.
     */
    boolean hasStayedInItsCall() {
        return returnedCalls.getAsInt() == returnedWhenParked;
    }

    /** True if the call has thrown. */
    boolean hasFailed() {
        return failed;
    }

    boolean hasEnded() {
        return end.getCount() == 0;
    }

    boolean isParkedOrOver() {
        Thread waiter = thread;
        if (waiter == null) return false;
        int returned = returnedCalls.getAsInt(); // first: the call it is parked in has not returned yet
        State state = waiter.getState();
        boolean parked = state == State.WAITING || state == State.TIMED_WAITING;
        if (parked) returnedWhenParked = returned;
        return parked || hasEnded();
    }

    /** In a coroutine: others of the loop go on meanwhile, or this one would not. */
    void untilParked() {
        long limit = System.nanoTime() + TIME_LIMIT.toNanos();
        while (!isParkedOrOver()) {
            assertThat(System.nanoTime() - limit).as("comes to its wait").isNegative();
            delay(1);
        }
    }

    /** On a thread that may be held up, as no other coroutine depends on it. */
    void awaitParked() throws InterruptedException {
        long limit = System.nanoTime() + TIME_LIMIT.toNanos();
        while (!isParkedOrOver()) {
            assertThat(System.nanoTime() - limit).as("comes to its wait").isNegative();
            Thread.sleep(1);
        }
    }

    /** What came of it. Who hangs is interrupted, so that what it holds is free. */
    String awaitOutcome() throws InterruptedException {
        if (end.await(TIME_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) return outcome();
        hung = true;
        if (thread != null) thread.interrupt();
        end.await(TIME_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        return outcome();
    }

    /** Starts a thread that is not ours. It fails the test if it fails. */
    static Thread platform(Body action) {
        return Thread.ofPlatform().daemon().start(() -> SocketWait.run(action));
    }
}
