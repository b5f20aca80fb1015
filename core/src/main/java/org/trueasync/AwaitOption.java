package org.trueasync;

/**
 * How the waits for several things show what came of them.
 *
 * <p>Any thread.
 */
public enum AwaitOption {
    /** What failed has the value null among the results, beside its error. */
    FILL_NULL,
    /** Values and errors are in the order in which they came, not in that of the input. */
    ORDER_OF_ENDING
}
