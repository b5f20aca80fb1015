package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The way from libuv back into Java: one stub for each kind of callback, made once for the process. */
final class Upcalls {
    /*
     * An exception that leaves an upcall ends the JVM. So each one here is a single try whose catch makes no objects and calls nothing
     * that may throw; execute() throws what was caught. They run on the loop thread, inside uv_run, and nowhere else.
     */
    static final long ALLOCATE = stub("allocate", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final long READ = stub("read", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final long WRITTEN = stub("written", JAVA_LONG, JAVA_INT);
    static final long CONNECTED = stub("connected", JAVA_LONG, JAVA_INT);
    static final long SHUT = stub("shut", JAVA_LONG, JAVA_INT);
    static final long POLLED = stub("polled", JAVA_LONG, JAVA_INT, JAVA_INT);
    static final long TIMER = stub("timer", JAVA_LONG);
    static final long CLOSED = stub("closed", JAVA_LONG);

    /** Caught where it was not known which loop it belongs to; can only be a mistake of ours. */
    private static volatile @Nullable Throwable stray;

    private Upcalls() {}

    /** Takes what was caught and could not be given to a loop. */
    static @Nullable Throwable takeStray() {
        Throwable taken = stray;
        if (taken != null) stray = null;
        return taken;
    }

    private static void allocate(long stream, long suggested, long buf) {
        UvHandle handle = null;
        try {
            handle = handle(stream);
            ((UvStream) handle).allocate(buf);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    private static void read(long stream, long count, long buf) {
        UvHandle handle = null;
        try {
            handle = handle(stream);
            ((UvStream) handle).read(count);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    private static void written(long req, int status) {
        UvHandle handle = null;
        try {
            handle = handle(req);
            NativeMemory.free(req);
            ((UvStream) handle).written(status);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    private static void connected(long req, int status) {
        UvHandle handle = null;
        try {
            handle = handle(req);
            ((UvStream) handle).connected(status);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    private static void shut(long req, int status) {
        UvHandle handle = null;
        try {
            handle = handle(req);
            ((UvStream) handle).shut(status);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    private static void polled(long poll, int status, int events) {
        UvHandle handle = null;
        try {
            handle = handle(poll);
            handle.polled(status, events);
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    /** The alarm went off; that it ends the turn is all it is for. */
    private static void timer(long timer) {}

    private static void closed(long address) {
        UvHandle handle = null;
        try {
            handle = handle(address);
            handle.nativeClosed();
        } catch (Throwable t) {
            caught(handle, t);
        }
    }

    /** By the number in the first field, which is {@code data} in handles and requests alike. */
    private static UvHandle handle(long address) {
        return HandleTable.get(NativeMemory.getLong(address + UvLayouts.DATA));
    }

    private static void caught(@Nullable UvHandle handle, Throwable thrown) {
        if (handle == null) stray = thrown;
        else handle.reactor.failed(thrown);
    }

    private static long stub(String method, MemoryLayout... parameters) {
        Class<?>[] types = Arrays.stream(parameters).map(p -> p == JAVA_INT ? int.class : long.class).toArray(Class<?>[]::new);
        try {
            var target = MethodHandles.lookup().findStatic(Upcalls.class, method, MethodType.methodType(void.class, types));
            return Linker.nativeLinker().upcallStub(target, FunctionDescriptor.ofVoid(parameters), Arena.global()).address();
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }
}
