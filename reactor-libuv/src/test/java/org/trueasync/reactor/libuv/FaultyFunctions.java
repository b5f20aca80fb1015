package org.trueasync.reactor.libuv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.trueasync.faults.CallFaults;

/** Takes the place of all native functions of the reactor. */
final class FaultyFunctions {
    private static final Set<String> MADE = new ConcurrentSkipListSet<>();

    private FaultyFunctions() {}

    /** Must be called before any function is made. */
    static void install() {
        CallFaults.countClassesOf(
                List.of(FaultyFunctions.class.getPackageName() + "."),
                FaultyFunctions.class,
                Function.class,
                Functions.class,
                NativeFaultRun.class);
        Functions.replacement = FaultyFunctions::made;
    }

    private static MethodHandle made(String name, MethodHandle handle) {
        MADE.add(name);
        try {
            return MethodHandles.lookup().bind(new Function(name, handle), "call", handle.type());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Names of all functions that were made until now. */
    static Set<String> made() {
        return Set.copyOf(MADE);
    }

    /** One function; its methods have the types of the handles that they stand for. */
    private record Function(String name, MethodHandle handle) {
        long call(long a, long b, long c, long d, long e, long f) throws Throwable {
            CallFaults.Error error = CallFaults.errorOf(name);
            if (error == null) return (long) handle.invokeExact(a, b, c, d, e, f);
            if (error.isMade()) {
                long _ = (long) handle.invokeExact(a, b, c, d, e, f);
            }
            return Manual.of(name).result(error);
        }

        long call(MemorySegment errno, long a, long b, long c, long d, long e, long f) throws Throwable {
            CallFaults.Error error = CallFaults.errorOf(name);
            if (error == null) return (long) handle.invokeExact(errno, a, b, c, d, e, f);
            if (error.isMade()) {
                long _ = (long) handle.invokeExact(errno, a, b, c, d, e, f);
            }
            errno.set(ValueLayout.JAVA_INT, 0, error.number());
            return -1;
        }

        int call(MemorySegment errno, int a, int b, int c) throws Throwable {
            CallFaults.Error error = CallFaults.errorOf(name);
            if (error == null) return (int) handle.invokeExact(errno, a, b, c);
            errno.set(ValueLayout.JAVA_INT, 0, error.number());
            return -1;
        }
    }
}
