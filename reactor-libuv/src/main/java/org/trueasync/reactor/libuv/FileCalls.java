package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * System calls on files; Linux only, 64 bits. Failures are negative errno values. Any thread: each call takes a memory
 * block for {@code errno}, because several threads call at the same time.
 */
final class FileCalls {
    /*
     * open, fcntl and ioctl have variable arguments; on Linux these are passed like all others, see Functions.
     */
    static final int READ_ONLY = 0;
    static final int WRITE_ONLY = 1;
    static final int READ_WRITE = 2;
    static final int CREATE = 0x40;
    static final int EXCLUSIVE = 0x80;
    static final int NO_TERMINAL = 0x100;
    static final int TRUNCATE = 0x200;
    static final int APPEND = 0x400;
    static final int NON_BLOCKING = 0x800;
    static final int DATA_SYNC = 0x1000;
    static final int SYNC = 0x101000;
    static final int CLOSE_ON_EXEC = 0x80000;
    static final int NO_FOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x20000;

    static final int SET_LOCK = 37;
    static final int SET_LOCK_AND_WAIT = 38;
    static final short READ_LOCK = 0;
    static final short WRITE_LOCK = 1;
    static final short UNLOCK = 2;

    static final long STATX_SIZE = 256;
    static final long STATFS_SIZE = 120;
    static final long STATFS_FLAGS = 80;

    private static final int SET_FLAGS = 4;
    private static final int GET_FLAGS = 3;
    private static final long FLOCK_SIZE = 32;
    private static final long NOWAIT = 8;
    private static final long GET_ATTRIBUTES = 0x80086601L;
    private static final long EMPTY_PATH = 0x1000;
    private static final long STATX_ALL = 0xfff;
    private static final int POLL_SIZE = 8;
    private static final short POLLIN = 1;
    private static final short POLLOUT = 4;

    private static final StructLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = ERRNO_LAYOUT.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle OPEN = Functions.withErrno("open");
    private static final MethodHandle UNLINK = Functions.withErrno("unlink");
    private static final MethodHandle CLOSE = Functions.withErrno("close");
    private static final MethodHandle READ = Functions.withErrno("read");
    private static final MethodHandle WRITE = Functions.withErrno("write");
    private static final MethodHandle PREAD = Functions.withErrno("pread");
    private static final MethodHandle PWRITE = Functions.withErrno("pwrite");
    private static final MethodHandle PREADV2 = Functions.withErrno("preadv2");
    private static final MethodHandle PWRITEV2 = Functions.withErrno("pwritev2");
    private static final MethodHandle FSTATFS = Functions.withErrno("fstatfs");
    private static final MethodHandle IOCTL = Functions.withErrno("ioctl");
    private static final MethodHandle STATX = Functions.withErrno("statx");
    private static final MethodHandle FSYNC = Functions.withErrno("fsync");
    private static final MethodHandle FDATASYNC = Functions.withErrno("fdatasync");
    private static final MethodHandle FTRUNCATE = Functions.withErrno("ftruncate");
    private static final MethodHandle FCNTL = Functions.withErrno("fcntl");
    private static final MethodHandle EVENTFD = Functions.withErrno("eventfd");
    private static final MethodHandle POLL = Functions.withErrno("poll");
    private static final MethodHandle SENDFILE = Functions.withErrno("sendfile");

    private FileCalls() {}

    /** Returns a block for {@code errno}. */
    static MemorySegment errno(Arena arena) {
        return arena.allocate(ERRNO_LAYOUT);
    }

    private static int call(MethodHandle function, MemorySegment errno, long a, long b, long c, long d, long e) {
        while (true) {
            int result = (int) Functions.call(function, errno, a, b, c, d, e, 0);
            if (result != -1) return result;
            int error = (int) ERRNO.get(errno, 0L);
            if (error != Platform.EINTR) return -error;
        }
    }

    static int open(MemorySegment errno, long path, int flags, int mode) {
        return call(OPEN, errno, path, flags, mode, 0, 0);
    }

    static int unlink(MemorySegment errno, long path) {
        return call(UNLINK, errno, path, 0, 0, 0, 0);
    }

    /** Closes a descriptor. Must not be repeated: even if it fails, the descriptor is closed. */
    static int close(MemorySegment errno, int descriptor) {
        int result = (int) Functions.call(CLOSE, errno, descriptor, 0, 0, 0, 0, 0);
        if (result == 0) return 0;
        int error = (int) ERRNO.get(errno, 0L);
        return error == Platform.EINTR ? 0 : -error;
    }

    static int read(MemorySegment errno, int descriptor, long bytes, int length) {
        return call(READ, errno, descriptor, bytes, length, 0, 0);
    }

    static int write(MemorySegment errno, int descriptor, long bytes, int length) {
        return call(WRITE, errno, descriptor, bytes, length, 0, 0);
    }

    static int readAt(MemorySegment errno, int descriptor, long bytes, int length, long position) {
        return call(PREAD, errno, descriptor, bytes, length, position, 0);
    }

