package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** Reads what a jar says about itself. */
final class JarManifest {
    private JarManifest() {}

    /**
     * A main attribute of a jar's manifest.
     *
     * @return its value without blanks around it, or null if there is no such attribute, or no manifest
     * @throws IOException if the file is no readable jar
     */
    static @Nullable String value(Path jar, Attributes.Name name) throws IOException {
        try (JarFile opened = new JarFile(jar.toFile())) {
            Manifest manifest = opened.getManifest();
            String value =
                    manifest == null ? null : manifest.getMainAttributes().getValue(name);
            return value == null ? null : value.trim();
        }
    }
}
