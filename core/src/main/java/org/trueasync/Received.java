package org.trueasync;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Channel#tryReceive} has found: a value, which may be null, or nothing.
 *
 * <p>Any thread.
 *
 * @param isPresent true if there was a value
 * @param value the value; null if there was none, or if that is the value
 * @param <T> type of the value
 */
public record Received<T>(boolean isPresent, @Nullable T value) {
    private static final Received<?> NOTHING = new Received<>(false, null);

    /** That there was none. */
    @SuppressWarnings("unchecked") // there is no value of any type in it
    public static <T> Received<T> nothing() {
        return (Received<T>) NOTHING;
    }

    /**
     * That there was one.
     *
     * @param value may be null
     */
    public static <T> Received<T> of(@Nullable T value) {
        return new Received<>(true, value);
    }

    /**
     * The value if there is one.
     *
     * @param other otherwise; may be null
     */
    public @Nullable T orElse(@Nullable T other) {
        return isPresent ? value : other;
    }

    /**
     * Hands the value on, if there is one.
     *
     * @param action gets it
     */
    @SuppressWarnings("NullAway") // a value may be null; T says whether it may
    public void ifPresent(Consumer<? super T> action) {
        if (isPresent) action.accept(value);
    }
}
