package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** What a scope says of itself, at each step of its life. */
class ScopeTextTest {
    @Test
    void counts_areThoseOfItsOwnCoroutinesAndOfTheScopesInIt() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            assertThat(scope).hasToString("scope, 0 coroutines, cancel interrupts");
            Coroutine<?> one = scope.spawn(() -> delay(1_000));
            assertThat(scope).hasToString("scope, 1 coroutine, cancel interrupts");
            Coroutine<?> two = scope.spawn(() -> delay(1_000));
            Scope child = Scope.inherit(scope);
            child.spawn(() -> delay(1_000));
            assertThat(scope).hasToString("scope, 2 coroutines, 1 child scope, cancel interrupts");
            Scope other = Scope.inherit(scope);
            assertThat(scope).hasToString("scope, 2 coroutines, 2 child scopes, cancel interrupts");
            one.cancel();
            suspend();
            assertThat(scope).hasToString("scope, 1 coroutine, 2 child scopes, cancel interrupts");
            scope.cancel();
            assertThat(scope).hasToString("scope, 1 coroutine, 1 child scope, cancelled");
            assertThat(other).hasToString("scope, 0 coroutines, closed");
            suspend();
            assertThat(two.isCompleted()).isTrue();
            assertThat(scope).hasToString("scope, 0 coroutines, closed");
        });
    }

    @Test
    void mainScope_isNamed() {
        TestRuntime.run(() -> {
            assertThat(Scope.global()).hasToString("main scope, 1 coroutine, cancel interrupts");
            spawn(() -> assertThat(Scope.global()).hasToString("main scope, 2 coroutines, cancel interrupts"));
            suspend();
        });
    }

    @Test
    void zombies_areSaidToRunOn() {
        TestRuntime.run(() -> {
            Scope scope = new Scope().letRunOn();
            scope.spawn(() -> delay(10));
            suspend();
            scope.cancel();
            assertThat(scope).hasToString("scope, 1 coroutine, cancelled, lets run on what had begun");
            delay(20);
            assertThat(scope).hasToString("scope, 0 coroutines, closed");
        });
    }

    @Test
    void onAnotherThread_theScopesInItAreNotCounted() {
        var text = new AtomicReference<String>();
        TestRuntime.run(() -> {
            var scope = new Scope();
            Scope.inherit(scope).spawn(() -> delay(1));
            Thread other = Thread.ofPlatform().start(() -> text.set(scope.toString()));
            while (other.isAlive()) Thread.onSpinWait();
        });
        assertThat(text.get()).isEqualTo("scope, 0 coroutines, cancel interrupts");
    }

    @Test
    void scopeOfAFinallyHandler_isNobodysChildScope() {
        var seen = new ArrayList<Object>();
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> c = scope.spawn(() -> {});
            c.onFinally(ended -> {
                seen.add(scope.childScopes());
                seen.add(scope.toString());
                suspend();
                spawn(() -> seen.add("spawned"));
            });
            scope.awaitCompletion();
        });
        assertThat(seen).containsExactly(java.util.List.of(), "scope, 0 coroutines, cancel interrupts", "spawned");
    }
}
