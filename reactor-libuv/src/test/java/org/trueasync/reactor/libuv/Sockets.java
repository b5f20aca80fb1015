package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/** Bare descriptors, for tests of polling. */
final class Sockets {
    private static final MethodHandle SOCKETPAIR = of("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle WRITE = of("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle READ = of("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

    private Sockets() {}

    private static MethodHandle of(String name, MemoryLayout result, MemoryLayout... parameters) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, parameters));
    }

    /** Two connected stream sockets. */
    static int[] pair() {
        try (Arena arena = Arena.ofConfined()) {
            long both = arena.allocate(8, 8).address();
            if ((int) SOCKETPAIR.invokeExact(1, 1, 0, both) != 0) throw new AssertionError("socketpair");
            return new int[] {NativeMemory.getInt(both), NativeMemory.getInt(both + 4)};
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    static void write(int descriptor, int count) {
        try (Arena arena = Arena.ofConfined()) {
            long written =
                    (long) WRITE.invokeExact(descriptor, arena.allocate(count).address(), (long) count);
            if (written != count) throw new AssertionError("write: " + written);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    static long read(int descriptor, int count) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) READ.invokeExact(descriptor, arena.allocate(count).address(), (long) count);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
