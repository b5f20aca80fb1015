package org.trueasync.spi;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * An open file, read and written at given positions. Any thread, several at a time; a method may block its thread,
 * unless it says otherwise. {@link #readNow}, {@link #writeNow}, {@link #sender} and {@link #abandon} are called on the
 * loop thread alone. If the system refuses a call, it throws an {@link org.trueasync.InputOutputException} with the
 * errno. The caller makes sure that no method is called after {@link #close}, nor, if the file has positions, during
 * it.
 */
public interface FileHandle extends Closeable {
    /** Returned by {@link #readNow} and {@link #writeNow} if they might block. */
    int NOT_NOW = -2;

    /**
     * Reads bytes.
     *
     * @param into direct, as a reactor may refuse other buffers; position moves by the result
     * @param position where in the file, >= 0; -1 for a file without positions (a FIFO, a device), to read what comes
     *     next
     * @return bytes read, at least 1 if the buffer has room; -1 at the end
     */
    int read(ByteBuffer into, long position);

    /**
     * Reads bytes that the system has in memory, without blocking.
     *
     * @param into position moves by the result
     * @param position as in {@link #read}
     * @return as {@link #read}; {@link #NOT_NOW} if the thread might be blocked, or if that can't be known
     */
    default int readNow(ByteBuffer into, long position) {
        return NOT_NOW;
    }

    /**
     * Writes bytes.
     *
     * @param from direct, as a reactor may refuse other buffers; position moves by the bytes written, which may be a
     *     part
     * @param position where in the file, >= 0; -1 for a file opened to append, which is written at its end, atomically,
     *     and for a file without positions
     */
    void write(ByteBuffer from, long position);

    /** True if {@link #writeNow} may succeed. Returns at once. */
    default boolean writesNow() {
        return false;
    }

    /**
     * Writes to the system's memory, without blocking. Only for a file with positions.
     *
     * @param from direct, with bytes left; position moves by the result
     * @param position as in {@link #write}
     * @return bytes written, at least 1; {@link #NOT_NOW} if the thread might be blocked, if that can't be known, and
     *     for an error, which the following {@link #write} will throw
     */
    default int writeNow(ByteBuffer from, long position) {
        return NOT_NOW;
    }

    /** True if the file has positions: a regular file, with some reactors also a block device. Returns at once. */
    boolean isSeekable();

    /** The file's size in bytes. */
    long size();

    /** What the system knows about the file. */
    Status status();

    /**
     * Has the system store everything written so far on the device.
     *
     * @param metadata true to store also metadata such as times
     */
    void sync(boolean metadata);

    /**
     * Sets the size: cuts the file, or adds zero bytes.
     *
     * @param size in bytes, >= 0
     */
    void truncate(long size);

    /**
     * Locks a part of the file against other processes; blocks until the lock is granted. The caller makes sure that no
     * two coroutines of this process ask for conflicting locks.
     *
     * @param position where the part begins, in bytes
     * @param size length in bytes; {@link Long#MAX_VALUE} to the end of the file, however long it becomes
     * @param shared true if others may lock the part too, but only shared
     */
    void lock(long position, long size, boolean shared);

    /**
     * As {@link #lock}, but returns at once if another process holds a conflicting lock.
     *
     * @return true if the lock is granted
     * @throws org.trueasync.InputOutputException if the system refuses for another reason
     */
    boolean tryLock(long position, long size, boolean shared);

    /**
     * Releases a lock. Returns at once, so it may be called on the loop thread.
     *
     * @param position as it was locked
     * @param size as it was locked
     */
    void unlock(long position, long size);

    /**
     * True if closing this file also releases the locks that this process has on the same file through other open
     * files, because the system's locks belong to the process.
     */
    default boolean closingLosesLocks() {
        return false;
    }

    /**
     * The identity of the file in the system: two handles of one file have equal keys, whatever names they were opened
     * by. Never changes; returns at once.
     */
    Object key();

    /**
     * Prepares to send bytes straight from the file to a stream, without copying them through this process's memory.
     * Called on the loop thread; the sender then works on a helper thread.
     *
     * @param target an open stream of the same reactor without a pending write
     * @return the sender; null if this file can't be sent to this stream that way
     */
    @Nullable
    default Sender sender(StreamHandle target) {
        return null;
    }

    /**
     * Abandons the call that waits on a file without positions, because its result is not needed any more: if possible,
     * the call soon fails, without having read or written. Later calls wait as usual. On the loop thread; must not
     * block, must not throw.
     *
     * @param write true for the call that writes, false for the one that reads
     */
    default void abandon(boolean write) {}

    /** Closes the file. Called once. A file without positions may be closed while calls wait on it; they fail. */
    @Override
    void close();

    /** Sends from a file to a stream; see {@link #sender}. */
    interface Sender extends Closeable {
        /**
         * Sends as many bytes as the stream takes now. Blocks its thread to read the file, never to wait for the
         * stream.
         *
         * @param position where in the file, in bytes
         * @param count number of bytes, at most
         * @return bytes sent; 0 if the stream takes nothing now; -1 at the end of the file
         */
        long send(long position, long count);

        /** Frees what the sender holds. */
        @Override
        void close();
    }

    /**
     * What the system knows about a file.
     *
     * @param size in bytes
     * @param modified when its content was last changed
     * @param accessed when it was last read
     * @param created when it was created; the time of modification if the system does not know
     * @param isDirectory whether it is a folder
     * @param isRegularFile whether it is a regular file
     */
    record Status(
            long size,
            FileTime modified,
            FileTime accessed,
            FileTime created,
            boolean isDirectory,
            boolean isRegularFile) {}
}
