package org.trueasync.internal.process;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;

/**
 * Finds programs. Only this class searches: the system gets an absolute path. Empty and relative entries of the PATH
 * are skipped, because they would mean programs in or below the working directory.
 */
final class Programs {
    private static final String DEFAULT_PATH = "/usr/bin:/bin";
    private static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

    private Programs() {}

    /**
     * Returns the path of a program.
     *
     * @param name an absolute path, which is not checked further, or a name to look for
     * @throws IllegalArgumentException if it is a relative path, no path at all, or a batch file of Windows
     * @throws InputOutputException if the name is not found, or no program of that name may be executed
     */
    static Path find(String name) {
        Path program = path(name);
        if (program.isAbsolute()) return allowed(program);
        if (program.getNameCount() > 1 || name.indexOf('/') >= 0 || name.equals(".") || name.equals(".."))
            throw new IllegalArgumentException("a program is given by its name or by an absolute path, got '" + name
                    + "'; use Path.of(..).toAbsolutePath()");
        return allowed(find(name, System.getenv("PATH")));
    }

    /** Searches a PATH for a name; null means the default path. */
    static Path find(String name, @Nullable String searchPath) {
        boolean entrySkipped = false;
        @Nullable Path refused = null;
        for (String entry : (searchPath == null ? DEFAULT_PATH : searchPath).split(java.io.File.pathSeparator, -1)) {
            Path folder = entry.isEmpty() ? null : pathOrNull(entry);
            if (folder == null || !folder.isAbsolute()) {
                entrySkipped = true;
                continue;
            }
            Path candidate = folder.resolve(name);
            if (!Files.isRegularFile(candidate)) continue;
            if (Files.isExecutable(candidate)) return candidate;
            if (refused == null) refused = candidate;
        }
        if (refused != null)
            throw new InputOutputException("start " + refused + ": EACCES (permission denied)", "EACCES");
        throw new InputOutputException(
                "start " + name + ": ENOENT (no such program in the PATH"
                        + (entrySkipped ? ", whose empty and relative entries are not looked at" : "") + ")",
                "ENOENT");
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a program's name: '" + name + "'", e);
        }
    }

    private static @Nullable Path pathOrNull(String entry) {
        try {
            return Path.of(entry);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** Throws for a batch file, because a shell would run it, with rules of its own for arguments. */
    private static Path allowed(Path program) {
        String name = program.toString().toLowerCase(Locale.ROOT);
        if (WINDOWS && (name.endsWith(".bat") || name.endsWith(".cmd")))
            throw new IllegalArgumentException("a batch file is run by a shell, which can't be given arguments safely: "
                    + program + "; name cmd.exe yourself if you want that");
        return program;
    }
}
