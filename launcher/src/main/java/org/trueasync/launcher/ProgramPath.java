package org.trueasync.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Splits a class path as a user writes it. */
final class ProgramPath {
    private ProgramPath() {}

    /**
     * Splits a class path. {@code directory/*} stands for the jars in the directory, as for {@code java}. An empty
     * element, which {@code java} takes for the current directory, is ignored.
     *
     * @param text elements, separated by the system's path separator
     * @return the elements in order, also those that do not exist; {@code java} accepts them too
     */
    static List<Path> split(String text) throws IOException {
        List<Path> elements = new ArrayList<>();
        for (String element : text.split(File.pathSeparator, -1)) {
            if (element.equals("*") || element.endsWith("/*") || element.endsWith(File.separator + "*")) {
                Path directory = Path.of(element.substring(0, element.length() - 1));
                if (Files.isDirectory(directory)) {
                    elements.addAll(jars(directory));
                }
            } else if (!element.isEmpty()) {
                elements.add(Path.of(element));
            }
        }
        return elements;
    }

    /** The jars of a directory, sorted by name so that every run has the same order. */
    private static List<Path> jars(Path directory) throws IOException {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.{jar,JAR}")) {
            found.forEach(jars::add);
        }
        jars.sort(null);
        return jars;
    }
}
