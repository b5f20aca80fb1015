package org.trueasync;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.bridge.Owner;

/**
 * Values that go with work instead of with method arguments: a map with a parent. Reading looks in this context and
 * then in those above; writing changes this context alone. Each scope has a context, which its coroutines share, below
 * that of the scope around it. Each coroutine has a context of its own, below its scope's; it is not inherited.
 *
 * <p>A key is a {@link ContextKey}, which knows its value's type, or any other object, by {@code equals}: a string, a
 * class, an object that stands for itself. A value is never null.
 *
 * <p>A context that was created in a runtime may be changed by the loop thread only, until the run has ended; on
 * another thread a change throws {@link AsyncException}. A context that was created outside a runtime may be changed by
 * one thread at a time. Any thread may read while nothing changes the context, with {@code find}, {@code get},
 * {@code has}, {@code findLocal}, {@code getLocal} and {@code hasLocal}.
 */
public final class Context {
    private final @Nullable Context parent;
    /** The runtime in which it was created; null if in none. */
    private final @Nullable Owner owner = Owner.here();

    private @Nullable Map<Object, Object> values;

    /**
     * Creates an empty context below another one.
     *
     * @param parent where a look-up goes on, or null for a root
     */
    public Context(@Nullable Context parent) {
        this.parent = parent;
    }

    // ---- in this context and above

    /**
     * Returns the value in this context or in the nearest one above that has the key, or null.
     *
     * @param key any
     * @param <V> the type that the caller expects
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <V> @Nullable V find(Object key) {
        Objects.requireNonNull(key, "key");
        for (Context c = this; c != null; c = c.parent) {
            if (c.values == null) continue;
            Object value = c.values.get(key);
            if (value != null) return (V) value;
        }
        return null;
    }

    /**
     * As {@link #find(Object)}.
     *
     * @param key any
     */
    public <V> @Nullable V find(ContextKey<V> key) {
        return find((Object) key);
    }

    /**
     * As {@link #find(Object)}, for a key that must be there.
     *
     * @param key any
     * @param <V> the type that the caller expects
     * @throws ContextException if no context has the key
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <V> V get(Object key) {
        Object value = find(key);
        if (value == null) throw missing(key, "in this context or above");
        return (V) value;
    }

    /**
     * As {@link #get(Object)}.
     *
     * @param key any
     * @throws ContextException if no context has the key
     */
    public <V> V get(ContextKey<V> key) {
        return get((Object) key);
    }

    /**
     * True if {@link #find(Object)} would find the key.
     *
     * @param key any
     */
    public boolean has(Object key) {
        return find(key) != null;
    }

    // ---- in this context alone

    /**
     * Returns the value in this context alone, or null.
     *
     * @param key any
     * @param <V> the type that the caller expects
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <V> @Nullable V findLocal(Object key) {
        Objects.requireNonNull(key, "key");
        return values == null ? null : (V) values.get(key);
    }

    /**
     * As {@link #findLocal(Object)}.
     *
     * @param key any
     */
    public <V> @Nullable V findLocal(ContextKey<V> key) {
        return findLocal((Object) key);
    }

    /**
     * As {@link #findLocal(Object)}, for a key that must be there.
     *
     * @param key any
     * @param <V> the type that the caller expects
     * @throws ContextException if this context lacks the key
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <V> V getLocal(Object key) {
        Object value = findLocal(key);
        if (value == null) throw missing(key, "in this context itself");
        return (V) value;
    }

    /**
     * As {@link #getLocal(Object)}.
     *
     * @param key any
     * @throws ContextException if this context lacks the key
     */
    public <V> V getLocal(ContextKey<V> key) {
        return getLocal((Object) key);
    }

    /**
     * True if this context itself has the key.
     *
     * @param key any
     */
    public boolean hasLocal(Object key) {
        return findLocal(key) != null;
    }

    // ---- writing

    /**
     * Sets a key that this context does not have yet; it hides the same key of a context above. Returns this.
     *
     * @param key not null
     * @param value not null
     * @throws ContextException if this context has the key; {@link #replace(Object, Object)} changes it
     */
    public Context set(Object key, Object value) {
        requireHere("Context.set");
        if (hasLocal(key)) throw new ContextException(shown(key) + " is set already; use replace to change it");
        return replace(key, value);
    }

    /**
     * As {@link #set(Object, Object)}.
     *
     * @param key any
     * @param value not null
     * @throws ContextException if this context has the key
     */
    public <V> Context set(ContextKey<V> key, V value) {
        return set((Object) key, (Object) value);
    }

    /**
     * Sets a key, whether or not this context has it. Returns this.
     *
     * @param key not null
     * @param value not null
     */
    public Context replace(Object key, Object value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value; use unset to remove a key");
        requireHere("Context.replace");
        if (values == null) values = new HashMap<>(8);
        values.put(key, value);
        return this;
    }

    /**
     * As {@link #replace(Object, Object)}.
     *
     * @param key any
     * @param value not null
     */
    public <V> Context replace(ContextKey<V> key, V value) {
        return replace((Object) key, (Object) value);
    }

    /**
     * Removes a key from this context; does nothing if it is not there. Returns this.
     *
     * @param key any
     */
    public Context unset(Object key) {
        Objects.requireNonNull(key, "key");
        requireHere("Context.unset");
        if (values != null) values.remove(key);
        return this;
    }

    private void requireHere(String call) {
        if (owner != null) owner.requireLoopThreadOrEnd(call);
    }

    private static ContextException missing(Object key, String where) {
        return new ContextException("no value for " + shown(key) + " " + where + "; set it, or use find");
    }

    /**
     * Shows a key in a message. One that is no string, {@link ContextKey}, class or enum is shown by its class only:
     * its own text may be long or secret, or {@code toString} may fail.
     */
    private static String shown(Object key) {
        if (key instanceof String name) return "'" + name + "'";
        return key instanceof ContextKey<?> || key instanceof Class<?> || key instanceof Enum<?>
                ? key.toString()
                : "a key of " + key.getClass().getName();
    }
}
