package org.trueasync.cluster;

import org.jspecify.annotations.Nullable;

/**
 * That an entry of a {@link ClusterMap} has changed.
 *
 * <p>Any thread.
 *
 * @param key of the entry
 * @param before its value, null if it was put
 * @param after its value, null if it was removed
 * @param <K> of keys
 * @param <V> of values
 */
public record MapChange<K, V>(
        K key, @Nullable V before, @Nullable V after) {}
