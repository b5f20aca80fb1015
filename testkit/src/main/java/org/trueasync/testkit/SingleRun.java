package org.trueasync.testkit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;
import org.trueasync.internal.testkit.Chance;
import org.trueasync.internal.testkit.Guarded;
import org.trueasync.internal.testkit.Trace;
import org.trueasync.internal.testkit.TurnTrace;
import org.trueasync.internal.testkit.VirtualReactor;

/** One run of a body under one seed. */
final class SingleRun implements Guarded.Watched {
    private final VirtualReactor reactor;
    private final AsyncRuntime runtime;
    private final @Nullable TurnTrace turns;

    /** Makes the reactor of a run. */
    @FunctionalInterface
    interface World {
        VirtualReactor of(long seed, @Nullable Chance chance, @Nullable Trace trace);
    }

    /**
     * A run that has not begun.
     *
     * @param trace gets what happens; null: nobody asks
     */
    SingleRun(Seed seed, World world, @Nullable Trace trace, UnaryOperator<AsyncRuntime.Builder> settings) {
        reactor = world.of(seed.value(), seed.chance(), trace);
        turns = trace == null ? null : new TurnTrace(reactor, trace);
        AsyncRuntime.Builder builder =
                Async.runtime().name("virtual time").reactor(() -> reactor).deadlockReports(false);
        var order = seed.runOrder();
        if (order != null) builder.runOrder(order);
        if (turns != null) builder.heartbeat(turns::look);
        runtime = settings.apply(builder).build();
    }

    /**
     * Runs on the calling thread; throws what the run throws, checked exceptions unwrapped.
     *
     * @throws AssertionError if coroutines did not end although they were cancelled
     */
    <T> @Nullable T call(Callable<T> main) {
        T value;
        reactor.enterJdkTime();
        try {
            value = runtime.run(turns == null ? main : traced(main, turns));
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            throw cause == null || cause instanceof RuntimeException || cause instanceof Error
                    ? e
                    : Guarded.sneaky(cause);
        } finally {
            reactor.leaveJdkTime();
        }
        List<String> survivors = runtime.survivors();
        if (!survivors.isEmpty())
            throw new AssertionError("coroutines did not end although they were told to: " + survivors);
        return value;
    }

    private static <T> Callable<T> traced(Callable<T> main, TurnTrace turns) {
        return () -> {
            turns.look();
            return main.call();
        };
    }

    /** Always 0: the time limit is for the whole run. */
    @Override
    public long progress() {
        return 0;
    }

    @Override
    public String state() {
        return "virtual time is " + Duration.ofNanos(reactor.now()) + ", " + reactor.coroutines();
    }

    @Override
    public void stop() {
        runtime.shutdown(new AsyncCancellation("the test took too long"));
    }

    static Callable<Object> task(Body body) {
        java.util.Objects.requireNonNull(body, "body");
        return new Callable<>() {
            @Override
            @SuppressWarnings("NullAway") // the result is not used
            public Object call() {
                try {
                    body.run();
                } catch (Throwable e) {
                    throw Guarded.sneaky(e);
                }
                return null;
            }
        };
    }
}
