package org.trueasync.internal.error;

import org.jspecify.annotations.Nullable;

/** The host before the kernel is loaded, when there is no coroutine. */
final class NoHost implements ErrorHost {
    @Override
    public @Nullable Object refuseWaits() {
        return null;
    }

    @Override
    public void allowWaits(Object refusing) {}

    @Override
    public String coroutineHere() {
        return "";
    }

    @Override
    public Throwable both(Throwable first, Throwable next) {
        var both = new RuntimeException("2 errors: " + Causes.text(first) + ", " + Causes.text(next), first);
        both.addSuppressed(next);
        return both;
    }
}
