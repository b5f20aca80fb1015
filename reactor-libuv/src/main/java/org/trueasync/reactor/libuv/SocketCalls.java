package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** System calls that libuv does not offer, or not in the way we need them. Failures are negative errno values. */
final class SocketCalls {
    /** Layout of the block for {@code errno}, which the caller owns. */
    static final StructLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();

    /** POLLIN, as the events of a {@code struct pollfd}. */
    static final short READABLE = 1;

    private static final VarHandle ERRNO = ERRNO_LAYOUT.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle LISTEN = Functions.withErrno("listen");
    private static final MethodHandle SETSOCKOPT = Functions.withErrno("setsockopt");
    private static final MethodHandle ACCEPT = Functions.withErrno(Platform.MAC ? "accept" : "accept4");

    private SocketCalls() {}

    static int listen(MemorySegment errno, int socket, int backlog) {
        return call(LISTEN, errno, socket, backlog, 0, 0, 0);
    }

    static int setOption(MemorySegment errno, int socket, int level, int option, long value, int length) {
        return call(SETSOCKOPT, errno, socket, level, option, value, length);
    }

    /**
     * Accepts a connection; the new descriptor is closed on exec. Where accept4 is missing, libuv makes it non-blocking
     * afterwards.
     */
    static int accept(MemorySegment errno, int socket, long address, long addressLength) {
        int accepted = call(ACCEPT, errno, socket, address, addressLength, Platform.ACCEPT_FLAGS, 0);
        if (Platform.MAC && accepted >= 0) closeOnExec(errno, accepted);
        return accepted;
    }

    /** Reads what is there; repeated if a signal interrupts it. */
    static int read(MemorySegment errno, int descriptor, long bytes, int length) {
        return Reading.call(Reading.READ, errno, descriptor, bytes, length);
    }

    /**
     * Polls a descriptor without waiting.
     *
     * @param descriptor one {@code struct pollfd}
     * @return 1 if it is ready, 0 if not, or a negative errno
     */
    static int poll(MemorySegment errno, long descriptor) {
        return Reading.call(Reading.POLL, errno, descriptor, 1, 0);
    }

    /** In a class of its own, linked when it is needed: few programs read without waiting. */
    private static final class Reading {
        static final MethodHandle READ = Functions.withErrno("read");
        static final MethodHandle POLL = Functions.withErrno("poll");

        static int call(MethodHandle function, MemorySegment errno, long a, long b, long c) {
            while (true) {
                int result = SocketCalls.call(function, errno, a, b, c, 0, 0);
                if (result != -Platform.EINTR) return result;
            }
        }
    }

    static void closeOnExec(MemorySegment errno, int descriptor) {
        DescriptorControl.call(errno, descriptor, Platform.F_SETFD, Platform.FD_CLOEXEC);
    }

    /** For tests: makes a descriptor stay open on exec, as other code may. */
    static void keepOnExec(MemorySegment errno, int descriptor) {
        DescriptorControl.call(errno, descriptor, Platform.F_SETFD, 0);
    }

    /** Makes a second descriptor of the same file, closed on exec. */
    static int duplicate(MemorySegment errno, int descriptor) {
        return duplicateFrom(errno, descriptor, 0);
    }

    /** As {@link #duplicate}, with a number that is at least {@code least}. */
    static int duplicateFrom(MemorySegment errno, int descriptor, int least) {
        return DescriptorControl.call(errno, descriptor, Platform.F_DUPFD_CLOEXEC, least);
    }

    /** Calls a function of {@link Functions#withErrno}; a failure is a negative errno value. */
    static int call(MethodHandle function, MemorySegment errno, long a, long b, long c, long d, long e) {
        return call(function, errno, a, b, c, d, e, 0);
    }

    /** As above, with six arguments. */
    static int call(MethodHandle function, MemorySegment errno, long a, long b, long c, long d, long e, long f) {
        return result(Functions.call(function, errno, a, b, c, d, e, f), errno);
    }

    private static int result(long returned, MemorySegment errno) {
        return (int) returned >= 0 ? (int) returned : -(int) ERRNO.get(errno, 0L);
    }

    /**
     * {@code fcntl}, which takes variable arguments. In a class of its own, because linking another type takes time and
     * few programs need it.
     */
    private static final class DescriptorControl {
        private static final MethodHandle FCNTL =
                Functions.variadicWithErrno("fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), 2);

        static int call(MemorySegment errno, int descriptor, int command, int argument) {
            try {
                return result((int) FCNTL.invokeExact(errno, descriptor, command, argument), errno);
            } catch (Throwable t) {
                throw Functions.rethrow(t);
            }
        }
    }
}
