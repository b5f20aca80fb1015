package org.trueasync;

/**
 * A {@link ScopeProvider} that is also told of the coroutine: to name it, count it, give it a context or a higher priority.
 *
 * <p>Called on the loop thread.
 */
public interface SpawnStrategy extends ScopeProvider {
    /**
     * Called once, after {@link #provideScope} and before the coroutine stands in the run queue. If it throws, nothing is spawned and the error reaches
     * the caller.
     *
     * @param coroutine the new one
     * @param scope its scope
     */
    default void beforeEnqueue(Coroutine<?> coroutine, Scope scope) {}

    /**
     * Called once, when the coroutine stands in the run queue and has not begun. If it throws, the coroutine is cancelled and the error reaches the
     * caller.
     *
     * @param coroutine the new one
     * @param scope its scope
     */
    default void afterEnqueue(Coroutine<?> coroutine, Scope scope) {}
}
