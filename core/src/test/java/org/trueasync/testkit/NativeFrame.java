package org.trueasync.testkit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Runs something with a frame of the C library's under it, which keeps a virtual thread on its carrier. */
final class NativeFrame {
    private static final MethodHandle SORT;
    private static final MethodHandle COMPARE;

    static {
        var linker = Linker.nativeLinker();
        SORT = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("qsort"),
                FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        try {
            COMPARE = MethodHandles.lookup()
                    .findStatic(
                            NativeFrame.class,
                            "compare",
                            MethodType.methodType(int.class, Runnable.class, long.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private NativeFrame() {}

    /**
     * Runs it.
     *
     * @param pinned may not fail
     */
    static void run(Runnable pinned) {
        try (Arena arena = Arena.ofConfined()) {
            var compare = Linker.nativeLinker()
                    .upcallStub(COMPARE.bindTo(pinned), FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), arena);
            SORT.invokeExact(arena.allocate(JAVA_LONG, 2), 2L, 8L, compare);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unused")
    private static int compare(Runnable pinned, long one, long other) {
        pinned.run();
        return 0;
    }
}
