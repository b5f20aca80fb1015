package org.trueasync.internal.testkit.disk;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that the program itself consists of: the JDK's, those of the class path, and jars. They are real for a
 * simulated host too; the JDK asks for them while it loads classes.
 */
public final class ProgramFiles {
    private static final List<Path> PLACES = places();

    private ProgramFiles() {}

    private static List<Path> places() {
        var places = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        for (String property : List.of("java.class.path", "jdk.module.path", "surefire.test.class.path"))
            for (String entry : System.getProperty(property, "").split(File.pathSeparator))
                if (!entry.isEmpty()) places.add(Path.of(entry).toAbsolutePath().normalize());
        return List.copyOf(places);
    }

    /**
     * Whether a path belongs to the program. Any thread; asks no disk.
     *
     * @param path of the default file system
     */
    public static boolean has(Path path) {
        if (path.toString().endsWith(".jar")) return true;
        if (!path.isAbsolute()) return false; // relative ones are the host's
        Path normal = path.normalize();
        for (Path place : PLACES) if (normal.startsWith(place)) return true;
        return false;
    }
}
