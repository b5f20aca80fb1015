package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** What those are told who are cancelled because of somebody else's error. */
class FailureReasonTest {
    private final List<AsyncCancellation> seen = new ArrayList<>();

    private void waits() {
        try {
            delay(1_000);
        } catch (AsyncCancellation e) {
            seen.add(e);
            throw e;
        }
    }

    @Test
    void errorThatEndsTheRun_isNamedAndIsTheCause() {
        var error = new IllegalStateException("boom");
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(this::waits);
            suspend();
            throw error;
        });
        assertThat(thrown).isSameAs(error);
        assertThat(seen)
                .singleElement()
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.THROWABLE)
                .hasMessage("shutdown after an unhandled error: java.lang.IllegalStateException: boom")
                .hasToString(AsyncCancellation.class.getName()
                        + ": shutdown after an unhandled error: java.lang.IllegalStateException: boom")
                .hasCause(error);
    }

    @Test
    void errorThatEndsAScope_isNamedWithItsCoroutineAndIsNoCause() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.spawn(this::waits);
            suspend();
            scope.launch("importer", () -> {
                throw new IllegalStateException("boom");
            });
            try {
                scope.awaitCompletion();
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("boom");
            }
        });
        assertThat(seen)
                .singleElement()
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.THROWABLE)
                .hasMessageMatching("coroutine #\\d+ 'importer' of the same scope failed: "
                        + "java\\.lang\\.IllegalStateException: boom")
                .hasNoCause();
    }
}
