package org.trueasync.launcher;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Pins the calling virtual thread to its carrier: anything that would suspend it blocks the carrier instead. */
final class Pinning {
    /**
     * Method handles, looked up on the first call from a virtual thread. So they are not looked up during the JVM's
     * start, which creates the ProgramLoader but has no virtual threads.
     */
    private static final class Access {
        static final @Nullable MethodHandle PIN = find("pin");
        static final @Nullable MethodHandle UNPIN = find("unpin");

        private Access() {}

        /**
         * Returns null if the package is not exported to this module, as in a JVM that the command has not started;
         * then nothing is pinned.
         */
        private static @Nullable MethodHandle find(String name) {
            try {
                return MethodHandles.lookup()
                        .findStatic(
                                Class.forName("jdk.internal.vm.Continuation"), name, MethodType.methodType(void.class));
            } catch (ReflectiveOperationException unavailable) {
                return null;
            }
        }
    }

    private Pinning() {}

    /** Pins the calling thread. True if it is pinned now; the caller must call {@link #unpin} then. Nests. */
    static boolean pin() {
        return Thread.currentThread().isVirtual() && call(Access.PIN);
    }

    static void unpin() {
        call(Access.UNPIN);
    }

    private static boolean call(@Nullable MethodHandle handle) {
        if (handle == null) return false;
        try {
            handle.invokeExact();
            return true;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Bug in TrueAsync: pinning throws nothing checked", e);
        }
    }
}
