package org.trueasync.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.jar.JarFile;

/** The jars and directories that the launcher itself runs from: what a source program is compiled against. */
final class TrueAsyncJars {
    private TrueAsyncJars() {}

    /** The elements of this process's class path, with those that a jar's manifest adds, as {@code java -jar} does. */
    static List<Path> find() {
        SequencedSet<Path> found = new LinkedHashSet<>();
        for (String element : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
            if (!element.isEmpty()) {
                Path path = Path.of(element);
                found.add(path);
                found.addAll(inManifest(path));
            }
        }
        return List.copyOf(found);
    }

    private static List<Path> inManifest(Path jar) {
        if (!Files.isRegularFile(jar)) {
            return List.of();
        }
        try (JarFile opened = new JarFile(jar.toFile())) {
            List<Path> named = new ArrayList<>();
            if (opened.getManifest() != null
                    && opened.getManifest().getMainAttributes().getValue("Class-Path") instanceof String elements) {
                for (String element : elements.trim().split(" +")) {
                    named.add(Path.of(jar.toUri().resolve(element)));
                }
            }
            return named;
        } catch (IOException | IllegalArgumentException unreadable) {
            return List.of();
        }
    }
}
