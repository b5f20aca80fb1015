package org.trueasync;

import java.time.Duration;

/**
 * A cancellation token that fires after a time. It does nothing by itself: it counts from the moment when somebody waits for it, directly or
 * with it as the token of another wait, and stops when the wait ends. It never ends with a value: its error is an
 * {@link AsyncTimeoutException}.
 *
 * <p>Loop thread only, except {@code length}.
 */
public interface Timeout extends Completable<Void> {
    /** The time after which it fires. */
    Duration length();
}
