package org.trueasync.reactor.libuv;

import java.io.File;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * System calls about child processes and their pipes; for starting them see {@link SpawnCalls}. Failures are negative
 * errno values.
 */
final class ProcessCalls {
    private static final MethodHandle PIPE = Functions.withErrno(Platform.MAC ? "pipe" : "pipe2");
    private static final MethodHandle WAITPID = Functions.withErrno("waitpid");
    private static final MethodHandle WAITID = Functions.withErrno("waitid");
    /** For system calls that the C library may have no function for; null on systems with other numbers. */
    private static final @Nullable MethodHandle SYSCALL = Platform.MAC ? null : Functions.withErrno("syscall");

    private static final long UNSIGNED_INT_MAX = 0xffff_ffffL;
    private static final int SIGINFO_SIZE = 128;
    /** Descriptors below this are marked where the open ones can't be listed. */
    private static final int DESCRIPTORS_MARKED = 4096;

    private ProcessCalls() {}

    /**
     * Makes a pipe. Not a pair of sockets, because a child that opens /dev/stdout can't open a socket. Both ends are
     * closed on exec.
     */
    static int pipe(MemorySegment errno, long two) {
        int status = SocketCalls.call(PIPE, errno, two, Platform.O_CLOEXEC, 0, 0, 0);
        if (Platform.MAC && status >= 0) {
            SocketCalls.closeOnExec(errno, NativeMemory.getInt(two));
            SocketCalls.closeOnExec(errno, NativeMemory.getInt(two + Integer.BYTES));
        }
        return status;
    }

    /** Opens a descriptor that becomes readable when the process has ended. Since Linux 5.3. */
    static int openProcess(MemorySegment errno, int pid) {
        return systemCall(errno, Platform.SYS_PIDFD_OPEN, pid, 0, 0);
    }

    /** Reaps a child and returns its number; 0 if it may not wait and the child has not ended. */
    static int waitpid(MemorySegment errno, int pid, long status, int options) {
        int result;
        do result = SocketCalls.call(WAITPID, errno, pid, status, options, 0, 0);
        while (result == -Platform.EINTR);
        return result;
    }

    /** Blocks until the process has ended; does not reap it. */
    static void awaitEnd(MemorySegment errno, int pid, MemorySegment scratch) {
        long info = scratch.address();
        int result;
        do result = SocketCalls.call(WAITID, errno, Platform.P_PID, pid, info, Platform.WAIT_WITHOUT_REAPING, 0);
        while (result == -Platform.EINTR);
    }

    /** Bytes of scratch memory that {@link #awaitEnd} needs. */
    static int scratchSize() {
        return SIGINFO_SIZE;
    }

    /**
     * Marks all descriptors but the standard streams as closed on exec: not all of the JVM's own files and sockets are
     * made that way. A descriptor that another thread opens without the mark between this call and the fork is still
     * inherited.
     */
    static void closeAllOnExec(MemorySegment errno) {
        if (systemCall(errno, Platform.SYS_CLOSE_RANGE, 3, UNSIGNED_INT_MAX, Platform.CLOSE_RANGE_CLOEXEC) < 0)
            markEach(errno);
    }

    /** Marks the descriptors one by one: for kernels before 5.11, and other systems. */
    static void markEach(MemorySegment errno) {
        String[] open = new File("/dev/fd").list();
        if (open == null) {
            for (int descriptor = 3; descriptor < DESCRIPTORS_MARKED; descriptor++)
                SocketCalls.closeOnExec(errno, descriptor);
            return;
        }
        for (String name : open) {
            int descriptor = Integer.parseInt(name);
            if (descriptor > 2) SocketCalls.closeOnExec(errno, descriptor);
        }
    }

    private static int systemCall(MemorySegment errno, int number, long first, long second, long third) {
        if (SYSCALL == null) return -Platform.ENOSYS;
        return SocketCalls.call(SYSCALL, errno, number, first, second, third, 0);
    }
}
