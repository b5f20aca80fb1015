package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user's own directory for what later runs can use again: {@code $TRUEASYNC_CACHE}, or {@code trueasync} in
 * {@code $XDG_CACHE_HOME} or in {@code ~/.cache}. Programs run what lies there, so nobody else may write to it.
 * {@code bin/trueasync} chooses the same.
 */
final class CacheDirectory {
    private static final String ONLY_ITS_OWNER = "rwx------";
    private static final Set<PosixFilePermission> OF_OTHER_WRITERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private CacheDirectory() {}

    /**
     * Returns the directory, which is created if need be.
     *
     * @param environment where the user names it
     * @return null if the user wants none, or if it can't be created, is a link, is another user's, or can be written
     *     to by others
     */
    static @Nullable Path find(Map<String, String> environment) {
        Path directory = named(environment);
        if (directory == null) return null;
        try {
            Object self = uid(Path.of("/proc/self"));
            if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) create(directory, self);
            boolean usable = Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && uid(directory).equals(self)
                    && Collections.disjoint(
                            Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS), OF_OTHER_WRITERS);
            return usable ? directory : null;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException unusable) {
            return null;
        }
    }

    private static @Nullable Path named(Map<String, String> environment) {
        String own = environment.get("TRUEASYNC_CACHE");
        if (own != null && !own.isEmpty()) return absolute(own);
        Path cache = absolute(environment.get("XDG_CACHE_HOME"));
        if (cache != null) return cache.resolve("trueasync");
        Path home = absolute(environment.get("HOME"));
        return home == null ? null : home.resolve(".cache/trueasync");
    }

    /** Null if the text is no absolute path: "off", for instance. */
    private static @Nullable Path absolute(@Nullable String text) {
        return text != null && text.startsWith("/") ? Path.of(text) : null;
    }

    /** Creates it only below a directory of the user's: root with the home of another user leaves nothing there. */
    private static void create(Path directory, Object self) throws IOException {
        Path above = directory.getParent();
        while (above != null && !Files.exists(above)) above = above.getParent();
        if (above == null || !uid(above).equals(self)) throw new IOException("not below a directory of this user");
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(ONLY_ITS_OWNER));
        Files.createDirectories(directory, mode);
    }

    private static Object uid(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid", path.startsWith("/proc") ? new LinkOption[0] : NOFOLLOW);
    }

    private static final LinkOption[] NOFOLLOW = {LinkOption.NOFOLLOW_LINKS};
}
