package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.testkit.TestRuntime;

/** What the tree of scopes tells those who reason about who can wake whom. */
class CoroutineScopeTest {
    private static final int MOST = 1_000;
    private static final Body WAITS = () -> delay(1_000);
    private static final ScopedValue<String> NAME = ScopedValue.newInstance();

    private static CoroutineScope scope() {
        return CoroutineScope.independent(Runtimes.here("the test"));
    }

    private static List<Coroutine<?>> all(CoroutineScope scope) {
        var all = new ArrayList<Coroutine<?>>();
        return scope.addAllTo(all) ? all : null;
    }

    @Test
    void allInIt_areItsOwnAndThoseBelow() {
        TestRuntime.run(() -> {
            CoroutineScope scope = scope();
            assertThat(all(scope)).as("nobody can be told of an empty one").isNull();
            CoroutineScope below = scope.child();
            scope.child(); // stays empty
            Coroutine<?> inner = below.spawn(CoroutineKind.ORDINARY, null, WAITS);
            assertThat(all(scope)).containsExactly(inner);
            Coroutine<?> own = scope.spawn(CoroutineKind.ORDINARY, null, WAITS);
            Coroutine<?> second = scope.spawn(CoroutineKind.ORDINARY, null, WAITS);
            assertThat(all(scope)).containsExactly(own, second, inner);
            assertThat(scope.live()).isEqualTo(2);
            second.cancel();
            suspend();
            assertThat(scope.live()).isEqualTo(1);
            assertThat(all(scope)).containsExactly(own, inner);
            own.cancel();
            inner.cancel();
        });
    }

    @Test
    void tooManyToReasonAbout_atAnyDepth() {
        TestRuntime.run(() -> {
            CoroutineScope scope = scope();
            CoroutineScope below = scope.child();
            for (int i = 0; i < MOST; i++) below.spawn(CoroutineKind.ORDINARY, null, WAITS);
            assertThat(all(below)).hasSize(MOST);
            assertThat(all(scope)).hasSize(MOST);
            Coroutine<?> tooMuch = below.spawn(CoroutineKind.ORDINARY, null, WAITS);
            assertThat(all(below)).isNull();
            assertThat(all(scope)).isNull();
            tooMuch.cancel();
            suspend();
            assertThat(all(scope)).hasSize(MOST);
            below.cancel(new AsyncCancellation("enough"), false);
        });
    }

    @Test
    void callable_isSpawnedUnlessTheScopeHasEnded() {
        TestRuntime.run(() -> {
            CoroutineScope scope = scope();
            Callable<Integer> task = () -> 7;
            assertThat(await(scope.<Integer>spawn(CoroutineKind.ORDINARY, null, task)))
                    .isEqualTo(7);
            scope.setLetsRunOn(true);
            assertThat(scope.letsRunOn()).isTrue();
            assertThat(scope.child().letsRunOn()).isTrue();
            scope.cancel(new AsyncCancellation("enough"), false);
            assertThatThrownBy(() -> scope.spawn(CoroutineKind.ORDINARY, null, task))
                    .isInstanceOf(AsyncException.class);
            assertThatThrownBy(() -> scope.spawn(CoroutineKind.ORDINARY, null, WAITS))
                    .isInstanceOf(AsyncException.class);
            assertThatThrownBy(scope::child).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    void launchedFromElsewhere_takesNothingOfTheCoroutineInWhoseTickItComes() {
        TestRuntime.run(() -> {
            CoroutineScope scope = scope();
            var seen = new ArrayList<String>();
            Body task = () -> seen.add(NAME.orElse("unbound"));
            ScopedValue.where(NAME, "another's").call(() -> {
                scope.loop().post(() -> scope.launchFrom("Elsewhere.java:7", task));
                suspend(); // the loop takes it in now
                return scope.coroutines();
            });
            assertThat(scope.coroutines()).first().satisfies(it -> assertThat(it.spawnLocation())
                    .isEqualTo("Elsewhere.java:7"));
            suspend();
            assertThat(seen).containsExactly("unbound");
            scope.cancel(new AsyncCancellation("enough"), false);
            assertThatThrownBy(() -> scope.launchFrom("Elsewhere.java:8", task)).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    void veryDeepTree_isTooMuchAndNothingIsAdded() {
        TestRuntime.run(() -> {
            CoroutineScope scope = scope();
            scope.spawn(CoroutineKind.ORDINARY, null, WAITS);
            CoroutineScope deepest = scope;
            for (int i = 0; i < 100_000; i++) deepest = deepest.child();
            deepest.spawn(CoroutineKind.ORDINARY, null, WAITS);
            var all = new ArrayList<Coroutine<?>>();
            assertThat(scope.addAllTo(all)).isFalse();
            assertThat(all).isEmpty();
            scope.cancel(new AsyncCancellation("enough"), false);
        });
    }
}
