package org.trueasync.testkit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The C library's sockets. */
public final class NativeDescriptors implements ReactorKit.Descriptors {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int MSG_DONTWAIT = System.getProperty("os.name").equals("Linux") ? 0x40 : 0x80;
    private static final MethodHandle SOCKETPAIR = of("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle SEND = of("send", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECV = of("recv", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CLOSE = of("close", JAVA_INT, JAVA_INT);

    private static MethodHandle of(String name, MemoryLayout result, MemoryLayout... parameters) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, parameters));
    }

    @Override
    public int[] pair() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment both = arena.allocate(JAVA_INT, 2);
            if ((int) SOCKETPAIR.invokeExact(AF_UNIX, SOCK_STREAM, 0, both.address()) != 0)
                throw new AssertionError("socketpair");
            return both.toArray(JAVA_INT);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static long send(int descriptor, int count) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) SEND.invokeExact(descriptor, arena.allocate(count).address(), (long) count, MSG_DONTWAIT);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    @Override
    public void write(int descriptor, int count) {
        long sent = send(descriptor, count);
        if (sent != count) throw new AssertionError("send: " + sent);
    }

    @Override
    public int read(int descriptor, int most) {
        try (Arena arena = Arena.ofConfined()) {
            return (int)
                    (long) RECV.invokeExact(descriptor, arena.allocate(most).address(), (long) most, MSG_DONTWAIT);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    @Override
    public void fill(int descriptor) {
        while (send(descriptor, 1 << 16) > 0) {
            // more
        }
        while (send(descriptor, 1) > 0) {
            // to the last byte
        }
    }

    @Override
    public void close(int descriptor) {
        try {
            int ignored = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
