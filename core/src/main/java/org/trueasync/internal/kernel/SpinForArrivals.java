package org.trueasync.internal.kernel;

import org.trueasync.internal.queue.AdaptiveSpin;

/** Has an idle loop wait for other threads before it sleeps in the reactor. While it does, whoever brings something need not trigger the reactor. */
final class SpinForArrivals extends AdaptiveSpin {
    private final RemoteQueue arrivals;

    SpinForArrivals(RemoteQueue arrivals, int processors) {
        super(processors);
        this.arrivals = arrivals;
    }

    @Override
    protected boolean hasArrived() {
        return !arrivals.isEmpty();
    }
}
