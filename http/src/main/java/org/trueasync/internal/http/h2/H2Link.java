package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;

/** What an HTTP/2 connection stands on: bytes, and whoever serves its streams. */
public interface H2Link {
    /** Reads into an empty buffer; returns the count, or -1 at the end. */
    int read(ByteBuffer into);

    /** Writes all bytes; writes of several coroutines are done in the order of the calls. */
    void write(ByteBuffer bytes);

    /** Begins to serve a stream whose head has come. Called by the reading coroutine; returns at once. */
    void begin(H2Stream stream);
}
