package org.trueasync.internal.future;

import org.jspecify.annotations.Nullable;

/** What few futures need: the sites, where they are recorded, and the end that another thread has. */
final class FutureExtras {
    @Nullable
    String createdAt;

    @Nullable
    String completedAt;

    @Nullable
    RemoteEnd<?> remote;
}
