package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.CompositeException;
import org.trueasync.internal.error.ErrorHost;

/** While an error is asked about itself, the coroutine that asks can't wait. */
final class KernelErrorHost implements ErrorHost {
    @Override
    public @Nullable Object refuseWaits() {
        Scheduler here = Runtimes.schedulerOrNull();
        CoroutineImpl<?> self = here == null ? null : here.current;
        return self != null && self.refuseWaits() ? self : null;
    }

    @Override
    public void allowWaits(Object refusing) {
        ((CoroutineImpl<?>) refusing).allowWaits();
    }

    @Override
    public String coroutineHere() {
        Scheduler here = Runtimes.schedulerOrNull();
        CoroutineImpl<?> self = here == null ? null : here.current;
        return self == null ? "" : self.label();
    }

    @Override
    public Throwable both(Throwable first, Throwable next) {
        var both = new CompositeException();
        both.add(first);
        both.add(next);
        return both;
    }
}
