package org.trueasync;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The result of a receive that does not wait, {@link Channel#tryReceive} for instance: a value, which may be null, or
 * nothing.
 *
 * <p>Any thread.
 *
 * @param isPresent true if there was a value
 * @param value the value; null if there was none, or if the value is null
 * @param <T> type of the value
 */
public record Received<T>(boolean isPresent, @Nullable T value) {
    private static final Received<?> NOTHING = new Received<>(false, null);

    /** Returns a result without a value. */
    @SuppressWarnings("unchecked") // it holds no value of any type
    public static <T> Received<T> nothing() {
        return (Received<T>) NOTHING;
    }

    /**
     * Creates a result with a value.
     *
     * @param value may be null
     */
    public static <T> Received<T> of(@Nullable T value) {
        return new Received<>(true, value);
    }

    /**
     * Returns the value if there is one.
     *
     * @param other returned if there is none; may be null
     */
    public @Nullable T orElse(@Nullable T other) {
        return isPresent ? value : other;
    }

    /**
     * Passes the value to an action, if there is one.
     *
     * @param action gets the value
     */
    @SuppressWarnings("NullAway") // a value may be null; T says whether it may
    public void ifPresent(Consumer<? super T> action) {
        Objects.requireNonNull(action, "action");
        if (isPresent) action.accept(value);
    }
}
