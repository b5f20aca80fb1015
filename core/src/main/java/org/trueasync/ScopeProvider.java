package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * Chooses the scope of a coroutine, see {@link Async#spawnWith(ScopeProvider, java.util.concurrent.Callable)}. A scope
 * provides itself.
 *
 * <p>Called on the loop thread.
 */
@FunctionalInterface
public interface ScopeProvider {
    /**
     * Called once for each coroutine, by the coroutine that spawns it. If it throws, the spawning call throws that, and
     * nothing is spawned.
     *
     * @return the scope, or null for the caller's own scope
     */
    @Nullable
    Scope provideScope();
}
