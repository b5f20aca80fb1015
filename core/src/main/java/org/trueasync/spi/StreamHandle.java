package org.trueasync.spi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connected, or connecting, byte stream: a TCP connection ({@link TcpHandle}), a Unix socket, one end of a child's pipe, a terminal ({@link
 * TerminalHandle}). Nothing is read before {@link #startReading}. A stream that goes one way only refuses the other with {@code EBADF}. Loop
 * thread only.
 */
public interface StreamHandle {
    /**
     * Begins to deliver incoming bytes to {@link Listener#onBytes}. While reading already, does nothing. After the end, delivers the end again.
     * To stop and start for each message is cheap.
     *
     * @return null, or why it can't
     */
    @Nullable
    SystemError startReading();

    /** Stops delivering; what has not been delivered stays in the system. While not reading, does nothing. May be called by the listener. */
    void stopReading();

    /**
     * Reads once what is there now, without waiting, and tells the listener before it returns: {@link Listener#onBytes}, {@link Listener#onEnd} or
     * {@link Listener#onReadError}; nothing if nothing is there. Only while not reading; called by a coroutine, not by the listener.
     */
    void readNow();

    /**
     * Writes as much as the system takes at once, without waiting. Nothing while an earlier {@link #write} is not finished.
     *
     * @param bytes position moves by what was taken
     * @return null, or why it failed; taking nothing is not a failure
     * @throws WrongThreadException if the buffer's memory belongs to another thread; nothing is taken
     * @throws IllegalStateException if the buffer's memory has been freed; nothing is taken
     */
    @Nullable
    SystemError tryWrite(ByteBuffer bytes);

    /**
     * As {@link #tryWrite(ByteBuffer)}, for several buffers one after another, with one system call where that is possible.
     *
     * @param bytes each one once; the positions move by what was taken; a buffer is touched only when all before it are taken whole
     * @return null, or why it failed; taking nothing, or a part, is not a failure
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
     * Writes all remaining bytes, taking over a copy of them; {@link Listener#onWritten} follows, never synchronously. Several may be under
     * way; they are written, and reported, in order.
     *
     * @param bytes all of it is taken; position moves to limit
     * @throws org.trueasync.InputOutputException if the handle is closed, as then no listener could be told
     * @throws WrongThreadException if the buffer's memory belongs to another thread; nothing is taken
     * @throws IllegalStateException if the buffer's memory has been freed; nothing is taken
     */
    void write(ByteBuffer bytes);

    /**
     * Says to the peer that nothing more will be written, after everything so far; {@link Listener#onShutdown} follows, never synchronously.
     *
     * @throws org.trueasync.InputOutputException if the handle is closed, as then no listener could be told
     */
    void shutdown();

    /** Closes at once; pending writes are given up. {@link Listener#onClosed} follows. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /** Told what happens on the stream. Called on the loop thread. */
    interface Listener {
        /**
         * A connection attempt ended.
         *
         * @param error why it failed, or null: connected
         */
        void onConnected(@Nullable SystemError error);

        /**
         * Bytes came in.
         *
         * @param bytes valid during the call only; the reactor's own memory, so copy what is to stay
         */
        void onBytes(ByteBuffer bytes);

        /** The peer has ended its side; nothing more comes. Reading has stopped. */
        void onEnd();

        /**
         * Reading failed: the peer reset the connection, for instance. Reading has stopped.
         *
         * @param error why
         */
        void onReadError(SystemError error);

        /**
         * The oldest unfinished {@link StreamHandle#write} has ended.
         *
         * @param error why it failed, or null: all of it is with the system
         */
        void onWritten(@Nullable SystemError error);

        /**
         * {@link StreamHandle#shutdown} has ended.
         *
         * @param error why it failed, or null
         */
        void onShutdown(@Nullable SystemError error);

        /** The handle is closed and its memory given back; the last call. */
        default void onClosed() {}
    }
}
