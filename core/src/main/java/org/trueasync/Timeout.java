package org.trueasync;

import java.time.Duration;

/**
 * A cancellation token that fires after a time. It does nothing by itself: its time counts from the moment when a wait
 * begins, for it or with it as the token, and stops counting when that wait ends. It never ends with a value: its error
 * is an {@link AsyncTimeoutException}.
 *
 * <p>Loop thread only, except {@code length}.
 */
public interface Timeout extends Completable<Void> {
    /** Returns the time after which it fires. */
    Duration length();
}
