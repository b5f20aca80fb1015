package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.requestContext;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;

/** Every way to begin something in a scope: where it may be called, and what it begins. */
class ScopeSpawnTest {
    record Form(String name, Function<Scope, Coroutine<?>> spawn) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static void nothing() {}

    static Stream<Form> forms() {
        Callable<Integer> callable = () -> 7;
        Body body = ScopeSpawnTest::nothing;
        return Stream.of(
                new Form("callable", s -> s.spawn(callable)),
                new Form("body", s -> s.spawn(body)),
                new Form("task", s -> s.spawn((Task<Integer>) () -> 7)),
                new Form("launch", s -> s.launch(body)),
                new Form("named callable", s -> s.spawn("named", callable)),
                new Form("named body", s -> s.spawn("named", body)),
                new Form("named launch", s -> s.launch("named", body)),
                new Form("with", s -> Async.spawnWith(s, () -> 7)));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void begunInTheScope_isItsOwnUntilItEnds(Form form) {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> c = form.spawn().apply(scope);
            assertThat(scope.toString()).startsWith("scope, 1 coroutine,");
            assertThat(c.toString().contains("'named'")).isEqualTo(form.name().startsWith("named"));
            scope.awaitCompletion();
            assertThat(c.isCompleted()).isTrue();
            assertThat(scope.toString()).startsWith("scope, 0 coroutines,");
        });
    }

    @ParameterizedTest
    @MethodSource("forms")
    void scopeThatHasEnded_refusesAndNothingHasBegun(Form form) {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.cancel();
            assertThatThrownBy(() -> form.spawn().apply(scope)).isInstanceOf(AsyncException.class);
            assertThat(Async.coroutines()).hasSize(1);
        });
    }

    @ParameterizedTest
    @MethodSource("forms")
    void onAnotherThreadOrAfterTheRun_isRefusedAndSaysWhy(Form form) throws InterruptedException {
        var thrown = new AtomicReference<Throwable>();
        var kept = new Scope[1];
        TestRuntime.run(() -> {
            kept[0] = new Scope();
            Thread other = Thread.ofPlatform()
                    .start(() -> thrown.set(catchThrowable(() -> form.spawn().apply(kept[0]))));
            while (other.isAlive()) Thread.onSpinWait();
            assertThat(Async.coroutines()).hasSize(1);
        });
        assertThat(thrown.get()).isInstanceOf(AsyncException.class).hasMessageContaining("thread");
        assertThatThrownBy(() -> form.spawn().apply(kept[0])).isInstanceOf(AsyncException.class);
    }

    /** Ends its scope, at once or when it is asked before something begins in it. */
    private record Ends(Scope scope, boolean atOnce, List<String> log) implements SpawnStrategy {
        @Override
        public Scope provideScope() {
            if (atOnce) scope.cancel();
            return scope;
        }

        @Override
        public void beforeEnqueue(Coroutine<?> coroutine, Scope chosen) {
            log.add("before");
            scope.cancel();
        }

        @Override
        public void afterEnqueue(Coroutine<?> coroutine, Scope chosen) {
            log.add("after");
        }
    }

    @Test
    void strategyWhoseScopeHasEnded_isAskedNothingMoreAndNothingBegins() {
        List<String> log = new ArrayList<>();
        TestRuntime.run(() -> {
            for (boolean atOnce : new boolean[] {true, false}) {
                var strategy = new Ends(new Scope(), atOnce, log);
                assertThatThrownBy(() -> Async.spawnWith(strategy, () -> log.add("body")))
                        .isInstanceOf(AsyncException.class);
            }
            suspend();
            assertThat(Async.coroutines()).hasSize(1);
        });
        assertThat(log).containsExactly("before");
    }

    // ---- contexts

    @Test
    void finallyHandler_seesTheValuesOfTheScopeThatItBelongsTo() {
        List<Object> seen = new ArrayList<>();
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.context().set("user", "ada");
            Scope inner = Scope.inherit(scope);
            inner.spawn(() -> {}).onFinally(ended -> {
                seen.add(Async.currentContext().get("user"));
                await(Async.spawn(() -> seen.add(Async.currentContext().get("user"))));
                Scope below = Scope.inherit();
                seen.add(below.context().get("user"));
                below.dispose();
            });
            scope.awaitCompletion();
            scope.dispose();
        });
        assertThat(seen).containsExactly("ada", "ada", "ada");
    }

    @Test
    void requestContext_isNotThatOfAScopeThatOnlyHasHandlers() {
        TestRuntime.run(() -> {
            Scope request = new Scope().asRequest();
            request.context().set("id", 7);
            Scope below = Scope.inherit(request);
            below.context().set("id", 8);
            below.setExceptionHandler((s, c, error) -> {});
            assertThat(await(below.spawn(() -> requestContext().<Integer>get("id"))))
                    .isEqualTo(7);
            request.dispose();
        });
    }

    // ---- waits

    @Test
    void waitForAScope_saysWhatItWaitsFor() {
        TestRuntime.run(() -> {
            Scope scope = new Scope().letRunOn();
            scope.spawn(() -> delay(100));
            Coroutine<?> completion = Async.spawn(() -> scope.awaitCompletion());
            suspend();
            assertThat(completion.awaitingInfo()).containsExactly("completion of " + scope);
            scope.cancel();
            Coroutine<?> zombies = Async.spawn(() -> scope.awaitAfterCancellation());
            suspend();
            assertThat(zombies.awaitingInfo()).containsExactly("last coroutine of " + scope);
        });
    }
}
