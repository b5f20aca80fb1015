package org.trueasync.internal.jdk;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Tells about descriptors and standard streams of JDK code. Asks the system, which does not block. */
public final class Descriptors {
    private Descriptors() {}

    /**
     * Describes a descriptor for people: {@code descriptor 12, 127.0.0.1:40000 to 127.0.0.1:5432}, as far as there are
     * addresses.
     */
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

    /**
     * True if bytes can be written to it without blocking, at least 4096 to a pipe; also if that can't be told.
     *
     * @param descriptor an open one
     */
    public static boolean isWritable(FileDescriptor descriptor) {
        MethodHandle now = Polling.NOW;
        if (now == null) return true;
        try {
            return (int) now.invokeExact(descriptor, Polling.OUT) != 0;
        } catch (Throwable e) {
            return true;
        }
    }

    /**
     * True if it is the stream that the JDK made at its start over one of the standard descriptors.
     *
     * @param stream any
     * @param descriptor one of the constants of {@link FileDescriptor}
     */
    public static boolean isJdkStreamOf(PrintStream stream, FileDescriptor descriptor) {
        if (stream.getClass() != PrintStream.class || Streams.BEHIND == null) return false;
        try {
            OutputStream behind = (OutputStream) Streams.BEHIND.get((FilterOutputStream) stream);
            return behind.getClass() == BufferedOutputStream.class
                    && (OutputStream) Streams.BEHIND.get((FilterOutputStream) behind) instanceof FileOutputStream file
                    && file.getFD() == descriptor;
        } catch (IOException e) {
            return false;
        }
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + address.getPort();
    }

    private static final class Streams {
        static final @Nullable VarHandle BEHIND;

        static {
            @Nullable VarHandle behind = null;
            try {
                ClosedPackages.open("java.io");
                behind = MethodHandles.privateLookupIn(FilterOutputStream.class, MethodHandles.lookup())
                        .findVarHandle(FilterOutputStream.class, "out", OutputStream.class);
            } catch (Throwable e) {
                // another JDK; its streams stay what they are
            }
            BEHIND = behind;
        }

        private Streams() {}
    }

    private static final class Polling {
        static final @Nullable MethodHandle NOW;
        static final int OUT;

        static {
            @Nullable MethodHandle now = null;
            int out = 0;
            try {
                ClosedPackages.open("sun.nio.ch");
                Class<?> net = Class.forName("sun.nio.ch.Net");
                out = (short) MethodHandles.privateLookupIn(net, MethodHandles.lookup())
                        .findStaticVarHandle(net, "POLLOUT", short.class)
                        .get();
                now = ClosedPackages.staticMethod(net.getName(), "pollNow", int.class, FileDescriptor.class, int.class);
            } catch (Throwable e) {
                // another JDK; printing may block
            }
            NOW = now;
            OUT = out;
        }

        private Polling() {}
    }

    private static final class Jdk {
        static final MethodHandle OF;
        static final MethodHandle LOCAL;
        static final MethodHandle REMOTE;
        static final MethodHandle LOCAL_PATH;

        static {
            try {
                ClosedPackages.open("sun.nio.ch");
                OF = ClosedPackages.staticMethod("sun.nio.ch.IOUtil", "newFD", FileDescriptor.class, int.class);
                LOCAL = ClosedPackages.staticMethod(
                        "sun.nio.ch.Net", "localAddress", InetSocketAddress.class, FileDescriptor.class);
                REMOTE = ClosedPackages.staticMethod(
                        "sun.nio.ch.Net", "remoteAddress", InetSocketAddress.class, FileDescriptor.class);
                LOCAL_PATH = ClosedPackages.staticMethod(
                        "sun.nio.ch.UnixDomainSockets", "localAddress0", byte[].class, FileDescriptor.class);
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Jdk() {}
    }
}
