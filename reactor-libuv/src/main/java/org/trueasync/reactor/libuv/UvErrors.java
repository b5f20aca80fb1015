package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;

/** Converts libuv's negative status codes, which are negative errno values, into errors with text. */
final class UvErrors {
    /*
     * Filled as errors occur. Loops of several threads share it without a lock: entries are immutable records, so at
     * worst a race makes one twice.
     */
    private static final @Nullable SystemError[] KNOWN = new SystemError[256];

    private static final int TEXT_SIZE = 256;

    static final SystemError CLOSED = new SystemError("EBADF", "handle is closed");
    static final SystemError ONE_WAY = new SystemError("EBADF", "the stream goes the other way only");
    static final SystemError NOT_CONNECTED = of(-Platform.ENOTCONN);

    private UvErrors() {}

    /**
     * Makes the error for used-up descriptors once, so that all classes it needs are loaded: later there might be no
     * descriptor left to open a class file.
     */
    static void prepare() {
        exception("accept on", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), -Platform.EMFILE);
        of(-Platform.ENFILE);
        Libc.close(-1); // initialises Libc, whose functions are looked up in files of the system
    }

    /** Returns the error for a status below zero. */
    static SystemError of(int status) {
        int index = -status;
        if (index < 0 || index >= 256) return make(status);
        SystemError error = KNOWN[index];
        if (error == null) KNOWN[index] = error = make(status);
        return error;
    }

    /** Returns the error, or null for a status of zero or above. */
    static @Nullable SystemError orNull(int status) {
        return status >= 0 ? null : of(status);
    }

    /**
     * Returns the exception of a failed operation, with a message like
     * {@code listen on 127.0.0.1:80: EACCES (permission denied)}.
     */
    static InputOutputException exception(String operation, InetSocketAddress address, int status) {
        return exception(operation, address, of(status));
    }

    static InputOutputException exception(String operation, String name, int status) {
        return exception(operation, name, of(status));
    }

    static InputOutputException exception(String operation, InetSocketAddress address, SystemError error) {
        return exception(operation, SocketAddresses.text(address), error);
    }

    static InputOutputException exception(String operation, String name, SystemError error) {
        return new InputOutputException(operation + " " + name + ": " + error + hint(error), error.errno());
    }

    /** Says which limit was hit and how to raise it; empty for all other errors. */
    static String hint(SystemError error) {
        return switch (error.errno()) {
            case "EMFILE" -> "; the process has used up its descriptors, see ulimit -n";
            case "ENFILE" -> "; the system has used up its descriptors, see fs.file-max";
            default -> "";
        };
    }

    /** Errors that libuv has no name for; the numbers are Linux's, but for the first. */
    private static @Nullable SystemError unknownToLibuv(int status) {
        if (status == -8) return new SystemError("ENOEXEC", "no program, and no script with a #! line");
        if (Platform.MAC) return null;
        return switch (-status) {
            case 10 -> new SystemError("ECHILD", "no child processes");
            case 35 -> new SystemError("EDEADLK", "resource deadlock would occur");
            case 37 -> new SystemError("ENOLCK", "no locks available");
            case 64 -> new SystemError("ENONET", "machine is not on the network");
            case 116 -> new SystemError("ESTALE", "stale file handle");
            case 122 -> new SystemError("EDQUOT", "disk quota exceeded");
            default -> null;
        };
    }

    private static SystemError make(int status) {
        SystemError ours = unknownToLibuv(status);
        if (ours != null) return ours;
        // The _r functions, because the plain ones leak a string for each unknown code.
        try (Arena arena = Arena.ofConfined()) {
            long text = arena.allocate(TEXT_SIZE).address();
            Uv.errName(status, text, TEXT_SIZE);
            String name = NativeMemory.getString(text);
            Uv.strError(status, text, TEXT_SIZE);
            return new SystemError(name, NativeMemory.getString(text));
        }
    }
}
