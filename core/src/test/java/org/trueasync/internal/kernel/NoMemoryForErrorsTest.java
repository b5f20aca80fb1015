package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.spawn;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Scope;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Cleanup;

/** On the way of an error each step in turn finds no memory: the run ends all the same, and with an error. */
@Tag("K67")
class NoMemoryForErrorsTest {
    private static final IllegalStateException ERROR = new IllegalStateException("the program's error");

    private static final Map<String, Body> PROGRAMS = new LinkedHashMap<>();

    static {
        PROGRAMS.put("main fails", () -> {
            spawn(NoMemoryForErrorsTest::neighbour);
            delay(1);
            throw ERROR;
        });
        PROGRAMS.put("an executor's task fails", () -> {
            spawn(NoMemoryForErrorsTest::neighbour);
            executor().execute(() -> {
                throw ERROR;
            });
            delay(3_600_000);
        });
        PROGRAMS.put("a coroutine fails and nobody asks", () -> {
            spawn(NoMemoryForErrorsTest::neighbour);
            spawn(() -> {
                throw ERROR;
            });
            delay(1);
        });
        PROGRAMS.put("a scope fails", () -> {
            var scope = new Scope();
            scope.spawn(NoMemoryForErrorsTest::neighbour);
            scope.onFinally(s -> delay(1));
            scope.spawn(() -> {
                delay(1);
                throw ERROR;
            });
            delay(3_600_000);
        });
        PROGRAMS.put("finally handlers and clean-up fail", () -> {
            Cleanup.atEnd(() -> {
                throw ERROR;
            });
            spawn(() -> delay(1)).onFinally(c -> {
                throw ERROR;
            });
            delay(3_600_000);
        });
        PROGRAMS.put("the program runs out of memory", () -> {
            spawn(NoMemoryForErrorsTest::neighbour);
            Async.launch(() -> {
                throw new OutOfMemoryError("the program's");
            });
            delay(3_600_000);
        });
    }

    /** Waits on its way out. */
    private static void neighbour() {
        try {
            delay(3_600_000);
        } finally {
            delay(1);
        }
    }

    @AfterEach
    void noFault() {
        FaultPoint.fault = null;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "main fails",
                "an executor's task fails",
                "a coroutine fails and nobody asks",
                "a scope fails",
                "finally handlers and clean-up fail",
                "the program runs out of memory"
            })
    void nthStepFails_runEndsWithAnError(String program) {
        Body main = PROGRAMS.get(program);
        int steps;
        int failed = 0;
        do {
            steps = stepsOf(main, failed, failed);
            failed++;
        } while (failed <= steps);
        assertThat(steps).as("steps that the test knows of").isGreaterThan(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "main fails",
                "an executor's task fails",
                "a coroutine fails and nobody asks",
                "a scope fails",
                "finally handlers and clean-up fail",
                "the program runs out of memory"
            })
    void everyStepFromTheNthOnFails_runEndsWithAnError(String program) {
        Body main = PROGRAMS.get(program);
        for (int first = 0; first < 25; first++) stepsOf(main, first, Integer.MAX_VALUE);
    }

    /** How many steps there were. */
    private static int stepsOf(Body main, int firstToFail, int lastToFail) {
        var steps = new AtomicInteger();
        var running = new Body[1];
        running[0] = () -> {
            FaultPoint.fault = () -> {
                int step = steps.getAndIncrement();
                if (step >= firstToFail && step <= lastToFail) throw new OutOfMemoryError("step " + step);
            };
            main.run();
        };
        Throwable thrown = new TestRuntime().failure(running[0]);
        FaultPoint.fault = null;
        boolean told = thrown == ERROR || thrown instanceof OutOfMemoryError || Causes.contains(thrown, ERROR);
        assertThat(told)
                .as("the run threw the error, or want of memory; step %s: %s", firstToFail, thrown)
                .isTrue();
        return steps.get();
    }
}
