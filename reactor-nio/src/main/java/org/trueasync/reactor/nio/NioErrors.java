package org.trueasync.reactor.nio;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;

/** Makes errors, with the same words as on every other reactor. */
final class NioErrors {
    static final SystemError CLOSED = new SystemError("EBADF", "handle is closed");
    static final SystemError ONE_WAY = new SystemError("EBADF", "the stream goes the other way only");
    static final SystemError NOT_CONNECTED = new SystemError("ENOTCONN", "socket is not connected");
    static final SystemError BROKEN_PIPE = new SystemError("EPIPE", "broken pipe");
    static final SystemError NO_FAMILY = new SystemError("EAFNOSUPPORT", "address family not supported");

    private NioErrors() {}

    /**
     * Makes the error for used-up descriptors once, so that all classes it needs are loaded: later there might be no
     * descriptor left to open a class file.
     */
    static void prepare() {
        exception(
                "accept on",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new IOException("Too many open files"));
    }

    /** Returns the error for something that this reactor can't do. */
    static SystemError unsupported(String what) {
        return new SystemError("ENOTSUP", "the JDK has no " + what + ", the reactor 'libuv' has");
    }

    /**
     * Returns the exception of a failed operation, with a message like
     * {@code listen on 127.0.0.1:80: EACCES (permission denied)}.
     */
    static InputOutputException exception(String operation, Object object, IOException thrown) {
        return exception(operation, object, SystemError.of(thrown));
    }

    static InputOutputException exception(String operation, Object object, SystemError error) {
        return new InputOutputException(operation + " " + text(object) + ": " + error + hint(error), error.errno());
    }

    /** Says which limit was hit and how to raise it; empty for all other errors. */
    static String hint(SystemError error) {
        return switch (error.errno()) {
            case "EMFILE" -> "; the process has used up its descriptors, see ulimit -n";
            case "ENFILE" -> "; the system has used up its descriptors, see fs.file-max";
            default -> "";
        };
    }

    /** Returns {@code 127.0.0.1:80}, {@code [::1]:80}, or the path of a Unix socket. */
    static String text(@Nullable Object object) {
        if (object == null) return "an unknown address";
        if (!(object instanceof InetSocketAddress address)) return object.toString();
        InetAddress host = address.getAddress();
        if (host == null) return address.getHostString() + ":" + address.getPort();
        return host instanceof Inet6Address
                ? "[" + host.getHostAddress() + "]:" + address.getPort()
                : host.getHostAddress() + ":" + address.getPort();
    }

    /** Throws if the address is not resolved. */
    static void requireResolved(InetSocketAddress address) {
        if (address.isUnresolved())
            throw new IllegalArgumentException("host '" + address.getHostString() + "' is not resolved");
    }
}
