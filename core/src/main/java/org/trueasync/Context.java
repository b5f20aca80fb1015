package org.trueasync;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values that travel with work instead of with method arguments: a map with a parent. Reading looks here and then upwards; writing changes
 * this one alone. Loop thread only.
 */
public final class Context {
    private final @Nullable Context parent;
    private @Nullable Map<Object, Object> values;

    /**
     * An empty context below another one.
     *
     * @param parent where a look-up goes on, or null for a root
     */
    public Context(@Nullable Context parent) {
        this.parent = parent;
    }

    /**
     * The value here or in the nearest context above, or null.
     *
     * @param key compared by {@code equals}
     * @param <V> the type that the caller expects
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <V> @Nullable V find(Object key) {
        for (Context c = this; c != null; c = c.parent) {
            if (c.values != null && c.values.containsKey(key)) return (V) c.values.get(key);
        }
        return null;
    }

    /**
     * As {@link #find}, for a key that must be there.
     *
     * @param key compared by {@code equals}
     * @param <V> the type that the caller expects
     * @throws ContextException if no context has the key
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <V> V get(Object key) {
        Object value = find(key);
        if (value == null)
            throw new ContextException("no value for '" + key + "' in this context or above; set it, or use find");
        return (V) value;
    }

    /**
     * Whether {@link #find} would find the key.
     *
     * @param key compared by {@code equals}
     */
    public boolean has(Object key) {
        return find(key) != null;
    }

    /**
     * The value in this context alone, or null.
     *
     * @param key compared by {@code equals}
     * @param <V> the type that the caller expects
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <V> @Nullable V findLocal(Object key) {
        return values == null ? null : (V) values.get(key);
    }

    /**
     * As {@link #findLocal}, for a key that must be there.
     *
     * @param key compared by {@code equals}
     * @param <V> the type that the caller expects
     * @throws ContextException if this context lacks the key
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <V> V getLocal(Object key) {
        Object value = findLocal(key);
        if (value == null)
            throw new ContextException("no value for '" + key + "' in this context itself; set it, or use find");
        return (V) value;
    }

    /**
     * Whether this context itself has the key.
     *
     * @param key compared by {@code equals}
     */
    public boolean hasLocal(Object key) {
        return values != null && values.containsKey(key);
    }

    /**
     * Sets a key that this context does not have yet.
     *
     * @param key compared by {@code equals}
     * @param value not null
     * @throws ContextException if this context has the key; {@link #replace} changes it
     */
    public Context set(Object key, Object value) {
        if (hasLocal(key)) throw new ContextException("'" + key + "' is set already; use replace to change it");
        return replace(key, value);
    }

    /**
     * Sets a key, whether or not this context has it.
     *
     * @param key compared by {@code equals}
     * @param value not null
     */
    public Context replace(Object key, Object value) {
        if (values == null) values = new HashMap<>();
        values.put(key, value);
        return this;
    }

    /**
     * Removes a key from this context; does nothing if it is not there.
     *
     * @param key compared by {@code equals}
     */
    public Context unset(Object key) {
        if (values != null) values.remove(key);
        return this;
    }
}
