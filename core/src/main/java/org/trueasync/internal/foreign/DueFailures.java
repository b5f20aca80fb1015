package org.trueasync.internal.foreign;

import java.util.ArrayList;
import java.util.List;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;

/**
 * The failures of shielded calls while a cancellation was due. A coroutine or section that ends with such an error, or
 * with one of which it is the cause, counts as ended by the cancellation: without the shield the call would have thrown
 * that.
 */
public final class DueFailures {
    /** How many are kept, at most: clean-up code has few. */
    private static final int MAX_FAILURES = 16;

    /** What was due. */
    public final AsyncCancellation due;

    private final boolean isRequest;
    private final List<Throwable> failures = new ArrayList<>(2);

    /**
     * Without a failure so far.
     *
     * @param due what is due
     * @param isRequest false if it is the end of a section's time
     */
    public DueFailures(AsyncCancellation due, boolean isRequest) {
        this.due = due;
        this.isRequest = isRequest;
    }

    /** Adds a failure. */
    public void add(Throwable failure) {
        if (failures.size() < MAX_FAILURES) failures.add(failure);
    }

    /** True if a section that ends with this error has ended by its limit. */
    public boolean end(AsyncCancellation limit, Throwable thrown) {
        return due == limit && isAmong(thrown);
    }

    /** True if a coroutine that ends with this error has ended as it was asked to. */
    public boolean endOfRequest(Throwable thrown) {
        return isRequest && isAmong(thrown);
    }

    private boolean isAmong(Throwable thrown) {
        for (Throwable failure : failures) if (Causes.contains(thrown, failure)) return true;
        return false;
    }
}
