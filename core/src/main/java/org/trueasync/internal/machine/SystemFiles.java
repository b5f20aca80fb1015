package org.trueasync.internal.machine;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Files of Linux' {@code /proc}, which take microseconds to read. Not by a channel, which an interrupt would close. */
final class SystemFiles {
    private SystemFiles() {}

    /** The text, or null where there is no such file. */
    static @Nullable String read(String path) {
        try (var in = new FileInputStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException notLinux) {
            return null;
        }
    }
}
