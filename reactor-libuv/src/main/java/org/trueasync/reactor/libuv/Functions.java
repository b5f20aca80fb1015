package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Makes method handles of native functions, libuv's and the C library's. */
final class Functions {
    /*
     * All have the type of six longs and a long result, whatever the C function takes, because each further
     * type costs a cold JVM 5 to 20 ms to link; with their real types there would be 15, most used once. In the calling
     * conventions of x86-64 (System V) and AArch64 the first six integer arguments are passed in one register each, int
     * or pointer alike. A function does not read registers that it has no parameter for, nor the upper half of one that
     * holds an int. A result is in one register too: the caller cuts it to int, or ignores it for void. Variable
     * arguments are the exception (in memory on macOS), so fcntl has its own type.
     *
     * Pointers are long so that no MemorySegment is made for a call.
     */
    private static final FunctionDescriptor TYPE =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final Linker LINKER = Linker.nativeLinker();

    /** For tests, which set it before a handle is made: takes the place of the handle of the function of this name. */
    static @Nullable BiFunction<String, MethodHandle, MethodHandle> replacement;

    private Functions() {}

    static MethodHandle of(String name) {
        return made(name, LINKER.downcallHandle(find(name), TYPE));
    }

    /**
     * Returns a function that takes nanoseconds, never blocks, and never calls back: it is called without a transition
     * of the thread's state, which saves some ten nanoseconds.
     */
    static MethodHandle trivial(String name) {
        return made(name, LINKER.downcallHandle(find(name), TYPE, Linker.Option.critical(false)));
    }

    /** Returns a function whose handle takes a leading MemorySegment that receives {@code errno}. */
    static MethodHandle withErrno(String name) {
        return made(name, LINKER.downcallHandle(find(name), TYPE, Linker.Option.captureCallState("errno")));
    }

    /** Returns the function at an address. */
    static MethodHandle at(long address) {
        return LINKER.downcallHandle(MemorySegment.ofAddress(address), TYPE);
    }

    /** Returns a function; null if the library does not have it. */
    static @Nullable MethodHandle ofOrNull(String name) {
        return UvLibrary.symbols().find(name).isEmpty() ? null : of(name);
    }

    /**
     * Returns a function with variable arguments, whose handle takes a leading MemorySegment that receives
     * {@code errno}.
     *
     * @param fixed how many of the arguments are not variable
     */
    static MethodHandle variadicWithErrno(String name, FunctionDescriptor type, int fixed) {
        var errno = Linker.Option.captureCallState("errno");
        return made(name, LINKER.downcallHandle(find(name), type, errno, Linker.Option.firstVariadicArg(fixed)));
    }

    private static MethodHandle made(String name, MethodHandle handle) {
        return replacement == null ? handle : replacement.apply(name, handle);
    }

    private static MemorySegment find(String name) {
        var symbol = UvLibrary.symbols().find(name);
        if (symbol.isEmpty()) throw new IllegalStateException("native function " + name + " is missing");
        return symbol.get();
    }

    /**
     * Calls a function of {@link #of} or {@link #trivial}. If the handle is a constant, the compiler inlines this
     * method away.
     */
    static long call(MethodHandle function, long a, long b, long c, long d, long e) {
        return call(function, a, b, c, d, e, 0);
    }

    /** As above, with six arguments. */
    static long call(MethodHandle function, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) function.invokeExact(a, b, c, d, e, f);
        } catch (Throwable t) {
            throw rethrow(t);
        }
    }

    /** Calls a function of {@link #withErrno}. */
    static long call(MethodHandle function, MemorySegment errno, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) function.invokeExact(errno, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw rethrow(t);
        }
    }

    /**
     * Returns what a native function's handle has thrown, as an exception to throw; throws an {@link Error} itself.
     * Either can only be a bug of ours or an error of the JVM.
     */
    static RuntimeException rethrow(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) return exception;
        if (thrown instanceof Error error) throw error;
        return new IllegalStateException("Bug in TrueAsync: a native call threw; please report this trace", thrown);
    }
}
