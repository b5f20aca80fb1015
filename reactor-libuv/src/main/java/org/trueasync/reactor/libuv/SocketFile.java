package org.trueasync.reactor.libuv;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.trueasync.spi.SystemError;

/**
 * The file of a listening Unix socket, identified by device and inode, so that another file in its place is never
 * removed.
 *
 * @param path of the file
 * @param identity device and inode
 */
record SocketFile(Path path, Map<String, Object> identity) {
    /*
     * The file never has more permissions than requested. On Linux it gets those of the socket itself, less the umask,
     * so fchmod on the socket comes first. On macOS a socket has none, so the umask is narrowed during the bind. The
     * umask belongs to the whole process, so a file that another thread makes meanwhile may get fewer permissions too.
     * Permissions that the umask removed are added afterwards, without following a link.
     */
    private static final int RIGHTS = 0777;

    /**
     * Binds the socket, which makes the file. Links are not followed: if anything exists at the path, the bind is
     * refused.
     *
     * @throws org.trueasync.InputOutputException if the system refuses. No file is left then, unless the identity of
     *     the new one could not be read: without it, the file at the path could be another one.
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
            SocketFile file = new SocketFile(path, identityOf(path));
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

    private static Map<String, Object> identityOf(Path path) {
        try {
            return Files.readAttributes(path, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw UvErrors.exception("listen on", path.toString(), SystemError.of(e));
        }
    }

    /** Removes the file, if it is still the same one. */
    void remove() {
        try {
            if (identity.equals(Files.readAttributes(path, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS)))
                Files.deleteIfExists(path);
        } catch (IOException gone) {
            // or we have no permission to remove it
        }
    }
}
