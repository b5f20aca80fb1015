package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * The native stubs by which libuv calls {@link Callbacks}: one for each kind of callback, made once for the process.
 */
final class Upcalls {
    /*
     * The JVM links an upcall when it is called for the first time. That takes memory; if there is none, the JVM ends
     * the process, as no Java frame is on the stack yet that could catch the error. So everything that the stubs share
     * is linked when this class is initialized. They share all of it because they have one type, for the reasons in
     * Functions, and because Callbacks is initialized before: the handle of a method whose class is not initialized is
     * replaced in its first call.
     *
     * One risk remains: at the 128th call of each stub the JVM makes special code for it (MethodHandle.customize),
     * which takes 1 ms and some 200 KB. To cause that here for all stubs would make the start too slow.
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
    static final long READY = stub("ready");
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
     * Returns the address of a stub that is never freed.
     *
     * @param target of type {@code (long, long, long) -> void}; it must not throw
     */
    static long stub(MethodHandle target) {
        return Linker.nativeLinker().upcallStub(target, TYPE, Arena.global()).address();
    }
}
