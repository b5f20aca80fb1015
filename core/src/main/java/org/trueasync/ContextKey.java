package org.trueasync;

import java.util.Objects;

/**
 * A key of a {@link Context} that knows the type of its value. Two keys are never equal, even with the same name, so
 * that libraries don't get into each other's way; keep a key in a constant. Any thread.
 *
 * @param <V> type of the value
 */
@SuppressWarnings("UnusedTypeParameter") // it is the type of the value in the methods that take the key
public final class ContextKey<V> {
    private final String name;

    private ContextKey(String name) {
        this.name = name;
    }

    /**
     * Creates a key.
     *
     * @param name for messages
     * @param <V> type of the value
     */
    public static <V> ContextKey<V> named(String name) {
        return new ContextKey<>(Objects.requireNonNull(name, "name"));
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "key " + name;
    }
}
