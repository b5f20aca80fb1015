package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * What try-with-resources hides in a cancellation is told once: by the scope, unless the cancellation itself is told as
 * an error.
 */
@Tag("D17")
class HiddenErrorsTest {
    private final List<String> log = new ArrayList<>();

    /** Waits for ever inside of a scope whose coroutine fails when it is closed. */
    private static void closesAScopeThatFails() {
        try (var scope = new Scope()) {
            scope.spawn(() -> {
                try {
                    delay(100_000);
                } finally {
                    fails();
                }
            });
            delay(100_000, timeout(10));
        }
    }

    private static void fails() {
        throw new IllegalStateException("hidden");
    }

    /** With its stack. */
    private static int timesTold(Throwable error) {
        var text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString().split("HiddenErrorsTest.fails", -1).length - 1;
    }

    @Test
    void cancelledCloserThatIsAwaited_theErrorGoesToTheScopeAlone() {
        var runtime = new TestRuntime();
        runtime.start(() -> {
            var above = new Scope();
            above.setExceptionHandler((s, c, error) -> log.add(error.getMessage()));
            Coroutine<?> closer = above.spawn(HiddenErrorsTest::closesAScopeThatFails);
            delay(1);
            closer.cancel(new AsyncCancellation("given reason"));
            assertThat(catchThrowable(() -> await(closer))).hasMessage("given reason");
            delay(5_000);
            assertThat(closer.isCancelled()).isTrue();
            above.dispose();
        });
        assertThat(log).containsExactly("hidden");
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void cancelledCloserThatIsAwaited_andNoHandler_theRunEndsWithTheErrorOnce() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            Coroutine<?> closer = spawn(HiddenErrorsTest::closesAScopeThatFails);
            delay(1);
            closer.cancel();
            catchThrowable(() -> await(closer));
            delay(100_000);
        });
        assertThat(thrown).isInstanceOf(IllegalStateException.class);
        assertThat(timesTold(thrown)).isEqualTo(1);
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void timeoutOfMainThatHidesAnError_isToldOnceWithIt() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(HiddenErrorsTest::closesAScopeThatFails);
        assertThat(thrown).isInstanceOf(OperationCanceledException.class);
        assertThat(timesTold(thrown)).isEqualTo(1);
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void awaiterThatFailsWithTheCancellationAsItsCause_theErrorIsToldOnceInIt() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            Coroutine<?> closer = spawn(HiddenErrorsTest::closesAScopeThatFails);
            delay(1);
            closer.cancel();
            try {
                await(closer);
            } catch (AsyncCancellation e) {
                throw new IllegalArgumentException("the other one was cancelled", e);
            }
        });
        assertThat(thrown).isInstanceOf(IllegalArgumentException.class).hasCauseInstanceOf(AsyncCancellation.class);
        assertThat(timesTold(thrown)).isEqualTo(1);
    }

    @Test
    @SuppressWarnings("finally") // that is the case
    void closerThatFails_theErrorIsToldOnceInItsOwn() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            Coroutine<?> closer = spawn(() -> {
                try {
                    closesAScopeThatFails();
                } finally {
                    throw new IllegalArgumentException("its own");
                }
            });
            delay(1);
            closer.cancel();
            delay(100_000);
        });
        assertThat(thrown).hasMessage("its own");
        assertThat(timesTold(thrown)).isEqualTo(1);
    }

    private static void closesAFileThatFails() throws Exception {
        try (AutoCloseable file = HiddenErrorsTest::fails) {
            delay(100_000);
        }
    }

    @Test
    @Tag("D30")
    void resourceThatFailsWhileACancellationPasses_isToldOnce() {
        var runtime = new TestRuntime();
        runtime.start(() -> {
            var scope = new Scope();
            for (int i = 0; i < 2; i++) scope.launch("writer", HiddenErrorsTest::closesAFileThatFails);
            scope.launch(() -> delay(100_000));
            Coroutine<?> asked = spawn(() -> {
                try (AutoCloseable file = () -> {
                    throw new java.io.InterruptedIOException("the cancellation again");
                }) {
                    delay(100_000);
                }
            });
            delay(1);
            scope.cancel(new AsyncCancellation("given reason"));
            asked.cancel();
            delay(5_000);
        });
        assertThat(runtime.reports()).hasSize(2).allSatisfy(report -> assertThat(report.toString())
                .contains("'writer'", "given reason", "IllegalStateException: hidden"));
    }

    @Test
    @Tag("D30")
    void resourceOfATaskOfAGroup_isToldAlthoughTheGroupIsAskedForItsErrors() {
        var runtime = new TestRuntime();
        runtime.start(() -> {
            var group = new TaskGroup<Object>();
            group.spawn(() -> {
                closesAFileThatFails();
                return null;
            });
            delay(1);
            group.cancel();
            delay(5_000);
        });
        assertThat(runtime.reports()).singleElement().asString().contains("IllegalStateException: hidden");
    }
}
