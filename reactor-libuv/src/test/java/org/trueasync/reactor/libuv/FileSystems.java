package org.trueasync.reactor.libuv;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folders on the kinds of file systems that this machine has. {@code -Dorg.trueasync.test.xfs} names one on XFS, if the
 * usual ones are not there.
 */
public final class FileSystems {
    private static final List<String> FOLDERS = List.of(
            System.getProperty("java.io.tmpdir"),
            "/dev/shm",
            "/run/user/0",
            System.getProperty("org.trueasync.test.xfs", "/"),
            ".");

    private FileSystems() {}

    /** A folder on that kind which can be written to; null if there is none here. */
    public static @Nullable Path on(String type) {
        for (String folder : FOLDERS) {
            Path path = Path.of(folder);
            try {
                if (Files.isWritable(path) && Files.getFileStore(path).type().equals(type)) return path;
            } catch (IOException e) {
                // the next one
            }
        }
        return null;
    }
}
