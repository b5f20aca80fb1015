package org.trueasync;

/**
 * How the waits for several things show the outcomes.
 *
 * <p>Any thread.
 */
public enum AwaitOption {
    /** A member that failed has the value null among the results, beside its error. */
    FILL_NULL,
    /** Values and errors are in the order in which they came, not in that of the input. */
    ORDER_OF_ENDING
}
