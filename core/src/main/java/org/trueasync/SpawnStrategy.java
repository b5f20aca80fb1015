package org.trueasync;

/**
 * A {@link ScopeProvider} that is also told about the coroutine: to count it, give it context values or a higher
 * priority.
 *
 * <p>Called on the loop thread.
 */
public interface SpawnStrategy extends ScopeProvider {
    /**
     * Called once, after {@link #provideScope} and before the coroutine enters the run queue. If it throws, nothing is
     * spawned, and the spawning call throws the error.
     *
     * @param coroutine the new coroutine
     * @param scope its scope
     */
    default void beforeEnqueue(Coroutine<?> coroutine, Scope scope) {}

    /**
     * Called once, when the coroutine is in the run queue and has not begun. If it throws, the coroutine is cancelled,
     * and the spawning call throws the error.
     *
     * @param coroutine the new coroutine
     * @param scope its scope
     */
    default void afterEnqueue(Coroutine<?> coroutine, Scope scope) {}
}
