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
    ORDER_OF_ENDING,
    /**
     * If the token ends first, the call returns the outcomes so far instead of throwing: members that have not ended
     * are missing. They go on, and count as members that were not needed. No effect without a token.
     */
    PARTIAL
}
