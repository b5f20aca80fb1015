package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** Reads the manifest of a jar. */
final class JarManifest {
    private JarManifest() {}

    /**
     * The main attributes of a jar's manifest.
     *
     * @return none if there is no manifest
     * @throws IOException if the file is no readable jar
     */
    static Attributes of(Path jar) throws IOException {
        try (JarFile opened = new JarFile(jar.toFile())) {
            Manifest manifest = opened.getManifest();
            return manifest == null ? new Attributes() : manifest.getMainAttributes();
        }
    }

    /**
     * A main attribute of a jar's manifest.
     *
     * @return its value without surrounding blanks; null if there is no such attribute or no manifest
     * @throws IOException if the file is no readable jar
     */
    static @Nullable String value(Path jar, Attributes.Name name) throws IOException {
        String value = of(jar).getValue(name);
        return value == null ? null : value.trim();
    }

    /** True if the jar contains other jars: libraries, which its own class loader loads. */
    static boolean holdsJars(Path jar) throws IOException {
        try (JarFile opened = new JarFile(jar.toFile())) {
            return opened.stream().anyMatch(entry -> entry.getName().endsWith(".jar"));
        }
    }
}
