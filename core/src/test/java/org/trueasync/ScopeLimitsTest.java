package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;

/** The timers of scopes, tokens of waits for them, and calls from other runtimes. */
class ScopeLimitsTest {
    private static int timers() {
        return Async.runtimeStats().timers();
    }

    private static int activeEvents() {
        return Async.runtimeStats().activeEvents();
    }

    @Test
    void deadlineOfAScope_isOneHiddenTimerThatEndsWithIt() {
        TestRuntime.run(() -> {
            int before = timers();
            int active = activeEvents();
            try (var scope = new Scope()) {
                scope.spawn(() -> Async.await(new FutureState<>().future()));
                suspend();
                scope.disposeAfterTimeout(Duration.ofDays(2));
                scope.disposeAfterTimeout(Duration.ofDays(1));
                assertThat(timers())
                        .as("the second takes the place of the first")
                        .isEqualTo(before + 1);
                assertThat(activeEvents()).as("it keeps no run alive").isEqualTo(active);
                scope.cancel();
            }
            assertThat(timers()).isEqualTo(before);
        });
    }

    @Test
    void tokenOfAWaitThatWasMet_countsNoLonger() {
        TestRuntime.run(() -> {
            int before = timers();
            int active = activeEvents();
            try (var scope = new Scope()) {
                scope.spawn(() -> delay(5));
                scope.awaitCompletion(timeout(60_000));
                assertThat(timers()).isEqualTo(before);
                assertThat(activeEvents()).isEqualTo(active);
            }
        });
    }

    @Test
    void failingTokenOfAWaitThatNeedsNone_isObserved() {
        TestRuntime run = TestRuntime.run(() -> {
            try (var scope = new Scope()) {
                scope.cancel();
                Coroutine<?> token = Async.spawn(() -> {
                    throw new IllegalStateException("token");
                });
                scope.awaitAfterCancellation(null, token);
                suspend();
                assertThat(token.isCompleted()).isTrue();
            }
        });
        assertThat(run.reports()).isEmpty();
    }

    static Stream<Named<Consumer<Scope>>> waits() {
        return Stream.of(
                Named.of("awaitCompletion", scope -> scope.awaitCompletion(timeout(1_000))),
                Named.of("awaitAfterCancellation", Scope::awaitAfterCancellation));
    }

    @ParameterizedTest
    @MethodSource("waits")
    void waitInAnotherRuntime_isRefusedAlsoWhereThereIsNothingToWaitFor(Consumer<Scope> wait) {
        TestRuntime.run(() -> {
            try (var scope = new Scope()) {
                var thrown = new Throwable[1];
                Thread other = Thread.ofPlatform().start(() -> new TestRuntime().call(() -> {
                    try {
                        wait.accept(scope);
                    } catch (Throwable e) {
                        thrown[0] = e;
                    }
                    return null;
                }));
                other.join();
                assertThat(thrown[0]).isInstanceOf(AsyncException.class).hasMessageContaining("Scope.await");
                assertThat(thrown[0].getMessage()).contains("belongs to loop");
            }
        });
    }
}
