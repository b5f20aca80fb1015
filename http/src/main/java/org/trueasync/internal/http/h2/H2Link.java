package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;

/** What an HTTP/2 connection stands on. */
public interface H2Link {
    /** Writes all bytes; called by one coroutine. */
    void write(ByteBuffer bytes);

    /** Ends the connection at once. */
    void close();

    /** Nanoseconds of the loop's clock. */
    long now();

    /** Counts what is no good HTTP/2. */
    default void malformed() {}

    /** Counts a body that the peer did not take. */
    default void notRead() {}
}
