package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.CompositeException;
import org.trueasync.internal.error.ErrorHost;

/** Tells {@code Causes} of the running coroutine, and forbids it to wait while methods of an error are called. */
final class KernelErrorHost implements ErrorHost {
    @Override
    public @Nullable Object refuseWaits() {
        Loop here = Runtimes.hereOrNull();
        CoroutineImpl<?> self = here == null ? null : here.current;
        return self != null && self.refuseWaits() ? self : null;
    }

    @Override
    public void allowWaits(Object refusing) {
        ((CoroutineImpl<?>) refusing).allowWaits();
    }

    @Override
    public String coroutineHere() {
        Loop here = Runtimes.hereOrNull();
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