    static int writeAt(MemorySegment errno, int descriptor, long bytes, int length, long position) {
        return call(PWRITE, errno, descriptor, bytes, length, position, 0);
    }

    /**
     * Reads what the system has in memory.
     *
     * @param vector one {@code struct iovec}
     * @param asks whether the system has to refuse what would block; false for files that never block
     * @return the number of bytes, 0 at the end of the file, or a negative errno: {@code -EAGAIN} if it would block
     */
    static int readNow(MemorySegment errno, int descriptor, long vector, long position, boolean asks) {
        return call(PREADV2, errno, descriptor, vector, 1, position, asks ? NOWAIT : 0);
    }

    /**
     * Writes to what the system has in memory.
     *
     * @param vector one {@code struct iovec}
     * @param position -1 for the end of a file that was opened to append
     * @param asks whether the system has to refuse what would block; false for files that never block
     * @return the number of bytes, or a negative errno: {@code -EAGAIN} if it would block
     */
    static int writeNow(MemorySegment errno, int descriptor, long vector, long position, boolean asks) {
        return call(PWRITEV2, errno, descriptor, vector, 1, position, asks ? NOWAIT : 0);
    }

    /**
     * Asks for the file system of an open file.
     *
     * @param status receives a {@code struct statfs}; {@link #STATFS_SIZE} bytes
     */
    static int systemOf(MemorySegment errno, int descriptor, MemorySegment status) {
        return call(FSTATFS, errno, descriptor, status.address(), 0, 0, 0);
    }

    /**
     * Asks for the attributes of an open file, see chattr(1).
     *
     * @param attributes a {@code long}, of which the lower half is set
     */
    static int attributes(MemorySegment errno, int descriptor, MemorySegment attributes) {
        return call(IOCTL, errno, descriptor, GET_ATTRIBUTES, attributes.address(), 0, 0);
    }

    /**
     * Asks for the status of an open file.
     *
     * @param status receives a {@code struct statx}; {@link #STATX_SIZE} bytes
     */
    static int status(Arena arena, MemorySegment errno, int descriptor, MemorySegment status) {
        MemorySegment empty = arena.allocate(1);
        return call(STATX, errno, descriptor, empty.address(), EMPTY_PATH, STATX_ALL, status.address());
    }

    static int sync(MemorySegment errno, int descriptor, boolean metadata) {
        return call(metadata ? FSYNC : FDATASYNC, errno, descriptor, 0, 0, 0, 0);
    }

    static int truncate(MemorySegment errno, int descriptor, long size) {
        return call(FTRUNCATE, errno, descriptor, size, 0, 0, 0);
    }

    /**
     * Locks or unlocks a part. The lock belongs to the open file, not to the process: closing another descriptor of the
     * file leaves it.
     *
     * @param size 0 for everything from the position on, however long the file gets
     */
    static int lock(
            Arena arena, MemorySegment errno, int descriptor, int command, short type, long position, long size) {
        MemorySegment lock = arena.allocate(FLOCK_SIZE, 8);
        lock.set(JAVA_SHORT, 0, type);
        lock.set(JAVA_LONG, 8, position);
        lock.set(JAVA_LONG, 16, size);
        return call(FCNTL, errno, descriptor, command, lock.address(), 0, 0);
    }

    static int makeNonBlocking(MemorySegment errno, int descriptor) {
        int flags = call(FCNTL, errno, descriptor, GET_FLAGS, 0, 0, 0);
        return flags < 0 ? flags : call(FCNTL, errno, descriptor, SET_FLAGS, flags | NON_BLOCKING, 0, 0);
    }

    /** Makes a descriptor that {@link #signal} makes readable. */
    static int event(MemorySegment errno) {
        return call(EVENTFD, errno, 0, CLOSE_ON_EXEC | NON_BLOCKING, 0, 0, 0);
    }

    static void signal(Arena arena, MemorySegment errno, int event) {
        MemorySegment one = arena.allocate(8, 8);
        one.set(JAVA_LONG, 0, 1);
        call(WRITE, errno, event, one.address(), 8, 0, 0);
    }

    static void quieten(Arena arena, MemorySegment errno, int event) {
        call(READ, errno, event, arena.allocate(8, 8).address(), 8, 0, 0);
    }

    /** Waits until the descriptor can be read from, or written to, or the event was signalled. */
    static int await(Arena arena, MemorySegment errno, int descriptor, boolean toWrite, int event) {
        MemorySegment both = arena.allocate(2 * POLL_SIZE, 8);
        both.set(JAVA_INT, 0, descriptor);
        both.set(JAVA_SHORT, 4, toWrite ? POLLOUT : POLLIN);
        both.set(JAVA_INT, POLL_SIZE, event);
        both.set(JAVA_SHORT, POLL_SIZE + 4, POLLIN);
        return call(POLL, errno, both.address(), 2, -1, 0, 0);
    }

    /**
     * Sends from a file to a socket.
     *
     * @param position address of a {@code long}, which is moved by the result
     */
    static int send(MemorySegment errno, int socket, int file, long position, int count) {
        return call(SENDFILE, errno, socket, file, position, count, 0);
    }
}
