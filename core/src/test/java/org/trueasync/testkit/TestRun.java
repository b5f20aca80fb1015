package org.trueasync.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.Reactor;

/**
 * A run that can't hang the build: after a generous time it is shut down, and the test fails with what every coroutine
 * was waiting for. Collects what goes to the diagnostics sink.
 */
public final class TestRun {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(200);

    private final Supplier<Reactor> reactor;
    private final List<String> reports = Collections.synchronizedList(new ArrayList<>());
    private Duration shutdownTimeout = Duration.ofSeconds(5);
    private Duration drainTimeout = Duration.ofSeconds(10);
    private Duration timeLimit = TIME_LIMIT;
    private long stackSize;

    /**
     * A run on a reactor.
     *
     * @param reactor makes it
     */
    public TestRun(Supplier<Reactor> reactor) {
        this.reactor = reactor;
    }

    /**
     * How long a shutdown may take.
     *
     * @param timeout the limit
     */
    public TestRun shutdownTimeout(Duration timeout) {
        shutdownTimeout = timeout;
        return this;
    }

    /**
     * How long a graceful shutdown waits for work that goes on.
     *
     * @param timeout the limit
     */
    public TestRun drainTimeout(Duration timeout) {
        drainTimeout = timeout;
        return this;
    }

    /**
     * How long the whole run may take.
     *
     * @param atMost the limit
     */
    public TestRun timeLimit(Duration atMost) {
        timeLimit = atMost;
        return this;
    }

    /**
     * A loop thread of its own with such a stack.
     *
     * @param bytes its size
     */
    public TestRun stackSize(long bytes) {
        stackSize = bytes;
        return this;
    }

    /** What the diagnostics sink got. */
    public List<String> reports() {
        return reports;
    }

    /**
     * What it got, but for notes on failed coroutines that were awaited later: virtual time does not wait for those who
     * do so after something that happens in real time.
     */
    public List<String> complaints() {
        return reports.stream()
                .filter(report -> !report.contains("unless somebody awaits it first"))
                .toList();
    }

    /**
     * Runs.
     *
     * @param main the main coroutine
     */
    public void run(Body main) {
        call(() -> {
            try {
                main.run();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            return null;
        });
    }

    /**
     * Runs.
     *
     * @param main the main coroutine
     * @return what it returned
     */
    public <T> T call(Callable<T> main) {
        AsyncRuntime runtime = Async.runtime()
                .reactor(reactor)
                .name("test")
                .stackSize(stackSize)
                .drainTimeout(drainTimeout)
                .shutdownTimeout(shutdownTimeout)
                .diagnostics(reports::add)
                .build();
        var stuck = new ArrayList<String>();
        Thread watchdog = Thread.ofPlatform().daemon().name("watchdog").start(() -> {
            try {
                if (runtime.awaitEnd(timeLimit)) return;
                stuck.add("the run hung and was shut down");
                runtime.shutdown(new AsyncCancellation("the test hung"));
            } catch (InterruptedException e) {
                // the test is over
            }
        });
        T value;
        try {
            value = runtime.run(() -> {
                try {
                    return main.call();
                } catch (AsyncCancellation e) {
                    if (!stuck.isEmpty())
                        throw new AssertionError(
                                stuck + ": "
                                        + Async.coroutines().stream()
                                                .map(c -> c + " " + c.awaitingInfo())
                                                .toList(),
                                e);
                    // else the run would end quietly, without what the test asserts after it
                    if (!(e instanceof OperationCanceledException)
                            && !Async.currentCoroutine().isCancellationRequested())
                        throw new AssertionError("the body let a cancellation pass that was not meant for it", e);
                    throw e;
                }
            });
        } finally {
            watchdog.interrupt();
        }
        if (!stuck.isEmpty()) throw new AssertionError(stuck.toString());
        return value;
    }

    /** What awaiting it throws, or null. In a coroutine. */
    public static Throwable failureOf(Coroutine<?> coroutine) {
        try {
            Async.await(coroutine);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }
}
