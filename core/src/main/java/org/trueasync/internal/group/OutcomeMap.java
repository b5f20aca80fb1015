package org.trueasync.internal.group;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes by key, unmodifiable, in a fixed order. It is made where no user code may run, so it calls no method of the
 * keys before the first look-up.
 */
final class OutcomeMap<V extends @Nullable Object> extends AbstractMap<Object, V> {
    private final List<Map.Entry<Object, V>> entries;
    private @Nullable Map<Object, Map.Entry<Object, V>> index;

    OutcomeMap(int size) {
        entries = new ArrayList<>(size);
    }

    /** Adds an entry. Only while the map is being made. */
    void append(Object key, V value) {
        entries.add(new SimpleImmutableEntry<>(key, value));
    }

    private Map<Object, Map.Entry<Object, V>> index() {
        Map<Object, Map.Entry<Object, V>> known = index;
        if (known != null) return known;
        var made = new HashMap<Object, Map.Entry<Object, V>>(entries.size() * 2);
        for (Map.Entry<Object, V> entry : entries) made.put(entry.getKey(), entry);
        index = made;
        return made;
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key != null && index().containsKey(key);
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        Map.Entry<Object, V> entry = key == null ? null : index().get(key);
        return entry == null ? null : entry.getValue();
    }

    @Override
    public Set<Map.Entry<Object, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<Object, V>> iterator() {
                return java.util.Collections.unmodifiableList(entries).iterator();
            }

            @Override
            public int size() {
                return entries.size();
            }
        };
    }
}
