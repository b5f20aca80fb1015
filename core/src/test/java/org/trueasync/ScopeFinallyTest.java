package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
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

/** Finally handlers of scopes, and those of coroutines as far as scopes are concerned. */
class ScopeFinallyTest {
    private final List<String> log = new ArrayList<>();

    @Test
    @Tag("C39")
    @Tag("C42")
    void handlersRunOnceInOrderWhenTheScopeHasEmptied() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.onFinally(s -> log.add("first " + (s == scope)));
            scope.onFinally(s -> {
                delay(5);
                log.add("second");
            });
            scope.spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    delay(10);
                    log.add("unwound");
                }
            });
            suspend();
            scope.dispose();
            scope.awaitAfterCancellation();
            delay(10);
            assertThat(log).containsExactly("unwound", "first true", "second");
            scope.onFinally(s -> log.add("at once"));
            assertThat(log).endsWith("at once");
        });
    }

    @Test
    @Tag("C42")
    void scopeNeverClosed_runsItsHandlersAtTheEndOfTheRun() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Scope below = Scope.inherit(scope);
            scope.onFinally(s -> log.add("outer"));
            below.onFinally(s -> log.add("inner"));
            Scope.global().onFinally(s -> {
                delay(1);
                log.add("main");
            });
            log.add("body");
        });
        assertThat(log)
                .containsExactlyInAnyOrder("body", "inner", "outer", "main")
                .startsWith("body");
    }

    @Test
    @Tag("C40")
    void coroutinesHandlers_mayWaitAndSpawnAlthoughTheScopeIsCancelled() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> member = scope.spawn(() -> delay(1_000));
            member.onFinally(c -> {
                delay(5);
                await(spawn(() -> log.add("spawned in the handler")));
                log.add("handler");
            });
            suspend();
            scope.cancel();
            scope.awaitAfterCancellation();
            log.add("over");
            assertThat(log).containsExactly("spawned in the handler", "handler", "over");
        });
    }

    @Test
    @Tag("C41")
    @Tag("F52")
    void errorsOfHandlers_goToTheScopesHandlerAfterTheBodys() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add(
                    error instanceof CompositeException all
                            ? all.exceptions().stream()
                                    .map(Throwable::getMessage)
                                    .toList()
                                    .toString()
                            : error.getMessage()));
            Coroutine<?> member = scope.spawn(() -> {
                throw new IllegalStateException("body");
            });
            member.onFinally(c -> {
                throw new IllegalStateException("one");
            });
            member.onFinally(c -> log.add("runs all the same"));
            member.onFinally(c -> {
                throw new IllegalStateException("two");
            });
            scope.awaitCompletion(timeout(1_000));
            assertThat(log).containsExactly("body", "runs all the same", "[one, two]");
            scope.dispose();
        });
    }

    @Test
    @Tag("C41")
    void errorOfAScopesHandler_goesToItsOwnHandlerOrEndsTheRun() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add(error.getMessage()));
            scope.onFinally(s -> {
                throw new IllegalStateException("at the end");
            });
            scope.dispose();
            delay(1);
            assertThat(log).containsExactly("at the end");
        });
        Throwable thrown = TestRuntime.failureOf(() -> {
            var scope = new Scope();
            scope.onFinally(s -> {
                throw new IllegalStateException("unhandled");
            });
            scope.dispose();
            delay(1_000);
        });
        assertThat(thrown).hasMessage("unhandled");
    }

    @Test
    @Tag("C39")
    void handlersOfAScopeThatNeverHadACoroutine_runOnDispose() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.onFinally(s -> log.add("finally"));
            scope.dispose();
            suspend();
            assertThat(log).containsExactly("finally");
        });
    }

    @Test
    @Tag("C43")
    void parentsHandlers_runAfterThoseOfTheScopesBelow() {
        TestRuntime.run(() -> {
            var top = new Scope();
            Scope below = Scope.inherit(top);
            top.onFinally(s -> log.add("top"));
            below.onFinally(s -> {
                delay(5);
                log.add("below");
            });
            below.spawn(() -> delay(1_000));
            suspend();
            top.cancel();
            delay(100);
            assertThat(log).containsExactly("below", "top");
        });
    }
}
