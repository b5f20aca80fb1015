package org.trueasync.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

/**
 * The cpu time of a process, by its cpu clock, see clock_getcpuclockid(3). Linux only. {@code /proc} would be too
 * coarse for a short window: it counts in steps of 10 ms.
 */
public final class ProcessClock {
    private static final MethodHandle FIND = function("clock_getcpuclockid");
    private static final MethodHandle READ = function("clock_gettime");

    private final int clock;

    /** Finds the clock of a process, which must be alive. */
    public ProcessClock(long pid) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(ValueLayout.JAVA_INT);
            check(call(FIND, (int) pid, found), "find", pid);
            clock = found.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Returns the user and system time that all threads of the process have used, those that ended included, in
     * nanoseconds.
     */
    public long nanos() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
            check(call(READ, clock, time), "read", clock);
            return TimeUnit.SECONDS.toNanos(time.getAtIndex(ValueLayout.JAVA_LONG, 0))
                    + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
        }
    }

    @SuppressWarnings("restricted") // the JDK has no such clock
    private static MethodHandle function(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    private static int call(MethodHandle function, int number, MemorySegment result) {
        try {
            return (int) function.invokeExact(number, result);
        } catch (Throwable e) {
            throw new IllegalStateException("a native call failed", e);
        }
    }

    private static void check(int status, String what, long which) throws IOException {
        if (status != 0) throw new IOException("cannot " + what + " the cpu clock " + which + ", status " + status);
    }
}
