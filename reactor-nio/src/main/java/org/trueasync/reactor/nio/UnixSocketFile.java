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
     * The JDK can't set the umask, so the socket is bound inside a private folder, next to its place, where nobody else can come: there its rights are
     * set, and then it gets its name as a hard link, which never replaces anything and follows nothing. The private folder goes away.
     *
     * The path that is bound may be longer than an address can be, though the final one is not, and the JDK takes one byte less than the system. Then a
     * symbolic link in a private folder of the temporary directory makes it short.
     *
     * On removal the file must still be ours, told by its key (device and inode): another process may have put its own in the place.
     */
    private static final int LONGEST = 107;

    private static final int LONGEST_OF_THE_JDK = 106;

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
     * Reaches a path as an address, however long it is.
     *
     * @param path absolute
     * @param exists whether there is a socket already, else its name must be short
     * @param reaching binds or connects
     */
    static <T> T reach(Path path, boolean exists, Reaching<T> reaching) throws IOException {
        if (length(path) <= LONGEST_OF_THE_JDK) return reaching.reach(UnixDomainSocketAddress.of(path));
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

    /** Refuses what no address of the system has room for. */
    static void requireFits(Path path) throws IOException {
        if (length(path) > LONGEST) throw new FileSystemException(path.toString(), null, "File name too long");
    }

    /**
     * Makes the file.
     *
     * @param path where, absolute
     * @param permissions its rights, 0600 for instance
     * @param binding makes it in a place of ours
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
        PosixFilePermission[] all = PosixFilePermission.values(); // from the owner's reading to the others' executing
        for (int i = 0; i < all.length; i++) if ((permissions & (0400 >> i)) != 0) rights.add(all[i]);
        return rights;
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Removes the file, if it is still this one. */
    void remove() {
        try {
            if (key != null && key.equals(key(path))) Files.deleteIfExists(path);
        } catch (IOException gone) {
            // then there is nothing to remove, or no right to
        }
    }
}
