package org.trueasync;

/**
 * Takes unobserved errors of a scope's coroutines, see {@link Scope#setExceptionHandler}.
 *
 * <p>Called on the loop thread.
 */
@FunctionalInterface
public interface ScopeExceptionHandler {
    /**
     * Called once for each coroutine that failed, in the order of failing, in a coroutine of its own: it may wait. When
     * it returns, the error is handled.
     *
     * @param scope the scope that has this handler
     * @param coroutine the one that failed, in that scope or below
     * @param error what it threw
     * @throws Throwable if the error is not handled; what was thrown is attached to it
     */
    void handle(Scope scope, Coroutine<?> coroutine, Throwable error) throws Throwable;
}
