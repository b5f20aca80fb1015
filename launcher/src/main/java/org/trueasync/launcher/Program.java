package org.trueasync.launcher;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that is ready to be loaded.
 *
 * @param mainClass the full name of the class with {@code main}
 * @param path where its classes are, in search order; a jar's own {@code Class-Path} is followed when it is loaded
 */
record Program(String mainClass, List<Path> path) {
    /**
     * Finds the program of a command line, and compiles it if it is source.
     *
     * @param command names the program
     * @param workspace where the classes of source go
     * @param messages takes the compiler's messages
     * @throws UsageException if there is no such program
     * @throws SourceProgram.CompilationFailed if it does not compile
     */
    static Program find(Command.Run command, Workspace workspace, PrintWriter messages)
            throws UsageException, SourceProgram.CompilationFailed, IOException {
        String name = command.program();
        List<Path> libraries = command.classPath() == null ? List.of() : ProgramPath.split(command.classPath());
        if (name.endsWith(".java")) {
            Path source = existing(name);
            Path classes = workspace.directory();
            String mainClass = SourceProgram.compile(source, libraries, classes, messages);
            List<Path> path = new ArrayList<>(List.of(classes));
            path.addAll(libraries);
            return new Program(mainClass, path);
        }
        if (name.endsWith(".jar")) {
            if (command.classPath() != null) {
                throw new UsageException("-cp and a jar exclude each other: a jar names its class path in its manifest;"
                        + " for another one use -cp " + name + File.pathSeparator + "... MainClass");
            }
            Path jar = existing(name);
            return new Program(mainClassOf(jar), List.of(jar));
        }
        if (command.classPath() == null) {
            throw new UsageException("'" + name + "' is neither FILE.java nor app.jar; a class needs its class path:"
                    + " trueasync run -cp PATH " + name);
        }
        return new Program(name, libraries);
    }

    /**
     * Loads the main class, without running its static initialiser.
     *
     * @throws UsageException if it is not there
     */
    Class<?> load() throws UsageException {
        // never closed: the program's classes are loaded until the process ends
        @SuppressWarnings("resource")
        ClassLoader loader = new URLClassLoader(urls(), Program.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        System.setProperty("java.class.path", classPath());
        try {
            return Class.forName(mainClass, false, loader);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            throw new UsageException("class " + mainClass + " can't be loaded from "
                    + path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)) + ": " + e);
        }
    }

    /** What libraries read that look for classes themselves: the program first, then what it runs on. */
    private String classPath() {
        return Stream.concat(path.stream().map(Path::toString), Stream.of(System.getProperty("java.class.path", "")))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private URL[] urls() {
        return path.stream().map(Program::url).toArray(URL[]::new);
    }

    private static URL url(Path element) {
        try {
            return element.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("Bug in TrueAsync: no URL for " + element, e);
        }
    }

    private static Path existing(String name) throws UsageException {
        Path path = Path.of(name);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new UsageException(
                    "no readable file " + name + " (in " + Path.of("").toAbsolutePath() + ")");
        }
        return path;
    }

    private static String mainClassOf(Path jar) throws UsageException {
        String mainClass;
        try {
            mainClass = JarManifest.value(jar, Attributes.Name.MAIN_CLASS);
        } catch (IOException e) {
            throw new UsageException(jar + " is not a jar: " + e.getMessage());
        }
        if (mainClass == null) {
            throw new UsageException(
                    jar + " names no Main-Class in its manifest; use trueasync run -cp " + jar + " MainClass");
        }
        return mainClass;
    }
}
