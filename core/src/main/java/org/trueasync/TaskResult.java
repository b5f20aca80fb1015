package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of one task of a {@link TaskGroup} or {@link TaskSet}.
 *
 * <p>Any thread.
 *
 * @param key its key: a number, 0, 1, ..., or the key given to {@code spawnWithKey}
 * @param result its value; null if it failed, or if the value is null
 * @param error what it threw, as it was thrown; an {@link AsyncCancellation} if it was cancelled or dropped; null if it
 *     succeeded
 * @param <T> type of the value
 */
public record TaskResult<T>(
        Object key, @Nullable T result, @Nullable Throwable error) {
    /** True if it has failed, or was cancelled or dropped. */
    public boolean isFailed() {
        return error != null;
    }
}
