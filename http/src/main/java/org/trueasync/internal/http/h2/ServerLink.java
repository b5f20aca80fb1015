package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;

/** What the server's side stands on, and whoever serves its streams. */
public interface ServerLink extends H2Link {
    /**
     * Reads into an empty buffer; returns the count, or -1 at the end.
     *
     * @param nanos how long to wait; 0 for ever
     * @throws org.trueasync.OperationCanceledException if the time is over first
     */
    int read(ByteBuffer into, long nanos);

    /** Nothing more is written; ends the output, and waits for the peer's end no longer than needed. */
    void endOutput();

    /** Begins to serve a stream whose head has come. Called by the reading coroutine; returns at once. */
    void begin(ServerStream stream);

    /** Counts a head that did not come in time. */
    void lateHead();
}
