package org.trueasync.cluster;

import org.jspecify.annotations.Nullable;

/**
 * A change of an entry of a {@link ClusterMap}.
 *
 * <p>Any thread.
 *
 * @param key of the entry
 * @param before its value until then, null if there was no entry
 * @param after its value from then on, null if the entry was removed, evicted or has expired
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public record MapChange<K, V>(
        K key, @Nullable V before, @Nullable V after) {}
