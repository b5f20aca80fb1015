package org.trueasync.cluster;

import org.jspecify.annotations.Nullable;

/**
 * A change of an entry of a {@link ClusterMap}.
 *
 * <p>Any thread.
 *
 * @param key of the entry
 * @param before its value, null if it was put
 * @param after its value, null if it was removed
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public record MapChange<K, V>(
        K key, @Nullable V before, @Nullable V after) {}
