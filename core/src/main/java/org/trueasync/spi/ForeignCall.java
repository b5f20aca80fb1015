package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/**
 * A call into a library that has its own way to wait and to cancel a wait: a database driver, for instance. Without
 * this, a cancellation interrupts the call's thread, and the interrupt would break the driver's connection.
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
     * Makes the call end soon, because its coroutine has been cancelled; {@link ForeignCalls#interrupt} is the last
     * resort. Called at most once for a call, while the call is under way, in a service coroutine. It may wait, and the
     * call may end meanwhile. A shutdown whose deadline has passed interrupts the call without calling this.
     */
    void cancelled();

    /** Returns what it does, which dumps and reports show while its coroutine waits in it; null for nothing. */
    default @Nullable String text() {
        return null;
    }
}
