package org.trueasync.internal.io;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Delays;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.SystemError;

/**
 * The files of Unix sockets: how long their paths may be, and when an existing file may be replaced.
 *
 * <p>A server that was killed leaves its file behind, and the next server must be able to start all the same. The file
 * is removed under three conditions: it is a socket and no link to one; it belongs to the user of this process; and
 * connecting to it is refused twice. Once is not enough: a server that is just starting may have made its file but not
 * listen yet.
 */
final class SocketFiles {
    private static final int FILE_TYPE = 0xf000;
    private static final int SOCKET = 0xc000;
    private static final int LINK = 0xa000;
    private static final long SECOND_CHECK_NANOS = 20_000_000;

    private SocketFiles() {}

    /**
     * Returns the absolute path, after a check of its length.
     *
     * @param operation for the message
     * @throws InputOutputException {@code ENAMETOOLONG} if it does not fit into a socket's address
     */
    static Path usable(String operation, Path path) {
        Path absolute = Objects.requireNonNull(path, "path").toAbsolutePath();
        int limit = System.getProperty("os.name", "").startsWith("Mac") ? 103 : 107;
        int length = absolute.toString().getBytes(encoding()).length;
        if (length > limit) {
            String start = absolute.toString()
                    .substring(0, Math.min(100, absolute.toString().length()));
            throw new InputOutputException(
                    operation + " " + start + "...: ENAMETOOLONG (the path of a socket may have " + limit
                            + " bytes at most, this one has " + length + "; choose a shorter one)",
                    "ENAMETOOLONG");
        }
        return absolute;
    }

    private static Charset encoding() {
        String name = System.getProperty("sun.jnu.encoding");
        return name != null && Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }

    /**
     * Removes the file that a killed server has left. If the file has gone or was replaced meanwhile, returns too: the
     * caller tries to listen again. Suspends.
     *
     * @throws InputOutputException {@code EADDRINUSE} if the file must not be removed, or can't be; the message says
     *     why
     */
    static void removeStale(Loop loop, Path path) {
        Map<String, Object> found = identity(path);
        if (found == null) return;
        requireOurs(path, found);
        requireSilent(loop, path);
        Delays.sleep(SECOND_CHECK_NANOS, null);
        requireSilent(loop, path);
        // Meanwhile another server may have put its own file there.
        if (!found.equals(identity(path))) return;
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw inUse(path, "nobody answers on it, but it can't be removed: " + SystemError.of(e));
        }
    }

    private static @Nullable Map<String, Object> identity(Path path) {
        try {
            return Files.readAttributes(path, "unix:mode,dev,ino,uid,ctime", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException gone) {
            return null;
        } catch (IOException e) {
            throw inUse(path, SystemError.of(e).toString());
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            throw inUse(path, "remove it if nobody uses it");
        }
    }

    private static void requireOurs(Path path, Map<String, Object> found) {
        int type = found.get("mode") instanceof Integer mode ? mode & FILE_TYPE : 0;
        if (type == LINK)
            throw inUse(
                    path,
                    "it is a symbolic link, and none is followed or replaced; listen on the path that it leads to, or on another one");
        if (type != SOCKET)
            throw inUse(
                    path, "it is a file that is no socket, and is left alone; move it away, or listen on another path");
        Object user;
        try {
            // The owner of /proc/self is the effective user of the process.
            user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            try {
                String owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
                if (owner.equals(System.getProperty("user.name"))) return;
            } catch (IOException unknown) {
                Causes.suppress(e, unknown);
            }
            throw inUse(path, "the owner of the file can't be told; remove it if nobody uses it");
        }
        if (!user.equals(found.get("uid")))
            throw inUse(
                    path,
                    "it belongs to another user (number " + found.get("uid")
                            + "), and is left alone; listen on another path");
    }

    private static void requireSilent(Loop loop, Path path) {
        StreamCore answered;
        try {
            answered = StreamCore.connect(
                    loop, path.toString(), listener -> loop.reactor().connectUnix(path, listener), null);
        } catch (InputOutputException e) {
            switch (e.errno()) {
                case "ECONNREFUSED", "ENOENT" -> {
                    return;
                }
                case "EAGAIN" -> throw inUse(path, "a server listens on it; stop that one, or listen on another path");
                default -> throw inUse(path, "whether a server answers on it can't be told: " + e.getMessage());
            }
        }
        answered.close();
        throw inUse(path, "a server answers on it; stop that one, or listen on another path");
    }

    private static InputOutputException inUse(Path path, String reason) {
        return new InputOutputException(
                "listen on " + path + ": EADDRINUSE (address already in use): " + reason, "EADDRINUSE");
    }
}
