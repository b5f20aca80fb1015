package org.trueasync;

import java.time.Duration;

/**
 * A cancellation token that ends after a time. The time does not count from the creation of the token, but from the
 * beginning of a wait for it, or of a wait that has it as its token. If that wait ends first, the next wait starts the
 * time anew. The token never ends with a value: its error is an {@link AsyncTimeoutException}, or the cancellation if
 * it was cancelled.
 *
 * <p>Loop thread only, except {@code length}.
 */
public interface Timeout extends Completable<Void> {
    /** Returns the time after which it ends. */
    Duration length();
}
