package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnWith;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Which scope owns a coroutine, and where nothing may be spawned any more. */
class ScopeTreeTest {
    @Test
    @Tag("C13")
    void nestedSpawns_stayInTheScope() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            var log = new ArrayList<String>();
            scope.spawn(() -> {
                spawn(() -> {
                    Async.delay(10);
                    spawn(() -> log.add("innermost"));
                });
            });
            scope.awaitCompletion(timeout(1_000));
            assertThat(log).containsExactly("innermost");
            scope.dispose();
        });
    }

    @Test
    @Tag("C13")
    void inherit_isAChildOfTheCurrentScopeOrOfTheGivenOne() {
        TestRuntime.run(() -> {
            Scope atTop = Scope.inherit();
            assertThat(Scope.global().childScopes()).containsExactly(atTop);
            var free = new Scope();
            assertThat(Scope.global().childScopes()).doesNotContain(free);
            Scope inFree = Scope.inherit(free);
            assertThat(free.childScopes()).containsExactly(inFree);
            Coroutine<Scope> made = atTop.spawn(() -> Scope.inherit());
            assertThat(atTop.childScopes()).isEmpty();
            Scope inside = await(made);
            assertThat(atTop.childScopes()).containsExactly(inside);
            inside.dispose();
            assertThat(atTop.childScopes()).isEmpty();
            free.dispose();
            atTop.dispose();
            assertThat(Scope.global().childScopes()).isEmpty();
        });
    }

    @Test
    @Tag("C14")
    void freshScope_isFinishedAndNeitherClosedNorCancelled() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            assertThat(scope.isFinished()).isTrue();
            assertThat(scope.isClosed()).isFalse();
            assertThat(scope.isCancelled()).isFalse();
            Coroutine<?> member = scope.spawn(() -> {});
            assertThat(scope.isFinished()).isFalse();
            await(member);
            assertThat(scope.isFinished()).isTrue();
            scope.dispose();
            assertThat(scope.isClosed()).isTrue();
        });
    }

    @Test
    @Tag("C14")
    void scopeWithWorkBelow_isNotFinished() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Scope below = Scope.inherit(Scope.inherit(scope));
            Coroutine<?> member = below.spawn(() -> Async.delay(5));
            assertThat(scope.isFinished()).isFalse();
            await(member);
            assertThat(scope.isFinished()).isTrue();
            scope.dispose();
        });
    }

    @Test
    @Tag("C15")
    void closedDisposedOrCancelledScope_refusesCoroutinesAndScopes() {
        TestRuntime.run(() -> {
            var ran = new ArrayList<String>();
            var closed = new Scope();
            closed.dispose();
            var unwinding = new Scope();
            Coroutine<?> held = unwinding.spawn(() -> {
                try {
                    Async.delay(10_000);
                } finally {
                    assertThatThrownBy(() -> spawn(() -> ran.add("from inside")))
                            .isInstanceOf(AsyncException.class);
                }
            });
            suspend();
            unwinding.cancel();
            for (Scope scope : List.of(closed, unwinding)) {
                assertThatThrownBy(() -> scope.spawn(() -> ran.add("body")))
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("spawn in a scope that is");
                assertThatThrownBy(() -> Scope.inherit(scope)).isInstanceOf(AsyncException.class);
            }
            assertThatThrownBy(() -> await(held)).isInstanceOf(AsyncCancellation.class);
            suspend();
            assertThat(ran).isEmpty();
        });
    }

    @Test
    @Tag("C16")
    void spawnWith_usesTheScopeOfTheProvider() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<Integer> given = spawnWith(scope, () -> 7);
            assertThat(scope.isFinished()).isFalse();
            assertThat(await(given)).isEqualTo(7);
            Coroutine<Integer> own = spawnWith(() -> null, () -> 8);
            assertThat(scope.isFinished()).isTrue();
            assertThat(await(own)).isEqualTo(8);
            scope.dispose();
            assertThatThrownBy(() -> spawnWith(scope, () -> 9)).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("C16")
    void providerThatThrows_spawnsNothing() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("no scope");
            int before = Async.coroutines().size();
            assertThatThrownBy(() -> spawnWith(
                            () -> {
                                throw error;
                            },
                            () -> 1))
                    .isSameAs(error);
            assertThat(Async.coroutines()).hasSize(before);
        });
    }

    private static class Recording implements SpawnStrategy {
        final List<String> log = new ArrayList<>();
        final Scope scope = new Scope();

        @Override
        public Scope provideScope() {
            log.add("provide");
            return scope;
        }

        @Override
        public void beforeEnqueue(Coroutine<?> coroutine, Scope chosen) {
            assertThat(chosen).isSameAs(scope);
            assertThat(scope.isFinished()).isTrue();
            coroutine.context().set("name", "worker");
            log.add("before");
        }

        @Override
        public void afterEnqueue(Coroutine<?> coroutine, Scope chosen) {
            assertThat(coroutine.isQueued()).isTrue();
            assertThat(scope.isFinished()).isFalse();
            log.add("after");
        }
    }

    @Test
    @Tag("C16")
    void strategy_isToldOfEachStepOnceBeforeTheBody() {
        TestRuntime.run(() -> {
            var strategy = new Recording();
            await(spawnWith(
                    strategy,
                    () -> strategy.log.add("body of " + Async.coroutineContext().get("name"))));
            assertThat(strategy.log).containsExactly("provide", "before", "after", "body of worker");
            strategy.scope.dispose();
        });
    }

    @Test
    @Tag("C16")
    void strategyThatThrows_leavesNothingBehind() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            var before = new Recording() {
                @Override
                public void beforeEnqueue(Coroutine<?> coroutine, Scope chosen) {
                    throw new IllegalStateException("before");
                }
            };
            assertThatThrownBy(() -> spawnWith(before, () -> log.add("body"))).hasMessage("before");
            assertThat(before.scope.isFinished()).isTrue();
            var after = new Recording() {
                @Override
                public void afterEnqueue(Coroutine<?> coroutine, Scope chosen) {
                    throw new IllegalStateException("after");
                }
            };
            assertThatThrownBy(() -> spawnWith(after, () -> log.add("body"))).hasMessage("after");
            after.scope.awaitCompletion(timeout(1_000));
            assertThat(log).isEmpty();
        });
    }

    @Test
    void scopesOutsideOfARuntime_sayWhatToDo() {
        assertThatThrownBy(Scope::new).isInstanceOf(AsyncException.class).hasMessageContaining("Async.run");
        assertThatThrownBy(Scope::inherit).isInstanceOf(AsyncException.class).hasMessageContaining("Async.run");
    }

    @Test
    void deepTree_isCancelledWithoutRecursion() {
        TestRuntime.run(() -> {
            var top = new Scope();
            var below = new ArrayList<Scope>();
            below.add(top);
            for (int i = 0; i < 20_000; i++) below.add(Scope.inherit(below.getLast()));
            Coroutine<?> deepest = below.getLast().spawn(() -> Async.delay(1_000));
            suspend();
            top.cancel();
            assertThatThrownBy(() -> await(deepest)).isInstanceOf(AsyncCancellation.class);
            assertThat(top.isClosed()).isTrue();
        });
    }
}
