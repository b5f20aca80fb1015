package org.trueasync.launcher;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Keeps the calling virtual thread on its carrier for a while: what would suspend it holds the carrier instead. */
final class Pinning {
    /** Found with the first virtual thread that asks: the JVM's own start, which loads the program's class loader, has none. */
    private static final class Access {
        static final @Nullable MethodHandle PIN = find("pin");
        static final @Nullable MethodHandle UNPIN = find("unpin");

        private Access() {}

        /** Null if the package is not exported to us, as in a JVM that was not started by the command: then nothing is pinned. */
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

    /** True if the calling thread is pinned now, and {@link #unpin} has to be called. Nests. */
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
