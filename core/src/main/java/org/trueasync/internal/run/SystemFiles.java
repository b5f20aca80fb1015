package org.trueasync.internal.run;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of Linux' {@code /proc}, which takes microseconds. Not through a channel, because an interrupt would
 * close it.
 */
final class SystemFiles {
    private SystemFiles() {}

    /** The text of a file; null where there is no such file. */
    static @Nullable String read(String path) {
        try (var in = new FileInputStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException notLinux) {
            return null;
        }
    }
}
