package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Where an error goes that a handler has not taken, or that those who waited for the scope have left. */
class ScopeErrorWaysTest {
    private final List<String> log = new ArrayList<>();

    private static void fails(Scope scope, String message) {
        scope.launch(() -> {
            throw new IllegalStateException(message);
        });
    }

    private static void fail(String message) {
        throw new IllegalStateException(message);
    }

    @Test
    void handlerThatThrows_theScopeAboveIsAskedAsForAScopeInIt() {
        TestRuntime.run(() -> {
            var above = new Scope();
            above.setExceptionHandler((s, c, error) -> log.add("own"));
            above.setChildScopeExceptionHandler(
                    (s, c, error) -> log.add(error.getMessage() + " with " + error.getSuppressed()[0].getMessage()));
            Scope scope = Scope.inherit(above);
            scope.setExceptionHandler((s, c, error) -> fail("handler"));
            fails(scope, "boom");
            delay(1);
            assertThat(scope.isCancelled()).isTrue();
            assertThat(above.isCancelled()).isFalse();
            above.dispose();
        });
        assertThat(log).containsExactly("boom with handler");
    }

    @Test
    void handlerThatThrowsWhileSomebodyWaits_theWaiterHasTheError() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> fail("handler"));
            scope.spawn(() -> delay(10));
            fails(scope, "boom");
            assertThatThrownBy(scope::awaitCompletion).hasMessage("boom").satisfies(e -> assertThat(e.getSuppressed())
                    .anyMatch(s -> "handler".equals(s.getMessage())));
        });
    }

    @Test
    void handlerThatEndsByACancellation_hasNotTakenTheError() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> {
                throw new AsyncCancellation("given up");
            });
            fails(scope, "boom");
            delay(1_000);
            log.add("not reached");
        });
        assertThat(thrown).hasMessage("boom");
        assertThat(thrown.getSuppressed()).anyMatch(s -> s instanceof AsyncCancellation);
        assertThat(log).isEmpty();
    }

    @Test
    void errorInTheMainScopeWhileSomebodyWaitsForThat_isTheWaiters() {
        TestRuntime.run(() -> {
            Coroutine<?> waiter = new Scope().spawn(() -> {
                assertThatThrownBy(() -> Scope.global().awaitCompletion()).hasMessage("boom");
                log.add("has it");
            });
            suspend();
            Coroutine<?> kept = spawn(() -> fail("boom"));
            suspend();
            suspend();
            assertThat(kept.isCompleted()).isTrue();
            assertThat(waiter.isCompleted()).isFalse();
        });
        assertThat(log).containsExactly("has it");
    }

    /** One coroutine of it fails 5 ms later, the last one ends after 100. */
    private static Scope cancelledAndFailing(Scope above) {
        Scope scope = Scope.inherit(above);
        scope.spawn(() -> {
            try {
                delay(1_000);
            } finally {
                delay(5);
                fail("boom");
            }
        });
        scope.spawn(() -> {
            try {
                delay(1_000);
            } finally {
                delay(100);
            }
        });
        suspend();
        scope.cancel();
        return scope;
    }

    @Test
    void waiterWhoseHandlerThrewAndWhoIsCancelled_leavesTheErrorToTheScopeAbove() {
        TestRuntime.run(() -> {
            var above = new Scope();
            above.setExceptionHandler(
                    (s, c, error) -> log.add(error.getMessage() + " with " + error.getSuppressed()[0].getMessage()));
            Scope scope = cancelledAndFailing(above);
            Coroutine<?> waiter =
                    spawn(() -> scope.awaitAfterCancellation((error, s) -> fail("handler"), timeout(1_000)));
            delay(10);
            waiter.cancel();
            assertThatThrownBy(() -> await(waiter)).isInstanceOf(AsyncCancellation.class);
            delay(200);
            above.dispose();
        });
        assertThat(log).containsExactly("handler with boom");
    }

    @Test
    void oneOfTwoWaitersHasThrownTheError_theOtherOneLeavesNothing() {
        TestRuntime.run(() -> {
            var above = new Scope();
            above.setExceptionHandler((s, c, error) -> log.add("above: " + error.getMessage()));
            Scope scope = cancelledAndFailing(above);
            Coroutine<?> takes = spawn(() -> scope.awaitAfterCancellation(
                    (error, s) -> log.add("taken: " + error.getMessage()), timeout(1_000)));
            Coroutine<?> leaves = spawn(() -> scope.awaitAfterCancellation(null, timeout(50)));
            assertThatThrownBy(() -> await(leaves)).isInstanceOf(OperationCanceledException.class);
            await(takes);
            above.dispose();
        });
        assertThat(log).containsExactly("taken: boom");
    }

    @Test
    void errorThatWaitersLeaveDuringAShutdown_isTheRunsAndCutsNobodyShort() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var scope = new Scope();
            scope.spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    fail("boom");
                }
            });
            spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    delay(10);
                    log.add("cleaned up");
                }
            });
            spawn(() -> scope.awaitCompletion());
            suspend();
            gracefulShutdown();
        });
        assertThat(thrown).hasMessage("boom");
        assertThat(thrown.getSuppressed()[0]).asString().contains("in coroutine #", "ScopeErrorWaysTest.java:");
        assertThat(log).containsExactly("cleaned up");
    }

    @Test
    void errorInAMainScopeThatHasNoHandlerForIt_isKeptForWhoeverAsks() {
        TestRuntime.run(() -> {
            Scope.global().setChildScopeExceptionHandler((s, c, error) -> log.add("not a child's"));
            Coroutine<?> kept = spawn(() -> fail("boom"));
            delay(10);
            assertThatThrownBy(() -> await(kept)).hasMessage("boom");
        });
        assertThat(log).isEmpty();
    }
}
