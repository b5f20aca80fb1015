package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import org.trueasync.Completable;

/** What the client's side stands on. */
public interface ClientLink extends H2Link {
    /**
     * Reads into an empty buffer; returns the count, or -1 at the end.
     *
     * @param limit ends the wait
     * @throws org.trueasync.OperationCanceledException if it ends first
     */
    int read(ByteBuffer into, Completable<?> limit);

    /** As {@link #read}, but does not wait: returns 0 if nothing is there. */
    int tryRead(ByteBuffer into);

    /** Has a coroutine write, which no cancellation of a call ends. */
    void start(Runnable writing);
}
