package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds out what decides the result of a compilation besides the sources. */
final class Compilation {
    private Compilation() {}

    /**
     * The place in the user's cache for the program in a source file.
     *
     * @param source the file as the user named it, which is how the compiler's messages name it
     * @param libraries the class path besides TrueAsync
     * @return null if there is no cache, or it can't be told whether a library changes
     */
    static @Nullable KeptPrograms place(Path source, List<Path> libraries) {
        Path cache = CacheDirectory.find(System.getenv());
        if (cache == null) return null;
        try {
            StringBuilder text = new StringBuilder(1 << 10);
            text.append(source).append('\n').append(source.toAbsolutePath()).append('\n');
            text.append(System.getProperty("java.home"))
                    .append(' ')
                    .append(Runtime.version())
                    .append('\n');
            text.append(JdkAccess.previewEnabled())
                    .append(' ')
                    .append(Locale.getDefault())
                    .append('\n');
            for (Path ours : Installation.ours()) {
                text.append(ours).append(' ').append(FileState.of(ours)).append('\n');
            }
            for (Path library : libraries) {
                text.append(library.toAbsolutePath())
                        .append(' ')
                        .append(FileState.of(library))
                        .append('\n');
            }
            return KeptPrograms.in(cache, text.toString());
        } catch (IOException unknown) {
            return null;
        }
    }
}
