package org.trueasync.reactor.libuv;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.trueasync.spi.SystemError;

/**
 * The file of a listening Unix socket, known by its number, so that another one in its place is never removed.
 *
 * @param path where
 * @param identity of the file
 */
record SocketFile(Path path, Map<String, Object> identity) {
    /*
     * The file never has more rights than asked for. On Linux it gets those of the socket itself, less the umask, so fchmod on the socket comes
     * first. Where a socket has none (macOS) the umask is narrowed for the moment of the bind; that is the whole process's, so a file that another
     * thread makes meanwhile may get fewer rights too. What the umask took away is given back afterwards, without following a link.
     */
    private static final int RIGHTS = 0777;

    /**
     * Binds the socket, which makes the file. Links are not followed: where anything exists it is refused.
     *
     * @throws org.trueasync.InputOutputException if the system refuses; no file is left
     */
    static SocketFile bind(MemorySegment errno, int socket, Path path, int permissions) {
        int status;
        try (UnixPath address = new UnixPath(path)) {
            int before = -1;
            if (Platform.MAC) before = UnixCalls.umask(RIGHTS & ~permissions);
            else require(path, UnixCalls.changeMode(errno, socket, permissions));
            status = UnixCalls.bind(errno, socket, address);
            if (before >= 0) UnixCalls.umask(before);
            require(path, status);
            SocketFile file = new SocketFile(path, look(path));
            try {
                file.setRights(errno, address, permissions);
            } catch (Throwable e) {
                file.remove();
                throw e;
            }
            return file;
        }
    }

    private static void require(Path path, int status) {
        if (status < 0) throw UvErrors.exception("listen on", path.toString(), status);
    }

    private void setRights(MemorySegment errno, UnixPath address, int permissions) {
        int rights;
        try {
            rights = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & RIGHTS;
        } catch (IOException e) {
            throw UvErrors.exception("listen on", path.toString(), SystemError.of(e));
        }
        if (rights != permissions) require(path, UnixCalls.changeMode(errno, address, permissions));
    }

    private static Map<String, Object> look(Path path) {
        try {
            return Files.readAttributes(path, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw UvErrors.exception("listen on", path.toString(), SystemError.of(e));
        }
    }

    /** Removes it, if it is still there. */
    void remove() {
        try {
            if (identity.equals(Files.readAttributes(path, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS)))
                Files.deleteIfExists(path);
        } catch (IOException gone) {
            // or not ours to remove any more
        }
    }
}
