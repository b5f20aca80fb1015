package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class MainScopeTest {
    @Test
    void global_isOneObjectThroughoutARunAndAnotherInTheNext() {
        var first = new AtomicReference<Scope>();
        TestRuntime.run(() -> {
            first.set(Scope.global());
            Coroutine<Boolean> other = spawn(() -> Scope.global() == first.get());
            assertThat(await(other)).isTrue();
        });
        TestRuntime.run(() -> assertThat(Scope.global()).isNotSameAs(first.get()));
    }

    @Test
    void spawn_queuesLikeAsyncSpawn() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> log.add("first"));
            Coroutine<Integer> second = Scope.global().spawn(() -> {
                log.add("second");
                return 2;
            });
            Coroutine<?> third = Scope.global().spawn((Body) () -> log.add("third"));
            assertThat(Async.coroutines()).contains(second, third).hasSize(4);
            suspend();
            assertThat(log).containsExactly("first", "second", "third");
            assertThat(await(second)).isEqualTo(2);
        });
    }

    @Test
    void runEndsWhenAllThatItOwnsHaveEnded() {
        var ended = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            for (int i = 0; i < 3; i++) {
                int n = i;
                Scope.global().spawn(() -> {
                    Async.delay(n);
                    ended.add(n);
                });
            }
        });
        assertThat(ended).containsExactly(0, 1, 2);
    }

    @Test
    void outsideOfARuntime_isAnErrorThatNamesTheWayOut() {
        assertThatThrownBy(Scope::global)
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Scope.global")
                .hasMessageContaining("Async.run");
    }

    @Test
    void spawnAfterTheRun_isAnError() {
        var kept = new AtomicReference<Scope>();
        TestRuntime.run(() -> kept.set(Scope.global()));
        assertThatThrownBy(() -> kept.get().spawn(() -> 1))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("has ended");
    }
}
