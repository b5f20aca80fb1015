package org.trueasync.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The files that the launcher's jar has beside its classes. */
final class Resources {
    private Resources() {}

    /**
     * Reads one.
     *
     * @param name below this package
     * @throws IOException if it can't be read
     */
    static String text(String name) throws IOException {
        try (InputStream in = Resources.class.getResourceAsStream(name)) {
            if (in == null) throw new IOException("no resource " + name);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
