package org.trueasync.internal.testkit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.SocketImpl;

/**
 * {@link VirtualSocket} as the JDK's sockets want to have it: with a marker, an interface that java.base exports to
 * nobody. So this class is made at run time, after the agent has exported it to this module.
 */
final class PlatformSocket {
    private static final MethodHandle NEW = define();

    private PlatformSocket() {}

    private static MethodHandle define() {
        ClassDesc parent = VirtualSocket.class.describeConstable().orElseThrow();
        ClassDesc name = ClassDesc.of(PlatformSocket.class.getName() + "Impl");
        ClassDesc stack = NetworkStack.class.describeConstable().orElseThrow();
        MethodTypeDesc init = MethodTypeDesc.of(CD_void, stack, CD_boolean);
        byte[] bytes = ClassFile.of().build(name, type -> type.withSuperclass(parent)
                .withInterfaceSymbols(ClassDesc.of("sun.net.PlatformSocketImpl"))
                .withMethodBody("<init>", init, 0, code -> code.aload(0)
                        .aload(1)
                        .iload(2)
                        .invokespecial(parent, "<init>", init)
                        .return_()));
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            return lookup.findConstructor(
                            lookup.defineClass(bytes),
                            MethodType.methodType(void.class, NetworkStack.class, boolean.class))
                    .asType(MethodType.methodType(SocketImpl.class, NetworkStack.class, boolean.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static SocketImpl create(NetworkStack stack, boolean server) {
        try {
            return (SocketImpl) NEW.invokeExact(stack, server);
        } catch (Throwable e) {
            throw new IllegalStateException("Bug in TrueAsync: a simulated socket", e);
        }
    }
}
