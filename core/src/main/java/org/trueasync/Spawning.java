package org.trueasync;

import java.util.Objects;
import java.util.function.Consumer;
import org.trueasync.internal.kernel.CoroutineScope;

/** Spawns in a scope that a provider chooses. */
final class Spawning {
    private Spawning() {}

    static <T> Coroutine<T> with(ScopeProvider provider, Object task) {
        Scope chosen = Objects.requireNonNull(provider, "provider").provideScope();
        Scope scope = chosen == null ? Scope.current() : chosen;
        CoroutineScope core = scope.core();
        if (!(provider instanceof SpawnStrategy strategy)) return core.spawnWith(task, coroutine -> {});
        Coroutine<T> coroutine =
                core.spawnWith(task, (Consumer<Coroutine<T>>) made -> strategy.beforeEnqueue(made, scope));
        try {
            strategy.afterEnqueue(coroutine, scope);
            return coroutine;
        } catch (Throwable e) {
            coroutine.cancel();
            throw e;
        }
    }
}
