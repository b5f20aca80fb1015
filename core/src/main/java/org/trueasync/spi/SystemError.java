package org.trueasync.spi;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error of the operating system.
 *
 * <p>Any thread.
 *
 * @param errno the error's name, {@code ECONNREFUSED} for instance; empty if it is not known
 * @param text the system's text for it, {@code connection refused} for instance
 */
public record SystemError(String errno, String text) {
    /**
     * Maps the text of {@code strerror}, in lower case, to the name of the errno, because the JDK passes on the text
     * only.
     */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("no space left on device", "ENOSPC"),
            Map.entry("disk quota exceeded", "EDQUOT"),
            Map.entry("file too large", "EFBIG"),
            Map.entry("too many open files", "EMFILE"),
            Map.entry("too many open files in system", "ENFILE"),
            Map.entry("is a directory", "EISDIR"),
            Map.entry("not a directory", "ENOTDIR"),
            Map.entry("no such file or directory", "ENOENT"),
            Map.entry("file exists", "EEXIST"),
            Map.entry("permission denied", "EACCES"),
            Map.entry("operation not permitted", "EPERM"),
            Map.entry("read-only file system", "EROFS"),
            Map.entry("too many levels of symbolic links", "ELOOP"),
            Map.entry("file name too long", "ENAMETOOLONG"),
            Map.entry("invalid argument", "EINVAL"),
            Map.entry("illegal seek", "ESPIPE"),
            Map.entry("input/output error", "EIO"),
            Map.entry("bad file descriptor", "EBADF"),
            Map.entry("no locks available", "ENOLCK"),
            Map.entry("resource temporarily unavailable", "EAGAIN"),
            Map.entry("cannot allocate memory", "ENOMEM"),
            Map.entry("no such device or address", "ENXIO"),
            Map.entry("broken pipe", "EPIPE"),
            Map.entry("connection refused", "ECONNREFUSED"),
            Map.entry("connection reset", "ECONNRESET"),
            Map.entry("connection reset by peer", "ECONNRESET"),
            Map.entry("connection timed out", "ETIMEDOUT"),
            Map.entry("no route to host", "EHOSTUNREACH"),
            Map.entry("host is unreachable", "EHOSTUNREACH"),
            Map.entry("network is unreachable", "ENETUNREACH"),
            Map.entry("network is down", "ENETDOWN"),
            Map.entry("host is down", "EHOSTDOWN"),
            Map.entry("machine is not on the network", "ENONET"),
            Map.entry("protocol error", "EPROTO"),
            Map.entry("resource deadlock avoided", "EDEADLK"),
            Map.entry("stale file handle", "ESTALE"),
            Map.entry("address already in use", "EADDRINUSE"),
            Map.entry("cannot assign requested address", "EADDRNOTAVAIL"),
            Map.entry("message too long", "EMSGSIZE"),
            Map.entry("no buffer space available", "ENOBUFS"),
            Map.entry("no such device", "ENODEV"),
            Map.entry("protocol not available", "ENOPROTOOPT"),
            Map.entry("transport endpoint is not connected", "ENOTCONN"),
            Map.entry("argument list too long", "E2BIG"),
            Map.entry("unix domain path too long", "ENAMETOOLONG"),
            Map.entry("protocol wrong type for socket", "EPROTOTYPE"),
            Map.entry("user limit of inotify instances reached or too many open files", "EMFILE"),
            Map.entry("user limit of inotify watches reached", "ENOSPC"),
            Map.entry("exec format error", "ENOEXEC"));

    /**
     * Returns the error of the system behind an exception of the JDK. The JDK drops the errno, so it is found by the
     * exception's class or message.
     *
     * @param thrown the JDK's exception
     * @return the error with its errno if that is found; otherwise with an empty errno and the exception's message, or
     *     its {@code toString} if it has none
     */
    public static SystemError of(IOException thrown) {
        return switch (thrown) {
            case NoSuchFileException _ -> new SystemError("ENOENT", "no such file or directory");
            case FileAlreadyExistsException _ -> new SystemError("EEXIST", "file already exists");
            case AccessDeniedException _ -> new SystemError("EACCES", "permission denied");
            case NotDirectoryException _ -> new SystemError("ENOTDIR", "not a directory");
            case DirectoryNotEmptyException _ -> new SystemError("ENOTEMPTY", "directory not empty");
            case FileSystemLoopException _ -> new SystemError("ELOOP", "too many levels of symbolic links");
            case PortUnreachableException _ -> new SystemError("ECONNREFUSED", "connection refused");
            case ClosedChannelException _ -> new SystemError("EBADF", "handle is closed");
            case FileSystemException e -> of(e.getReason(), e);
            default -> of(thrown.getMessage(), thrown);
        };
    }

    private static SystemError of(@Nullable String words, IOException thrown) {
        if (words == null) return new SystemError("", thrown.toString());
        String text = words.toLowerCase(Locale.ROOT);
        // The JDK may put the failed operation in front of the text, and a remark in brackets behind it.
        for (var known : NAMES.entrySet()) {
            if (text.equals(known.getKey())
                    || text.endsWith(": " + known.getKey())
                    || text.startsWith(known.getKey() + " (")) return new SystemError(known.getValue(), known.getKey());
        }
        return new SystemError("", words);
    }

    @Override
    public String toString() {
        return errno.isEmpty() ? text : errno + " (" + text + ")";
    }
}
