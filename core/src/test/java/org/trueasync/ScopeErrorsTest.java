package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Microtask;

/** Where an error goes that nobody awaits. */
class ScopeErrorsTest {
    private final List<String> log = new ArrayList<>();

    private static void fail(Scope scope, String message) {
        scope.spawn(() -> {
            throw new IllegalStateException(message);
        });
    }

    @Test
    @Tag("C33")
    void unhandledError_endsItsScopeThenTheOneAboveThenTheRun() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var top = new Scope();
            Scope scope = Scope.inherit(top);
            Scope below = Scope.inherit(scope);
            for (Scope each : List.of(top, scope, below)) {
                each.spawn(() -> {
                    try {
                        delay(10_000);
                    } catch (AsyncCancellation e) {
                        log.add(e.getMessage().contains("boom") ? "fresh" : e.getMessage());
                        throw e;
                    }
                });
            }
            suspend();
            fail(scope, "boom");
            suspend();
            assertThat(below.isCancelled()).isTrue();
            assertThat(scope.isCancelled()).isTrue();
            assertThat(top.isCancelled()).isTrue();
            delay(10_000);
            log.add("not reached");
        });
        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessage("boom");
        assertThat(log).containsExactly("fresh", "fresh", "fresh");
    }

    @Test
    @Tag("C33")
    @Tag("C19")
    void safeScopeThatFails_leavesTheOthersAsZombies() {
        TestRuntime.run(() -> {
            var top = new Scope();
            top.setChildScopeExceptionHandler((s, c, e) -> log.add("taken above"));
            Scope scope = Scope.inherit(top).allowZombies();
            Coroutine<?> sibling = scope.spawn(() -> {
                delay(10);
                log.add("sibling ended");
            });
            suspend();
            fail(scope, "boom");
            await(sibling);
            assertThat(scope.isCancelled()).isTrue();
            assertThat(top.isCancelled()).isFalse();
            assertThat(log).containsExactly("taken above", "sibling ended");
            top.dispose();
        });
    }

    @Test
    @Tag("C34")
    void handler_isCalledForEachFailureInOrderAndTheScopeLivesOn() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, e) -> log.add("replaced"));
            scope.setExceptionHandler((s, coroutine, error) -> {
                assertThat(s).isSameAs(scope);
                assertThat(coroutine.exception()).isSameAs(error);
                log.add(error.getMessage());
            });
            Coroutine<String> sibling = scope.spawn(() -> {
                delay(10);
                return "lives";
            });
            fail(scope, "first");
            fail(scope, "second");
            assertThat(await(sibling)).isEqualTo("lives");
            assertThat(log).containsExactly("first", "second");
            assertThat(scope.isCancelled()).isFalse();
            scope.dispose();
        });
    }

    @Test
    @Tag("C34")
    void mainScopesHandler_takesErrorsThatWouldEndTheRun() {
        TestRuntime.run(() -> {
            Scope.global().setExceptionHandler((s, c, error) -> log.add(error.getMessage()));
            spawn(() -> {
                throw new IllegalStateException("of main's scope");
            });
            fail(Scope.inherit(), "of a child scope");
            delay(1);
        });
        assertThat(log).containsExactly("of main's scope", "of a child scope");
    }

    @Test
    @Tag("D16")
    void launched_failsItsScopeAtOnceAlsoIfSomebodyAwaitsIt() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add("scope: " + error.getMessage()));
            Coroutine<?> launched = scope.launch(() -> {
                delay(1);
                throw new IllegalStateException("boom");
            });
            assertThatThrownBy(() -> await(launched)).hasMessage("boom");
            suspend();
            assertThat(log).containsExactly("scope: boom");
            scope.dispose();
        });
    }

    @Test
    @Tag("D16")
    void launchedInTheMainScope_endsTheRunAtOnce() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> kept = Async.launch(() -> {
                throw new IllegalStateException("boom");
            });
            try {
                delay(1_000_000);
            } finally {
                log.add("main was cancelled, " + kept.isCompleted());
            }
        });
        assertThat(thrown).hasMessage("boom");
        assertThat(log).containsExactly("main was cancelled, true");
        assertThat(thrown.getSuppressed()).singleElement().asString().contains("ScopeErrorsTest.java");
    }

    @Test
    @Tag("D16")
    void launchedAndCancelledBeforeItBegan_isDropped() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.launch(() -> log.add("began"));
            scope.cancel();
            scope.awaitAfterCancellation();
            assertThat(log).isEmpty();
            assertThatThrownBy(() -> scope.launch(() -> {})).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("D16")
    void reportErrors_tellsEachErrorAndTheOthersLiveOn() {
        TestRuntime run = TestRuntime.run(() -> {
            try (var connections = new Scope().reportErrors()) {
                connections.launch(() -> {
                    throw new IllegalStateException("bug in connection 1");
                });
                connections.launch(ScopeErrorsTest::recurse);
                Coroutine<String> third = connections.spawn(() -> {
                    delay(10);
                    return "served";
                });
                assertThat(await(third)).isEqualTo("served");
                assertThat(connections.isCancelled()).isFalse();
            }
        });
        assertThat(run.reports()).hasSize(2);
        assertThat(run.reports().getFirst())
                .contains("bug in connection 1", "ScopeErrorsTest.java", "spawned at")
                .doesNotContain("org.trueasync.internal.kernel");
        assertThat(run.reports().get(1)).contains("StackOverflowError");
    }

    private static void recurse() {
        recurse();
    }

    @Test
    @Tag("C35")
    void childScopesError_asksTheChildHandlerBeforeTheOrdinaryOne() {
        TestRuntime.run(() -> {
            var top = new Scope();
            top.setExceptionHandler((s, c, error) -> log.add("ordinary " + error.getMessage()));
            fail(Scope.inherit(top), "one");
            suspend();
            suspend();
            top.setChildScopeExceptionHandler((s, c, error) -> log.add("child's " + error.getMessage()));
            fail(Scope.inherit(top), "two");
            fail(top, "three");
            suspend();
            suspend();
            assertThat(log).containsExactly("ordinary one", "child's two", "ordinary three");
            top.dispose();
        });
    }

    @Test
    @Tag("C36")
    @Tag("F52")
    void handlerThatThrows_leavesTheErrorUnhandledWithItsOwnAttached() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> {
                throw new IllegalArgumentException("handler");
            });
            fail(scope, "original");
            delay(1_000);
        });
        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessage("original");
        assertThat(thrown.getSuppressed()).anySatisfy(s -> assertThat(s).hasMessage("handler"));
    }

    @Test
    @Tag("C37")
    void handler_runsInACoroutineAndMayWait() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> {
                delay(20);
                await(spawn(() -> log.add("spawned by the handler")));
                log.add("handled");
            });
            fail(scope, "boom");
            scope.awaitCompletion(timeout(1_000));
            assertThat(log).containsExactly("spawned by the handler", "handled");
            scope.dispose();
        });
    }

    @Test
    @Tag("C38")
    @Tag("F50")
    void observedError_isNotOfferedToHandlers() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add("offered"));
            Coroutine<?> failing = scope.spawn(() -> {
                delay(1);
                throw new IllegalStateException("awaited");
            });
            assertThatThrownBy(() -> await(failing)).hasMessage("awaited");
            suspend();
            assertThat(log).isEmpty();
            assertThat(scope.isCancelled()).isFalse();
            scope.dispose();
        });
    }

    @Test
    @Tag("F51")
    void errorOfAnIndependentScope_isReportedOnceAndNamesThePlace() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            fail(new Scope(), "lost");
            delay(1_000);
        });
        assertThat(thrown).hasMessage("lost");
        assertThat(thrown.getSuppressed()).singleElement().asString().contains("ScopeErrorsTest.java");
    }

    @Test
    void cancellationThrownByABody_isNoError() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.spawn(() -> {
                throw new AsyncCancellation("by itself");
            });
            scope.awaitCompletion(timeout(1_000));
            assertThat(scope.isCancelled()).isFalse();
            scope.dispose();
        });
    }

    @Test
    @Tag("C33")
    void error_climbsATreeThatIsDeeperThanTheStack() {
        TestRuntime.run(() -> {
            var top = new Scope();
            top.setExceptionHandler((scope, coroutine, error) -> log.add(error.getMessage()));
            Scope bottom = top;
            for (int i = 0; i < 50_000; i++) bottom = Scope.inherit(bottom);
            fail(bottom, "boom");
            suspend();
            suspend();
            assertThat(bottom.isCancelled()).isTrue();
            assertThat(top.isCancelled()).isFalse();
            assertThat(log).containsExactly("boom");
            top.dispose();
        });
    }

    @Test
    @Tag("C7")
    void coroutineThatCatchesTheScopesCancellation_goesOn() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.spawn(() -> {
                try {
                    delay(1_000);
                } catch (AsyncCancellation e) {
                    delay(10);
                    log.add("went on");
                }
            });
            suspend();
            scope.cancel();
            scope.awaitAfterCancellation();
            assertThat(log).containsExactly("went on");
        });
    }

    @Test
    @Tag("C37")
    void handlerThatWaits_goesOnWhenItsScopeIsClosed() {
        TestRuntime.run(() -> {
            try (var scope = new Scope()) {
                scope.setExceptionHandler((s, c, error) -> {
                    delay(20);
                    log.add(error.getMessage());
                });
                fail(scope, "boom");
                delay(1);
            }
            assertThat(log).containsExactly("boom");
        });
    }

    @Test
    @Tag("K64")
    void handlerThatAShutdownEnds_shortensNobodysCleanUp() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> delay(1_000));
            fail(scope, "boom");
            spawn(() -> {
                try {
                    delay(10_000);
                } finally {
                    delay(10);
                    log.add("cleaned up");
                }
            });
            delay(1);
            Async.gracefulShutdown();
        });
        assertThat(thrown).hasMessage("boom");
        assertThat(log).containsExactly("cleaned up");
    }

    @Test
    @Tag("C13")
    void coroutineOfAMicrotask_belongsToTheMainScope() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            var contexts = new ArrayList<Context>();
            await(scope.spawn(() -> {
                Microtask.of(() -> spawn(() -> contexts.add(Async.currentContext())))
                        .enqueue();
                suspend();
            }));
            delay(1);
            assertThat(contexts).containsExactly(Async.rootContext());
            scope.dispose();
        });
    }
}
