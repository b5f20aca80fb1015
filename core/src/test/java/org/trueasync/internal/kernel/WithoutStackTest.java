package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.testkit.TestRuntime;

/** There is no stack to be had for what is to run next, for a while. */
@Tag("K67")
class WithoutStackTest {
    private static final StackWalker STACK = StackWalker.getInstance();

    private final List<String> log = new ArrayList<>();

    @AfterEach
    void mend() {
        FaultPoint.fault = null;
    }

    /** The next steps of this name find none. */
    private static void failNext(int times, String step, Error error) {
        int[] left = {times};
        FaultPoint.fault = () -> {
            boolean here =
                    STACK.walk(frames -> frames.dropWhile(f -> !f.getClassName().equals(FaultPoint.class.getName()))
                            .skip(1)
                            .findFirst()
                            .filter(f -> f.getMethodName().equals(step))
                            .isPresent());
            if (here && left[0]-- > 0) throw error;
        };
    }

    /** What is told of those that fail is its work. */
    private static void serviceHasItsStack() {
        Runtimes.here("the test").inService(() -> {});
        suspend();
    }

    @Test
    void coroutines_neverBeginAndTheRunEndsInOrder() {
        var error = new OutOfMemoryError("for a stack");
        assertThat(new TestRuntime().failure(() -> {
                    Runtimes.here("the test").atEnd(() -> log.add("clean-up"));
                    serviceHasItsStack();
                    failNext(10, "newContext", error);
                    for (int i = 0; i < 10; i++) spawn(() -> log.add("begun"));
                    suspend();
                }))
                .isSameAs(error);
        assertThat(log).containsExactly("clean-up");
    }

    @Test
    void service_itsJobIsDoneByAnother() {
        var error = new OutOfMemoryError("for a stack");
        var run = new TestRuntime();
        assertThat(run.failure(() -> {
                    failNext(1, "newContext", error);
                    Runtimes.here("the test").inService(() -> log.add("job"));
                    suspend();
                }))
                .isSameAs(error);
        assertThat(log).containsExactly("job");
        assertThat(run.reactor().now()).as("nobody was waited for").isZero();
    }

    @Test
    void requestOfTheEnd_allAreLeftWhereTheyAre() {
        var run = new TestRuntime();
        var error = new OutOfMemoryError("for the end");
        assertThat(run.failure(() -> {
                    Runtimes.here("the test").atEnd(() -> log.add("clean-up"));
                    failNext(2, "unhandled", error); // its origin, then the request
                    Async.launch(() -> {
                        throw error;
                    });
                    spawn(() -> log.add("begun"));
                    suspend();
                    log.add("main");
                }))
                .isSameAs(error);
        assertThat(log).isEmpty();
        assertThat(run.runtime().survivors()).hasSize(2);
    }

    /** A step of the loop that fails now and then is no reason to leave anybody where he is. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    void stepOfTheLoop_othersAreLeftOnlyIfItGoesOnFailing(int times) {
        var error = new OutOfMemoryError("for the service");
        var run = new TestRuntime();
        Throwable thrown = run.failure(() -> {
            failNext(times, "takeIfReady", error);
            Runtimes.here("the test").inService(() -> log.add("job"));
            try {
                delay(3_600_000);
            } finally {
                delay(1);
                log.add("main has ended");
            }
        });
        assertThat(thrown).isSameAs(error);
        if (times == 1) {
            assertThat(log).containsExactly("job", "main has ended");
            assertThat(run.runtime().survivors()).isEmpty();
        } else {
            assertThat(log).isEmpty();
            assertThat(run.runtime().survivors()).hasSize(1);
        }
    }
}
