package org.trueasync;

import java.util.Objects;

/**
 * A key of a {@link Context} that knows the type of its value. Two keys are never equal, whatever their names, so that libraries don't get into each other's
 * way; keep one in a constant. Any thread.
 *
 * @param <V> type of the value
 */
@SuppressWarnings("UnusedTypeParameter") // it types the calls that take the key
public final class ContextKey<V> {
    private final String name;

    private ContextKey(String name) {
        this.name = name;
    }

    /**
     * A new key.
     *
     * @param name for messages
     * @param <V> type of the value
     */
    public static <V> ContextKey<V> named(String name) {
        return new ContextKey<>(Objects.requireNonNull(name, "name"));
    }

    /** Its name. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "key " + name;
    }
}
