package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

/** What fails in a scope leaves by the block that closes the scope, also if a wait for the scope was given up. */
@Tag("D23")
class ScopeErrorsOfBlocksTest {
    private final List<String> above = new ArrayList<>();
    private @Nullable Throwable left;

    /** A scope whose handler would take what a block lets go. */
    private Scope outer() {
        var outer = new Scope();
        outer.setExceptionHandler((scope, coroutine, error) -> above.add(error.getMessage()));
        return outer;
    }

    private static void fail(String message) {
        throw new IllegalStateException(message);
    }

    private static boolean carries(@Nullable Throwable thrown, String message) {
        if (thrown == null) return false;
        if (message.equals(thrown.getMessage()) || carries(thrown.getCause(), message)) return true;
        for (Throwable s : thrown.getSuppressed()) if (carries(s, message)) return true;
        return false;
    }

    /** Waits in a block for a scope of its own, in which a coroutine fails when the gate opens. */
    private void block(Future<Object> gate, Completable<?> token, int cleanUpMillis) {
        try (var scope = Scope.inherit()) {
            scope.spawn(() -> {
                await(gate);
                fail("inner");
            });
            try {
                scope.awaitCompletion(token);
            } finally {
                if (cleanUpMillis > 0) protect(() -> delay(cleanUpMillis));
            }
        } catch (Throwable e) {
            left = e;
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 0", "3, 0", "4, 0", "0, 10", "1, 10", "2, 10", "3, 10"})
    void ownerIsCancelledAboutWhenAMemberFails_theErrorLeavesByTheBlock(int turns, int cleanUpMillis) {
        TestRuntime.run(() -> {
            Scope outer = outer();
            var gate = new FutureState<Object>();
            Coroutine<?> owner = outer.spawn(() -> block(gate.future(), timeout(60_000), cleanUpMillis));
            for (int i = 0; i < 4; i++) suspend();
            gate.complete(null);
            for (int i = 0; i < turns; i++) suspend();
            owner.cancel();
            delay(100);
            assertThat(carries(left, "inner")).as("left by %s", left).isTrue();
            outer.dispose();
        });
        assertThat(above).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 0", "3, 0", "0, 10", "1, 10", "2, 10"})
    void tokenEndsAboutWhenAMemberFails_theErrorLeavesByTheBlock(int turns, int cleanUpMillis) {
        TestRuntime.run(() -> {
            Scope outer = outer();
            var gate = new FutureState<Object>();
            var token = new FutureState<Object>();
            outer.spawn(() -> block(gate.future(), token.future(), cleanUpMillis));
            for (int i = 0; i < 4; i++) suspend();
            gate.complete(null);
            for (int i = 0; i < turns; i++) suspend();
            token.complete(null);
            delay(100);
            assertThat(carries(left, "inner")).as("left by %s", left).isTrue();
            outer.dispose();
        });
        assertThat(above).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3"})
    void memberFailsWhileTheOwnerCleansUp_theErrorLeavesByTheBlock(int turns) {
        TestRuntime.run(() -> {
            Scope outer = outer();
            var gate = new FutureState<Object>();
            Coroutine<?> owner = outer.spawn(() -> block(gate.future(), timeout(60_000), 10));
            for (int i = 0; i < 4; i++) suspend();
            owner.cancel();
            for (int i = 0; i < turns; i++) suspend();
            gate.complete(null);
            delay(100);
            assertThat(carries(left, "inner")).as("left by %s", left).isTrue();
            outer.dispose();
        });
        assertThat(above).isEmpty();
    }

    @Test
    void limitOfASectionEndsInTheSameTick_theErrorIsInItsTimeout() {
        TestRuntime.run(() -> {
            Scope outer = outer();
            Coroutine<?> owner = outer.spawn(() -> {
                withTimeout(Duration.ofMillis(50), () -> {
                    try (var scope = Scope.inherit()) {
                        scope.spawn(() -> {
                            delay(50);
                            fail("inner");
                        });
                        scope.awaitCompletion();
                    }
                });
            });
            assertThatThrownBy(() -> await(owner))
                    .satisfies(e -> assertThat(carries(e, "inner")).as("%s", e).isTrue());
            outer.dispose();
        });
        assertThat(above).isEmpty();
    }

    // ---- who else takes it

    /** A scope in which a coroutine has failed, and which a wait of the caller has left in the same tick. */
    private static Scope givenUp(Scope above) {
        Scope scope = Scope.inherit(above);
        var token = new FutureState<Object>();
        scope.spawn(() -> {
            token.complete(null);
            fail("inner");
        });
        assertThatThrownBy(() -> scope.awaitCompletion(token.future())).isInstanceOf(OperationCanceledException.class);
        return scope;
    }

    @Test
    void nextWaitOfAnyCoroutine_throwsTheError() {
        TestRuntime.run(() -> {
            Scope outer = outer();
            Scope scope = givenUp(outer);
            assertThat(scope.isClosed()).isTrue();
            assertThatThrownBy(() -> await(spawn(() -> scope.awaitCompletion())))
                    .hasMessage("inner");
            scope.awaitCompletion();
            scope.close();

            Scope another = givenUp(outer);
            another.awaitAfterCancellation((error, s) -> above.add("handler of the wait: " + error.getMessage()), null);
            another.close();
            outer.dispose();
        });
        assertThat(above).containsExactly("handler of the wait: inner");
    }

    @Test
    void severalHaveGivenUp_theErrorIsTakenOnce() {
        TestRuntime.run(() -> {
            Scope outer = outer();
            Scope scope = Scope.inherit(outer);
            var token = new FutureState<Object>();
            scope.spawn(() -> {
                delay(5);
                token.complete(null);
                fail("inner");
            });
            for (int i = 0; i < 2; i++)
                spawn(() -> {
                    try {
                        scope.awaitCompletion(token.future());
                    } catch (OperationCanceledException e) {
                        delay(50);
                    }
                });
            delay(10);
            scope.awaitAfterCancellation((error, s) -> above.add("taken: " + error.getMessage()), null);
            scope.close();
            delay(100);
            outer.dispose();
        });
        assertThat(above).containsExactly("taken: inner");
    }

    @Test
    void waiterEndsAndNobodyHasClosedTheScope_theErrorGoesUp() {
        TestRuntime.run(() -> {
            Scope outer = outer();
            var scopes = new ArrayList<Scope>(); // no handle is lost
            spawn(() -> {
                scopes.add(givenUp(outer));
                delay(50);
                above.add("waiter ends");
            });
            delay(100);
            assertThat(above).containsExactly("waiter ends", "inner");
            scopes.getFirst().close();
            outer.dispose();
        });
    }

    @Test
    void waiterEndsAndNobodyIsAbove_theErrorEndsTheRun() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var scopes = new ArrayList<Scope>();
            spawn(() -> {
                scopes.add(givenUp(new Scope()));
            });
            delay(1_000);
            above.add("not reached");
        });
        assertThat(thrown).hasMessage("inner");
        assertThat(above).isEmpty();
    }

    @Test
    void handleIsLostWhileTheWaiterLives_theErrorGoesUp() {
        TestRuntime.run(() -> {
            Scope outer = outer();
            givenUp(outer);
            for (int i = 0; i < 50 && above.isEmpty(); i++) {
                Garbage.collect();
                delay(1);
            }
            assertThat(above).containsExactly("inner");
            outer.dispose();
        });
    }

    @Test
    void errorThatIsKeptForLong_isReported() {
        var reports = new ArrayList<String>();
        new TestRuntime(builder -> builder.diagnostics(reports::add)).start(() -> {
            Scope outer = outer();
            try (Scope scope = givenUp(outer)) {
                delay(2_000);
            } catch (IllegalStateException e) {
                above.add("block: " + e.getMessage());
            }
            outer.dispose();
        });
        assertThat(reports)
                .singleElement()
                .asString()
                .contains("the wait for its scope was given up", "inner", "its close()");
        assertThat(above).containsExactly("block: inner");
    }

    // ---- other waits

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3"})
    void callerOfIterateIsCancelledAboutWhenACallFails_theErrorIsItsOwn(int turns) {
        TestRuntime.run(() -> {
            Scope outer = outer();
            var gate = new FutureState<Object>();
            Coroutine<?> owner = outer.spawn(() -> {
                try {
                    Async.iterate(List.of(1, 2), item -> {
                        if (item == 2) delay(1_000);
                        else
                            spawn(() -> {
                                await(gate.future());
                                fail("inner");
                            });
                        return true;
                    });
                } catch (Throwable e) {
                    left = e;
                }
            });
            for (int i = 0; i < 6; i++) suspend();
            gate.complete(null);
            for (int i = 0; i < turns; i++) suspend();
            owner.cancel();
            delay(100);
            assertThat(carries(left, "inner")).as("left by %s", left).isTrue();
            outer.dispose();
        });
        assertThat(above).isEmpty();
    }

    /** A method of its own, as a local variable would keep the group. */
    private static void waitForAGroupAndGiveUp(Future<Object> gate) {
        var group = new TaskGroup<Integer>();
        group.spawn(() -> {
            await(gate);
            fail("inner");
        });
        Coroutine<?> waiter = spawn(() -> await(group.all()));
        suspend();
        suspend();
        waiter.cancel();
        delay(1);
    }

    @Test
    void waitForAGroupsFutureIsGivenUp_itsErrorIsReported() {
        var reports = new ArrayList<String>();
        new TestRuntime(builder -> builder.diagnostics(reports::add)).start(() -> {
            var gate = new FutureState<Object>();
            waitForAGroupAndGiveUp(gate.future());
            gate.complete(null);
            for (int i = 0; i < 50 && reports.isEmpty(); i++) {
                Garbage.collect();
                delay(1);
            }
        });
        assertThat(reports).singleElement().asString().contains("Nobody caught the error of a future", "inner");
    }
}
