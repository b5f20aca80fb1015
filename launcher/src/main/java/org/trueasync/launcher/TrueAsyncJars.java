package org.trueasync.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.jar.Attributes;
import java.util.stream.Stream;

/** Finds the jars and directories that the launcher runs from; source programs are compiled against them. */
final class TrueAsyncJars {
    private TrueAsyncJars() {}

    /**
     * Returns the elements of this process's class path, and those that the manifests of its jars add, as with
     * {@code java -jar}.
     */
    static List<Path> find() {
        SequencedSet<Path> found = new LinkedHashSet<>();
        for (String element : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
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
        try {
            String elements = JarManifest.value(jar, Attributes.Name.CLASS_PATH);
            if (elements == null) {
                return List.of();
            }
            return Stream.of(elements.split(" +", -1))
                    .map(element -> Path.of(jar.toUri().resolve(element)))
                    .toList();
        } catch (IOException | IllegalArgumentException unreadable) {
            return List.of();
        }
    }
}
