package org.trueasync.internal.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the sockets of a user's processes are: {@code trueasync} in {@code $XDG_RUNTIME_DIR}, else {@code
 * /tmp/trueasync-UID}. A directory of another user, or one that others may enter, is refused.
 */
public final class SocketPlace {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final String NAME = "trueasync";
    private static final String SUFFIX = ".sock";
    /** Leaves room for the rest of the path. */
    private static final int MAX_LENGTH = 80;

    private final Map<String, String> environment;
    private final Path temporary;

    SocketPlace(Map<String, String> environment, Path temporary) {
        this.environment = environment;
        this.temporary = temporary;
    }

    /** The one of this process's user. */
    public static SocketPlace ofUser() {
        return new SocketPlace(System.getenv(), Path.of("/tmp"));
    }

    /**
     * The directory for the socket of this process, which is created if need be.
     *
     * @throws IOException if it can't be created, or is not for its owner only
     */
    Path create() throws IOException {
        Path given = runtimeDirectory();
        if (given == null) return create(ofTemporary());
        try {
            return create(given.resolve(NAME));
        } catch (IOException e) {
            try {
                // where the command looks too: the variable may be another user's, after su
                return create(ofTemporary());
            } catch (IOException also) {
                e.addSuppressed(also);
                throw e;
            }
        }
    }

    private static Path create(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException shared) {
            // made by an earlier process
        }
        require(directory);
        return directory;
    }

    private Path ofTemporary() throws IOException {
        return temporary.resolve("trueasync-" + uid());
    }

    /** Null if there is none. */
    private @Nullable Path runtimeDirectory() {
        String given = environment.get("XDG_RUNTIME_DIR");
        // a socket's whole path has a limit, which is 104 bytes on some systems
        if (given == null || !given.startsWith("/") || given.getBytes(UTF_8).length > MAX_LENGTH) return null;
        Path directory = Path.of(given);
        return Files.isDirectory(directory) ? directory : null;
    }

    /**
     * The directories in which a process of this user may have its socket: a service has another environment than a
     * terminal.
     *
     * @throws IOException if one of them is not for its owner only
     */
    List<Path> existing() throws IOException {
        var found = new ArrayList<Path>();
        Path given = runtimeDirectory();
        Path ofLogin = Path.of("/run/user/" + uid());
        for (Path directory :
                List.of((given == null ? ofLogin : given).resolve(NAME), ofLogin.resolve(NAME), ofTemporary())) {
            if (found.contains(directory) || !Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) continue;
            require(directory);
            found.add(directory);
        }
        return found;
    }

    /**
     * The socket of a process; null if there is none.
     *
     * @param pid the process
     * @throws IOException if a directory can't be used
     */
    public @Nullable Path find(long pid) throws IOException {
        for (Path directory : existing()) {
            Path socket = in(directory, pid);
            if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) return socket;
        }
        return null;
    }

    /**
     * All sockets, also of processes that were killed.
     *
     * @throws IOException if a directory can't be used
     */
    public List<Path> all() throws IOException {
        var found = new ArrayList<Path>();
        for (Path directory : existing()) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
                for (Path file : files) if (pidOf(file) >= 0) found.add(file);
            }
        }
        return found;
    }

    static Path in(Path directory, long pid) {
        return directory.resolve(pid + SUFFIX);
    }

    /** The process that a socket belongs to; -1 for any other file. */
    public static long pidOf(Path socket) {
        String name = socket.getFileName().toString();
        try {
            return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
        } catch (NumberFormatException | IndexOutOfBoundsException other) {
            return -1;
        }
    }

    private static void require(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS))
            throw new IOException(directory + " is no directory; remove it");
        if (!Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                .equals(uid()))
            throw new IOException(directory + " belongs to another user; have it removed, or set XDG_RUNTIME_DIR");
        if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS)))
            throw new IOException("others may enter " + directory + "; chmod 700 it");
    }

    /** True if a process is this user's, as far as that can be known: a container's user may have no name. */
    public static boolean isOurs(long pid) {
        try {
            return Files.getAttribute(Path.of("/proc/" + pid), "unix:uid").equals(uid());
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
            return false;
        }
    }

    private static Object uid() throws IOException {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (UnsupportedOperationException | IllegalArgumentException noUnix) {
            throw new IOException("this system has no Unix users", noUnix);
        }
    }
}
