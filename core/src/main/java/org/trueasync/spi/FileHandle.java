package org.trueasync.spi;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * An open file, by positions. Its methods block their thread and may be called on any, several at a time; only {@link #readNow} and {@link #writeNow} are for the loop
 * thread. What the system refuses is an {@link org.trueasync.InputOutputException} with its errno. The caller sees to it that nothing is
 * called after {@link #close}, or, where there are positions, during it.
 */
public interface FileHandle extends Closeable {
    /** What {@link #readNow} and {@link #writeNow} return where they might block, and {@code sendTo} where there is no short way. */
    int NOT_NOW = -2;

    /**
     * Reads.
     *
     * @param into position moves by the result
     * @param position where in the file, >= 0; -1 for a thing without positions (a FIFO, a device): what comes next
     * @return bytes read, at least 1; -1 at the end
     */
    int read(ByteBuffer into, long position);

    /**
     * Reads what the system has in memory.
     *
     * @param into position moves by the result
     * @param position as in {@link #read}
     * @return as {@link #read}; {@link #NOT_NOW} if the thread might be blocked, or if that can't be known
     */
    default int readNow(ByteBuffer into, long position) {
        return NOT_NOW;
    }

    /**
     * Writes.
     *
     * @param from position moves by what was written, which may be a part
     * @param position where in the file, >= 0; -1 at its end, atomically, if it was opened to append, and for a thing without positions
     */
    void write(ByteBuffer from, long position);

    /** True if it is worth trying {@link #writeNow}. */
    default boolean writesNow() {
        return false;
    }

    /**
     * Writes to what the system has in memory. For a file with positions only.
     *
     * @param from direct, with bytes left; position moves by the result
     * @param position as in {@link #write}
     * @return bytes written, at least 1; {@link #NOT_NOW} if the thread might be blocked, if that can't be known, and for an error, which
     *     {@link #write} then meets again
     */
    default int writeNow(ByteBuffer from, long position) {
        return NOT_NOW;
    }

    /** True if it has positions: a regular file. */
    boolean isSeekable();

    /** Its size in bytes. */
    long size();

    /** What the system knows about it. */
    Status status();

    /**
     * Has everything written so far stored for good.
     *
     * @param metadata times and the like as well
     */
    void sync(boolean metadata);

    /**
     * Makes it this long: cuts it, or adds zero bytes.
     *
     * @param size in bytes, >= 0
     */
    void truncate(long size);

    /**
     * Locks a part against other processes; waits until it can. The caller keeps the coroutines of this process apart.
     *
     * @param position where it begins
     * @param size how long; {@link Long#MAX_VALUE} for all there may ever be
     * @param shared others may lock it too, but only shared
     */
    void lock(long position, long size, boolean shared);

    /**
     * As {@link #lock}, without waiting for others.
     *
     * @return true if it is locked now
     */
    boolean tryLock(long position, long size, boolean shared);

    /**
     * Gives a lock back. Returns at once, so it may be called on the loop thread.
     *
     * @param position as it was locked
     * @param size as it was locked
     */
    void unlock(long position, long size);

    /**
     * True if closing it loses the locks that other open files of this process have on the same file: they are the process's then, not the open
     * file's.
     */
    default boolean closingLosesLocks() {
        return false;
    }

    /**
     * What makes two open files the same one: equal for the same file of the system, under whatever name it was opened. Never changes; returns
     * at once.
     */
    Object key();

    /**
     * Sends bytes straight from the file to a stream, without taking them through our memory. Begun on the loop thread, done on another.
     *
     * @param target an open stream of the same reactor with no write under way
     * @return does the sending; null if there is no such way between the two
     */
    @Nullable
    default Sender sender(StreamHandle target) {
        return null;
    }

    /**
     * Nobody needs any more what the call that is under way waits for, on a thing without positions: if it can, it ends soon with an error, without having
     * read or written. Calls made later wait as usual. On the loop thread; must not block, must not throw.
     *
     * @param write the call writes, rather than reads
     */
    default void abandon(boolean write) {}

    /**
     * Closes it; once. A thing without positions may be closed while calls wait for it: they end with an error.
     */
    @Override
    void close();

    /** Sends from a file to a stream; see {@link #sender}. */
    interface Sender extends Closeable {
        /**
         * Sends as much as the stream takes now. Blocks its thread for the file only.
         *
         * @param position where in the file
         * @param count at most so many bytes
         * @return bytes sent; 0 if the stream takes nothing now; -1 at the end of the file
         */
        long send(long position, long count);

        /** Gives back what sending held. */
        @Override
        void close();
    }

    /**
     * What the system knows about a file.
     *
     * @param size in bytes
     * @param modified when its content was last changed
     * @param accessed when it was last read
     * @param created when it was made; what the system can't tell is the time of modification
     * @param isDirectory whether it is a folder
     * @param isRegularFile whether it is a file with positions
     */
    record Status(
            long size,
            FileTime modified,
            FileTime accessed,
            FileTime created,
            boolean isDirectory,
            boolean isRegularFile) {}
}
