package org.trueasync.launcher;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the command brings along: TrueAsync itself, a database driver for programs that have none, and the cluster for those that use it. */
final class Installation {
    /** Beside the directory with our jars; nothing in there is a module of ours. */
    private static final String DRIVERS = "drivers";
    /** Beside it too: the cluster and its engine. */
    private static final String CLUSTER = "cluster";

    private Installation() {}

    /**
     * How the compiler finds TrueAsync, the program's libraries and what comes after them: on the module path as the command has it, so that what is
     * closed when the program runs is closed when it is compiled.
     */
    static List<String> compilerPath(List<Path> libraries) {
        if (!Installation.class.getModule().isNamed()) {
            return List.of("-classpath", joined(Stream.concat(libraries.stream(), TrueAsyncJars.find().stream())));
        }
        return List.of(
                "-classpath",
                joined(libraries.stream()),
                "--module-path",
                System.getProperty("jdk.module.path", ""),
                "--add-modules",
                "ALL-MODULE-PATH");
    }

    /** The drivers, for the end of a program's path; none if this is no installation. */
    static List<Path> drivers() throws IOException {
        return jarsIn(DRIVERS);
    }

    /** The cluster and its engine, for the end of the path of a program that uses it; none if this is no installation. */
    static List<Path> cluster() throws IOException {
        return jarsIn(CLUSTER);
    }

    private static List<Path> jarsIn(String folder) throws IOException {
        CodeSource source = Installation.class.getProtectionDomain().getCodeSource();
        if (source == null || !source.getLocation().getProtocol().equals("file")) return List.of();
        Path ours = Path.of(URI.create(source.getLocation().toString())).getParent();
        if (ours == null) return List.of();
        Path jars = ours.resolveSibling(folder);
        return Files.isDirectory(jars) ? ProgramPath.split(jars + File.separator + "*") : List.of();
    }

    static String joined(Stream<Path> elements) {
        return elements.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
