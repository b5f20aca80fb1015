package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Makes method handles of native functions. */
final class Functions {
    /*
     * All have the one type (long, long, long, long, long) -> long, whatever the C function takes, because each further type costs a
     * cold JVM 5 to 20 ms to link; we have 15 of them, most used once. In the calling conventions of x86-64 (System V) and AArch64 the first
     * six integer arguments are passed in one register each, int or pointer alike; a function does not look at registers that it has no
     * parameter for, nor at the upper half of one that holds an int. A result is in one register too: the caller cuts it to int, and
     * ignores it for void. Variable arguments are the exception (in memory on macOS), so fcntl has its own type.
     *
     * Pointers are long so that no MemorySegment is made for a call.
     */
    private static final FunctionDescriptor TYPE =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final Linker LINKER = Linker.nativeLinker();

    private final SymbolLookup library;

    Functions(SymbolLookup library) {
        this.library = library;
    }

    MethodHandle of(String name) {
        return LINKER.downcallHandle(find(name), TYPE);
    }

    /**
     * A function that returns in nanoseconds, never blocks, and never calls back: it is called without telling the collector, which saves
     * some ten nanoseconds.
     */
    MethodHandle trivial(String name) {
        return LINKER.downcallHandle(find(name), TYPE, Linker.Option.critical(false));
    }

    /** A function whose handle takes a leading MemorySegment that receives {@code errno}. */
    MethodHandle withErrno(String name) {
        return LINKER.downcallHandle(find(name), TYPE, Linker.Option.captureCallState("errno"));
    }

    /** A function that has no name, only a place. */
    static MethodHandle at(long address) {
        return LINKER.downcallHandle(MemorySegment.ofAddress(address), TYPE);
    }

    /** Null where the library does not have it. */
    @Nullable
    MethodHandle ofOrNull(String name) {
        return library.find(name).isEmpty() ? null : of(name);
    }

    private MemorySegment find(String name) {
        var symbol = library.find(name);
        if (symbol.isEmpty()) throw new IllegalStateException("native function " + name + " is missing");
        return symbol.get();
    }

    /** Calls a function of {@link #of} or {@link #trivial}; where the handle is a constant, compiled code has nothing of this method left. */
    static long call(MethodHandle function, long a, long b, long c, long d, long e) {
        try {
            return (long) function.invokeExact(a, b, c, d, e);
        } catch (Throwable t) {
            throw rethrow(t);
        }
    }

    /** Calls a function of {@link #withErrno}. */
    static long call(MethodHandle function, MemorySegment errno, long a, long b, long c, long d, long e) {
        try {
            return (long) function.invokeExact(errno, a, b, c, d, e);
        } catch (Throwable t) {
            throw rethrow(t);
        }
    }

    /** What a method handle of a native function throws can only be a mistake of ours, or the VM's own error. */
    static RuntimeException rethrow(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) return exception;
        if (thrown instanceof Error error) throw error;
        return new IllegalStateException("Bug in TrueAsync: a native call threw; please report this trace", thrown);
    }
}
