package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** The way from libuv back into Java: one stub for each kind of callback, made once for the process. */
final class Upcalls {
    /*
     * The JVM links an upcall when it is called for the first time, which takes memory, and ends the process if there is none: no frame of
     * ours is on the stack yet that could catch it. So everything that the stubs share is linked when this class is initialized. They share
     * all of it because they have one type, for the reasons in Functions, and because Callbacks has been initialized before: the handle of
     * a method whose class has not been is replaced in its first call.
     *
     * What is left is the call after 127 others of the same stub, for which the JVM makes code of its own (MethodHandle.customize): 1 ms and
     * some 200 KB for each stub, too much for a start.
     */
    private static final FunctionDescriptor TYPE = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final MethodHandles.Lookup LOOKUP = lookup();

    static final long ALLOCATE = stub("allocate");
    static final long READ = stub("read");
    static final long WRITTEN = stub("written");
    static final long CONNECTED = stub("connected");
    static final long SHUT = stub("shut");
    static final long POLLED = stub("polled");
    static final long NOTICED = stub("noticed");
    static final long RUNG = stub("rung");
    static final long TIMER = stub("timer");
    static final long CLOSED = stub("closed");

    static {
        Functions.call(Functions.at(TIMER), 0, 0, 0, 0, 0);
    }

    private Upcalls() {}

    private static MethodHandles.Lookup lookup() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            lookup.ensureInitialized(Callbacks.class);
            return lookup;
        } catch (IllegalAccessException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private static long stub(String callback) {
        try {
            return stub(LOOKUP.findStatic(Callbacks.class, callback, TYPE.toMethodType()));
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * A stub that is never freed.
     *
     * @param target of type {@code (long, long, long) -> void}; it must not throw
     */
    static long stub(MethodHandle target) {
        return Linker.nativeLinker().upcallStub(target, TYPE, Arena.global()).address();
    }
}
