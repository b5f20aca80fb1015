package org.trueasync.reactor.nio;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file of a listening Unix socket. */
final class UnixSocketFile {
    /*
     * The JDK can't set the umask. So the socket is bound inside a private folder next to its final path; no other user
     * has access to that folder. There the permissions of the socket's file are set. Then the file gets its final name
     * as a hard link, which never replaces a file and follows no link. The private folder is deleted.
     *
     * The path that is bound may be too long for an address, though the final one is not; and the JDK allows one byte
     * less than the system. Then a symbolic link in a private folder of the temporary directory makes it short.
     *
     * The file is removed only if it is still ours, by its key (device and inode): another process may have put its own
     * file there.
     */
    private static final int MAX_PATH_BYTES = 107;

    private static final int MAX_PATH_BYTES_OF_JDK = 106;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final @Nullable Object key;

    private UnixSocketFile(Path path, @Nullable Object key) {
        this.path = path;
        this.key = key;
    }

    /** Binds or connects a socket. */
    interface Reaching<T> {
        T reach(UnixDomainSocketAddress address) throws IOException;
    }

    /**
     * Binds or connects to a path, even if it is too long for an address of the JDK.
     *
     * @param path absolute
     * @param exists whether the socket's file exists already; if not, its name without the folder must be short
     * @param reaching binds or connects
     */
    static <T> T reach(Path path, boolean exists, Reaching<T> reaching) throws IOException {
        if (length(path) <= MAX_PATH_BYTES_OF_JDK) return reaching.reach(UnixDomainSocketAddress.of(path));
        Path folder = Files.createTempDirectory("ta");
        Path shortcut = folder.resolve("l");
        try {
            Files.createSymbolicLink(shortcut, exists ? path : Objects.requireNonNull(path.getParent()));
            return reaching.reach(UnixDomainSocketAddress.of(exists ? shortcut : shortcut.resolve(path.getFileName())));
        } finally {
            Files.deleteIfExists(shortcut);
            Files.deleteIfExists(folder);
        }
    }

    /** Throws if the path is too long for an address of the system. */
    static void requireFits(Path path) throws IOException {
        if (length(path) > MAX_PATH_BYTES) throw new FileSystemException(path.toString(), null, "File name too long");
    }

    /**
     * Binds a socket and makes its file.
     *
     * @param path absolute
     * @param permissions of the file, 0600 for instance
     * @param binding binds the socket to a path in the private folder
     */
    static UnixSocketFile make(Path path, int permissions, Reaching<?> binding) throws IOException {
        requireFits(path);
        Path folder = Files.createTempDirectory(Objects.requireNonNull(path.getParent()), ".ta");
        Path made = folder.resolve("s");
        try {
            if (!Files.getPosixFilePermissions(folder).equals(OWNER_ONLY))
                Files.setPosixFilePermissions(folder, OWNER_ONLY);
            reach(made, false, binding);
            Files.setPosixFilePermissions(made, rights(permissions));
            place(made, path);
            return new UnixSocketFile(path, key(path));
        } catch (UnsupportedOperationException noRights) {
            throw new FileSystemException(path.toString(), null, "Operation not permitted");
        } finally {
            Files.deleteIfExists(made);
            Files.deleteIfExists(folder);
        }
    }

    private static void place(Path made, Path path) throws IOException {
        try {
            Files.createLink(path, made);
        } catch (FileAlreadyExistsException taken) {
            throw new FileSystemException(path.toString(), null, "Address already in use");
        }
    }

    private static int length(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private static Set<PosixFilePermission> rights(int permissions) {
        Set<PosixFilePermission> rights = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values(); // from OWNER_READ to OTHERS_EXECUTE
        for (int i = 0; i < all.length; i++) if ((permissions & (0400 >> i)) != 0) rights.add(all[i]);
        return rights;
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Removes the file, if it is still the same one. */
    void remove() {
        try {
            if (key != null && key.equals(key(path))) Files.deleteIfExists(path);
        } catch (IOException gone) {
            // there is no file to remove, or no permission to remove it
        }
    }
}
