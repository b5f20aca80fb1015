package org.trueasync.reactor.libuv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Makes method handles of native functions. Pointers are {@code long}: no MemorySegment is made for a call. */
final class Functions {
    private static final Linker LINKER = Linker.nativeLinker();

    private final SymbolLookup library;

    Functions(SymbolLookup library) {
        this.library = library;
    }

    /** A function of this name; {@code result} is null for void. */
    MethodHandle of(String name, @Nullable MemoryLayout result, MemoryLayout... parameters) {
        return link(name, result, parameters);
    }

    /**
     * A function that returns in nanoseconds, never blocks, and never calls back: it is called without telling the collector, which saves
     * some ten nanoseconds.
     */
    MethodHandle trivial(String name, @Nullable MemoryLayout result, MemoryLayout... parameters) {
        return link(name, result, parameters, Linker.Option.critical(false));
    }

    /** A function whose handle takes a leading MemorySegment that receives {@code errno}. */
    MethodHandle withErrno(String name, MemoryLayout result, MemoryLayout... parameters) {
        return link(name, result, parameters, Linker.Option.captureCallState("errno"));
    }

    /** The same, with variable arguments from this index on. */
    MethodHandle variadicWithErrno(String name, int firstVariadic, MemoryLayout result, MemoryLayout... parameters) {
        return link(name, result, parameters, Linker.Option.captureCallState("errno"), Linker.Option.firstVariadicArg(firstVariadic));
    }

    private MethodHandle link(String name, @Nullable MemoryLayout result, MemoryLayout[] parameters, Linker.Option... options) {
        var symbol = library.find(name).orElseThrow(() -> new IllegalStateException("native function " + name + " is missing"));
        var type = result == null ? FunctionDescriptor.ofVoid(parameters) : FunctionDescriptor.of(result, parameters);
        return LINKER.downcallHandle(symbol, type, options);
    }

    /** What a method handle of a native function throws can only be a mistake of ours, or the VM's own error. */
    static RuntimeException rethrow(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) return exception;
        if (thrown instanceof Error error) throw error;
        return new IllegalStateException("Bug in TrueAsync: a native call threw; please report this trace", thrown);
    }
}
