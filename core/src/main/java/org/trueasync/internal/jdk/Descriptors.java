package org.trueasync.internal.jdk;

import java.io.FileDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetSocketAddress;

/** What is known of a descriptor of JDK code, for people. Asks the system, which does not wait. */
public final class Descriptors {
    private Descriptors() {}

    /** {@code descriptor 12, 127.0.0.1:40000 to 127.0.0.1:5432}, as far as there are addresses. */
    public static String describe(int descriptor) {
        String text = "descriptor " + descriptor;
        try {
            FileDescriptor object = (FileDescriptor) Jdk.OF.invokeExact(descriptor);
            if ((byte[]) Jdk.LOCAL_PATH.invokeExact(object) != null) return text + ", a Unix domain socket";
            text += ", " + text((InetSocketAddress) Jdk.LOCAL.invokeExact(object));
            return text + " to " + text((InetSocketAddress) Jdk.REMOTE.invokeExact(object));
        } catch (Throwable e) {
            return text; // a selector, a socket without a peer, or one that has just been closed
        }
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + address.getPort();
    }

    private static final class Jdk {
        static final MethodHandle OF;
        static final MethodHandle LOCAL;
        static final MethodHandle REMOTE;
        static final MethodHandle LOCAL_PATH;

        static {
            try {
                ThreadLocks.open("sun.nio.ch");
                OF = find("IOUtil", "newFD", FileDescriptor.class, int.class);
                LOCAL = find("Net", "localAddress", InetSocketAddress.class, FileDescriptor.class);
                REMOTE = find("Net", "remoteAddress", InetSocketAddress.class, FileDescriptor.class);
                LOCAL_PATH = find("UnixDomainSockets", "localAddress0", byte[].class, FileDescriptor.class);
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Jdk() {}

        private static MethodHandle find(String type, String name, Class<?> result, Class<?> argument)
                throws ReflectiveOperationException {
            Class<?> holder = Class.forName("sun.nio.ch." + type);
            return MethodHandles.privateLookupIn(holder, MethodHandles.lookup())
                    .findStatic(holder, name, MethodType.methodType(result, argument));
        }
    }
}
