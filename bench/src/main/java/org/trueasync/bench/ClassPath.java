package org.trueasync.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of a measured JVM. What {@code --against} names is another state of our libraries under the same
 * workloads: its class path has that state's jars, but for the benchmarks.
 */
public final class ClassPath {

    /** As this process began: {@code JmhFork} changes the property. */
    static final String OWN = System.getProperty("java.class.path");

    private ClassPath() {}

    /** Returns the class path for a JVM that does a peer's work. */
    public static String of(Peer peer) {
        return peer == Peer.OURS_BEFORE ? with(OWN, jars(System.getProperty("trueasync.bench.against"))) : OWN;
    }

    /** Returns {@code classPath} with the libraries in {@code other} in the place of ours, and what else these need. */
    static String with(String classPath, List<Path> other) {
        List<String> entries = new ArrayList<>();
        other.stream()
                .filter(jar -> !library(jar).equals("trueasync-bench"))
                .forEach(jar -> entries.add(jar.toString()));
        List<String> libraries = other.stream().map(ClassPath::library).toList();
        Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> library(Path.of(entry)).equals("trueasync-bench")
                        || !libraries.contains(library(Path.of(entry))))
                .forEach(entries::add);
        return entries.stream().collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the name of a jar without its version. */
    private static String library(Path jar) {
        return jar.getFileName().toString().replaceFirst("-\\d.*", "");
    }

    private static List<Path> jars(String folder) {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the libraries of --against in " + folder, e);
        }
    }
}
