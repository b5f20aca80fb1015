package org.trueasync.internal.future;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.failure.UnobservedWarning;

/** A future whose value nobody used or whose error nobody caught. */
final class UnobservedFuture extends UnobservedWarning {
    private final String createdAt;
    private final String completedAt;
    private final @Nullable Throwable error;

    UnobservedFuture(String createdAt, String completedAt, @Nullable Throwable error) {
        this.createdAt = createdAt;
        this.completedAt = completedAt;
        this.error = error;
    }

    @Override
    protected String text() {
        String sites = "created at " + createdAt + ", completed at " + completedAt;
        if (error == null) return "A future was completed and never used; await it or call ignore(). It was " + sites;
        return "Nobody caught the error of a future; await it, recover() or call ignore(). It was " + sites + "\n"
                + Causes.trace(error);
    }
}
