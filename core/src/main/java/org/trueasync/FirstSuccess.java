package org.trueasync;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first value of several things that were awaited together, and the errors that came before it.
 *
 * <p>Any thread.
 *
 * @param isPresent true if one of them succeeded; its value may be null
 * @param value the value; null if there is none
 * @param errors the errors before it, or all if nothing succeeded, by the keys of the input: 0, 1, ... where it has
 *     none; unmodifiable
 * @param <T> type of the value
 */
public record FirstSuccess<T>(boolean isPresent, @Nullable T value, Map<Object, Throwable> errors) {}
