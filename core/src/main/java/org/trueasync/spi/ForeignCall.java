package org.trueasync.spi;

/**
 * A call into a library that waits in a way of its own and knows how to give up: a database driver, for instance, whose connection would be lost by the
 * interrupt that reaches other code of the JDK's.
 *
 * {@snippet class="org.trueasync.snippets.ExtensionsTest" region="foreign" :
 * ForeignCalls.begin(call);
 * Throwable thrown = null;
 * try {
 *     result = statement.executeQuery(sql);
 * } catch (Throwable e) {
 *     thrown = e;
 * }
 * thrown = ForeignCalls.end(thrown);
 * }
 *
 * <p>Called on the loop thread.
 */
@FunctionalInterface
public interface ForeignCall {
    /**
     * The coroutine that is in the call shall end: make it end soon, in whichever way; {@link ForeignCalls#interrupt} is the last resort. Called once for a call at
     * most, while it is under way, in a coroutine of the runtime's own; may wait, and the call may end meanwhile. A shutdown that has waited for its grace interrupts
     * without asking.
     */
    void cancelled();
}
