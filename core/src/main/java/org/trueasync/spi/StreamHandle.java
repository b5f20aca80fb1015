package org.trueasync.spi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connected, or connecting, byte stream: a TCP connection ({@link TcpHandle}), a Unix socket, one end of a child's
 * pipe, a terminal ({@link TerminalHandle}). Nothing is read before {@link #startReading}. A stream for one direction
 * refuses calls for the opposite direction with {@code EBADF}. Loop thread only.
 */
public interface StreamHandle {
    /**
     * Begins to deliver incoming bytes to {@link Listener#onBytes}. Does nothing if it reads already. After the end of
     * the stream it delivers the end again. Stopping and starting for each message is cheap.
     *
     * @return null, or the error that prevents it
     */
    @Nullable
    SystemError startReading();

    /**
     * Stops delivering; bytes that have not been delivered stay in the system. Does nothing if it does not read. The
     * listener may call this.
     */
    void stopReading();

    /**
     * Reads once, without waiting. Calls {@link Listener#onBytes}, {@link Listener#onEnd} or
     * {@link Listener#onReadError} before it returns, or nothing if there are no bytes now. On a closed stream it calls
     * {@link Listener#onReadError}, even after {@link Listener#onClosed}. Only while the stream does not read; a
     * coroutine may call this, the listener must not.
     */
    void readNow();

    /**
     * Writes as much as the system takes at once, without waiting. Writes nothing while an earlier {@link #write} is
     * not finished.
     *
     * @param bytes position moves by what was taken
     * @return null, or the error; it is no error if the system takes nothing
     * @throws WrongThreadException if the buffer's memory belongs to another thread; nothing is taken
     * @throws IllegalStateException if the buffer's memory has been freed; nothing is taken
     */
    @Nullable
    SystemError tryWrite(ByteBuffer bytes);

    /**
     * As {@link #tryWrite(ByteBuffer)}, for several buffers one after another, with one system call if possible.
     *
     * @param bytes distinct buffers; the positions move by what was taken; a buffer is read only when all before it are
     *     taken whole
     * @return null, or the error; it is no error if the system takes nothing or a part
     * @throws WrongThreadException if a buffer's memory belongs to another thread
     * @throws IllegalStateException if a buffer's memory has been freed
     */
    @Nullable
    default SystemError tryWrite(ByteBuffer[] bytes) {
        for (ByteBuffer part : bytes) {
            SystemError refused = tryWrite(part);
            if (refused != null) return refused;
            if (part.hasRemaining()) return null;
        }
        return null;
    }

    /**
     * Writes all remaining bytes, from a copy; {@link Listener#onWritten} follows, never synchronously. Several writes
     * may be pending; they are done and reported in order.
     *
     * @param bytes the bytes; position moves to limit
     * @throws org.trueasync.InputOutputException if the handle is closed, because its listener is not called any more
     * @throws WrongThreadException if the buffer's memory belongs to another thread; nothing is taken
     * @throws IllegalStateException if the buffer's memory has been freed; nothing is taken
     */
    void write(ByteBuffer bytes);

    /**
     * Sends the end of the stream to the peer, after everything written so far; {@link Listener#onShutdown} follows,
     * never synchronously.
     *
     * @throws org.trueasync.InputOutputException if the handle is closed, because its listener is not called any more
     */
    void shutdown();

    /** Closes at once; pending writes are abandoned. {@link Listener#onClosed} follows. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /** Receives the events of the stream. Called on the loop thread. */
    interface Listener {
        /**
         * Called when the connection attempt has ended.
         *
         * @param error why it failed; null if the stream is connected
         */
        void onConnected(@Nullable SystemError error);

        /**
         * Called when bytes have come in.
         *
         * @param bytes the reactor's own memory, valid during the call only, so copy what is to be kept
         */
        void onBytes(ByteBuffer bytes);

        /** Called when the peer has ended its side, so that nothing more comes. Reading has stopped. */
        void onEnd();

        /**
         * Called when reading has failed: the peer reset the connection, for instance. Reading has stopped.
         *
         * @param error why
         */
        void onReadError(SystemError error);

        /**
         * Called when the oldest pending {@link StreamHandle#write} has ended.
         *
         * @param error why it failed; null if the system has taken all of it
         */
        void onWritten(@Nullable SystemError error);

        /**
         * Called when {@link StreamHandle#shutdown} has ended.
         *
         * @param error why it failed, or null
         */
        void onShutdown(@Nullable SystemError error);

        /** Called last, once, when the handle is closed and its memory freed. */
        default void onClosed() {}
    }
}
