package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;

/** What an HTTP/2 connection stands on: bytes, and whoever serves its streams. */
public interface H2Link {
    /**
     * Reads into an empty buffer; returns the count, or -1 at the end.
     *
     * @param nanos how long to wait; 0 for ever
     * @throws org.trueasync.OperationCanceledException if the time is over first
     */
    int read(ByteBuffer into, long nanos);

    /** Writes all bytes; called by one coroutine. */
    void write(ByteBuffer bytes);

    /** Nothing more is written; ends the output, and waits for the peer's end no longer than needed. */
    void endOutput();

    /** Ends the connection at once. */
    void close();

    /** Begins to serve a stream whose head has come. Called by the reading coroutine; returns at once. */
    void begin(H2Stream stream);

    /** Nanoseconds of the loop's clock. */
    long now();

    /** Counts what is no good HTTP/2. */
    void malformed();

    /** Counts a head that did not come in time. */
    void lateHead();

    /** Counts a body that the peer did not take. */
    void notRead();
}
