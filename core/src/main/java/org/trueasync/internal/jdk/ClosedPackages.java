package org.trueasync.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Opens packages of {@code java.base} that are closed. Once {@code java.lang} is open to us, so is the rest of its
 * module: see the decision note on deadlocks of a held loop.
 */
final class ClosedPackages {
    private ClosedPackages() {}

    /** Opens a package to us. */
    static void open(String name) throws Throwable {
        MethodHandles.privateLookupIn(Module.class, MethodHandles.lookup())
                .findVirtual(
                        Module.class, "implAddOpens", MethodType.methodType(void.class, String.class, Module.class))
                .invokeExact(Object.class.getModule(), name, ClosedPackages.class.getModule());
    }

    /**
     * Finds a static method, private or not, of a class in an opened package.
     *
     * @param type name of the class, with its package
     */
    static MethodHandle staticMethod(String type, String name, Class<?> result, Class<?>... arguments)
            throws ReflectiveOperationException {
        Class<?> holder = Class.forName(type);
        return MethodHandles.privateLookupIn(holder, MethodHandles.lookup())
                .findStatic(holder, name, MethodType.methodType(result, arguments));
    }
}
