package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;

/**
 * Something that coroutines read from and write to. It is a stream of the reactor, or a layer over such a stream. The
 * contract is that of {@link org.trueasync.io.ByteStream}.
 */
public interface Duplex {
    /** See {@link org.trueasync.io.ByteStream#read(ByteBuffer)}; the token may be null. */
    int read(ByteBuffer into, @Nullable Completable<?> token);

    /** See {@link org.trueasync.io.ByteStream#tryRead(ByteBuffer)}. */
    int tryRead(ByteBuffer into);

    /** See {@link org.trueasync.io.ByteStream#write(ByteBuffer)}; the token may be null. */
    void write(ByteBuffer from, @Nullable Completable<?> token);

    /** See {@link org.trueasync.io.ByteStream#write(ByteBuffer...)}; the token may be null. */
    void write(ByteBuffer[] from);

    /** See {@link org.trueasync.io.ByteStream#flush()}; the token may be null. */
    void flush(@Nullable Completable<?> token);

    /** See {@link org.trueasync.io.ByteStream#close}. */
    void close();

    /** See {@link org.trueasync.io.ByteStream#isClosed}. */
    boolean isClosed();

    /**
     * Throws unless called on the loop thread.
     *
     * @param call name of the method that was called, for the message
     */
    void requireLoopThread(String call);
}
