package org.trueasync.launcher;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the jars of this installation: TrueAsync itself, database drivers for programs that have none, and the parts
 * that only some programs use.
 */
final class Installation {
    /** A directory beside the one with TrueAsync's jars; it contains no module of TrueAsync. */
    private static final String DRIVERS = "drivers";

    private static final String HTTP = "http";
    private static final String TESTKIT = "testkit";
    /** By a package that a program names: the directory beside that of the drivers, with jars. */
    private static final Map<String, String> PARTS = Map.of(
            "org.trueasync.cluster",
            "cluster",
            "org.trueasync.http",
            HTTP,
            "com.sun.net.httpserver",
            HTTP,
            "org.trueasync.micrometer",
            "micrometer",
            "org.trueasync.testkit",
            TESTKIT);

    private Installation() {}

    /**
     * The compiler's options for its search paths. If TrueAsync is a module here, it is on the compiler's module path
     * too, so that packages that are closed at run time are also closed for the compiler.
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

    /** Where TrueAsync itself is, for a program that is compiled against it. */
    static List<Path> ours() throws IOException {
        return Installation.class.getModule().isNamed()
                ? ProgramPath.split(System.getProperty("jdk.module.path", ""))
                : TrueAsyncJars.find();
    }

    /** The drivers, for the end of a program's class path; none if this is no installation. */
    static List<Path> drivers() throws IOException {
        return jarsIn(DRIVERS);
    }

    /**
     * As {@link #drivers}, for a program that is compiled already: with what serves the JDK's server API, as for one in
     * source, unless the program brings that or Jetty.
     *
     * @param path where its classes are
     * @param simulates whether to add the test kit too, unless the program brings that
     */
    static List<Path> driversOfClasses(List<Path> path, boolean simulates) throws IOException {
        List<Path> all = new ArrayList<>(drivers());
        if (!brings(path, "jetty-") && !brings(path, "trueasync-http")) all.addAll(jarsIn(HTTP));
        if (simulates && !brings(path, "trueasync-testkit")) all.addAll(jarsIn(TESTKIT));
        return all;
    }

    private static boolean brings(List<Path> path, String name) {
        return path.stream().map(Path::toString).anyMatch(element -> element.contains(name));
    }

    /**
     * The parts that a program names, and what they need, for the end of its class path; none if this is no
     * installation.
     *
     * @param source the program's text
     */
    static SequencedSet<Path> partsOf(String source) throws IOException {
        var jars = new LinkedHashSet<Path>();
        for (var part : PARTS.entrySet()) if (source.contains(part.getKey())) jars.addAll(jarsIn(part.getValue()));
        return jars;
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
