package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** A trace names the types that users can catch, not those that are ours. */
@Tag("F51")
class PublicNamesOfErrorsTest {
    private static void assertNamesOf(Throwable error, Class<?> type) {
        assertThat(error).isInstanceOf(type);
        var text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        List<String> headings = text.toString()
                .lines()
                .filter(line -> !line.strip().startsWith("at "))
                .toList();
        assertThat(headings).noneMatch(line -> line.contains("org.trueasync.internal."));
        assertThat(headings.getFirst()).isEqualTo(type.getName() + ": " + error.getMessage());
    }

    @Test
    void sectionThatHasNoTimeLeft_isAnAsyncTimeoutException() {
        TestRuntime.run(() -> {
            assertNamesOf(
                    catchThrowable(() -> withTimeout(Duration.ofMillis(5), () -> delay(1_000))),
                    AsyncTimeoutException.class);
            assertNamesOf(
                    catchThrowable(() -> withTimeout(Duration.ZERO, () -> delay(1_000))), AsyncTimeoutException.class);
        });
    }

    @Test
    void poolWithNothingFree_isAnAsyncTimeoutException() {
        TestRuntime.run(() -> {
            Pool<Object> pool = Pool.of(Object::new).max(1).build();
            Object taken = pool.acquire();
            assertNamesOf(catchThrowable(() -> pool.acquire(Duration.ofMillis(5))), AsyncTimeoutException.class);
            pool.release(taken);
            pool.close();
        });
    }

    @Test
    void interruptAndFailureOfANeighbour_areAsyncCancellations() {
        var seen = new ArrayList<Throwable>();
        TestRuntime.run(() -> {
            var thread = new Thread[1];
            Coroutine<?> interrupted = spawn(() -> {
                thread[0] = Thread.currentThread();
                seen.add(catchThrowable(() -> delay(1_000)));
            });
            suspend();
            thread[0].interrupt();
            await(interrupted);
            var failing = new Scope();
            failing.spawn(() -> {
                seen.add(catchThrowable(() -> delay(1_000)));
            });
            failing.spawn(() -> {
                throw new IllegalStateException("a neighbour");
            });
            catchThrowable(failing::awaitCompletion);
        });
        assertThat(seen).hasSize(2).allSatisfy(e -> assertNamesOf(e, AsyncCancellation.class));
    }
}
