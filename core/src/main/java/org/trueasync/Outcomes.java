package org.trueasync;

import java.util.Map;

/**
 * The outcomes of several things that were awaited together. Members that had not ended are in neither map.
 *
 * <p>Any thread.
 *
 * @param results the values, by the keys of the input, and with {@link AwaitOption#FILL_NULL} a null for each member
 *     that failed; unmodifiable, in the order of the input or, with {@link AwaitOption#ORDER_OF_ENDING}, in that of
 *     ending
 * @param errors the errors, likewise
 * @param <K> type of the keys: the position, 0, 1, ..., where the input has none
 * @param <T> type of the values
 */
public record Outcomes<K, T>(Map<K, T> results, Map<K, Throwable> errors) {}
