package org.trueasync.internal.foreign;

import java.util.ArrayList;
import java.util.List;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;

/**
 * How shielded calls have failed while a cancellation was due. Whoever lets such an error pass, or one that it is the cause of, ends by the cancellation: the call
 * would have thrown that, if it were not shielded.
 */
public final class DueFailures {
    /** So many are remembered: code that cleans up has few. */
    private static final int MOST = 16;

    /** What was due. */
    public final AsyncCancellation due;

    private final boolean isRequest;
    private final List<Throwable> failures = new ArrayList<>(2);

    /**
     * None so far.
     *
     * @param due what is due
     * @param isRequest false if it is the end of a section's time
     */
    public DueFailures(AsyncCancellation due, boolean isRequest) {
        this.due = due;
        this.isRequest = isRequest;
    }

    /** One has. */
    public void add(Throwable failure) {
        if (failures.size() < MOST) failures.add(failure);
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
