package org.trueasync.internal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.trueasync.Body;

/** Runs whose children have reactors of their own, and the threads that they leave. */
public final class Threads {
    private static final String NAME = "family";

    private Threads() {}

    /**
     * Runs a body as the main coroutine of a runtime whose threads are known by its name.
     *
     * @param main the body
     */
    public static TestRuntime run(Body main) {
        var runtime = new TestRuntime(builder -> builder.name(NAME).reactor(VirtualReactor::new));
        runtime.start(main);
        return runtime;
    }

    /** Fails if a thread that such a run has started does not end. The run does not wait for their last moment. */
    public static void assertNoneOfOursIsLeft() {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!alive().isEmpty() && System.nanoTime() - end < 0) Thread.onSpinWait();
        assertThat(alive()).isEmpty();
    }

    /**
     * Waits until a thread waits for others.
     *
     * @param thread has nothing else to wait for
     */
    public static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) Thread.yield();
    }

    private static List<Thread> alive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(NAME + "-"))
                .toList();
    }
}
