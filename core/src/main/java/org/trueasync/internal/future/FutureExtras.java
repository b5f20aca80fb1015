package org.trueasync.internal.future;

import org.jspecify.annotations.Nullable;

/**
 * The fields that few futures need: where it was created and completed, if sites are recorded, and the end that another
 * thread has.
 */
final class FutureExtras {
    @Nullable
    String createdAt;

    @Nullable
    String completedAt;

    @Nullable
    RemoteEnd<?> remote;
}
