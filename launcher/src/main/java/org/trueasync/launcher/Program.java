package org.trueasync.launcher;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that is ready to be started. Its class path is set for the whole process: in the loader, which is also the
 * context class loader, and in {@code java.class.path}.
 *
 * @param mainClass the full name of the class with {@code main}
 * @param path the class path in search order, without the installation's drivers and parts; a jar's own
 *     {@code Class-Path} is followed when the jar is loaded
 * @param loader loads the main class and everything on the path
 */
record Program(String mainClass, List<Path> path, ProgramLoader loader) {
    /**
     * Finds the program of a command line, and compiles it if it is source.
     *
     * @param name FILE.java, app.jar or a class name
     * @param classPath what {@code -cp} gave, unsplit, or null
     * @param simulates whether it needs the test kit, whatever it names
     * @param workspace where compiled classes go
     * @param messages receives the compiler's messages
     * @throws UsageException if there is no such program, or the command line does not fit it
     * @throws SourceProgram.CompilationFailed if it does not compile
     */
    static Program find(
            String name, @Nullable String classPath, boolean simulates, Workspace workspace, PrintWriter messages)
            throws UsageException, SourceProgram.CompilationFailed, IOException {
        List<Path> libraries = classPath == null ? List.of() : ProgramPath.split(classPath);
        Path file = existing(name, classPath);
        if (file != null) return name.endsWith(".jar") ? ofJar(file) : ofSource(file, libraries, workspace, messages);
        if (classPath == null) {
            throw new UsageException("'" + name + "' is neither FILE.java nor app.jar; a class needs its class path:"
                    + " trueasync run -cp PATH " + name);
        }
        return new Program(name, libraries, prepare(libraries, Installation.driversOfClasses(libraries, simulates)));
    }

    private static Program ofSource(Path source, List<Path> libraries, Workspace workspace, PrintWriter messages)
            throws UsageException, SourceProgram.CompilationFailed, IOException {
        SourceBuild build = SourceBuild.of(source, libraries);
        if (build.text().contains("org.trueasync.testkit")) JdkAccess.addForTestKit();
        KeptPrograms.Kept kept = build.kept();
        if (kept != null) {
            messages.print(kept.messages());
            messages.flush();
            List<Path> path = with(kept.jar(), libraries);
            return new Program(kept.mainClass(), path, prepare(path, build.drivers()));
        }
        Path classes = workspace.directory();
        List<Path> path = with(classes, libraries);
        // Before the source is compiled, because the compiler makes the JDK list the installed file systems, which it
        // does only once. File systems of the libraries must be visible by then.
        ProgramLoader loader = prepare(path, build.drivers());
        return new Program(build.compile(classes, messages, new SourceTree()), path, loader);
    }

    private static List<Path> with(Path first, List<Path> others) {
        return Stream.concat(Stream.of(first), others.stream()).toList();
    }

    private static Program ofJar(Path jar) throws UsageException, IOException {
        JarProgram program = new JarProgram(jar);
        String mainClass = program.mainClass();
        // A jar with jars inside has its own class loader, which asks its parent, the ProgramLoader, first. So a
        // driver of the installation would hide the program's.
        List<Path> drivers =
                JarManifest.holdsJars(jar) ? List.of() : Installation.driversOfClasses(List.of(jar), false);
        ProgramLoader loader = prepare(List.of(jar), drivers);
        program.prepare();
        return new Program(mainClass, List.of(jar), loader);
    }

    /**
     * Puts the program's path into the loader and into {@code java.class.path}, and makes the loader the context class
     * loader.
     */
    private static ProgramLoader prepare(List<Path> path, List<Path> drivers) {
        List<Path> all = Stream.concat(path.stream(), drivers.stream()).toList();
        ProgramLoader loader = ProgramLoader.install();
        all.forEach(loader::add);
        // Libraries that scan for classes read this property. The class path of the process stays behind the program's
        // own.
        String processPath = System.getProperty("java.class.path", "");
        String text = Installation.joined(all.stream());
        System.setProperty("java.class.path", processPath.isEmpty() ? text : text + File.pathSeparator + processPath);
        return loader;
    }

    /**
     * Loads the main class, without running its static initialiser.
     *
     * @throws UsageException if the class, or one that it needs, is missing
     */
    Class<?> load() throws UsageException {
        try {
            return Class.forName(mainClass, false, loader);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            throw new UsageException("class " + mainClass + " can't be loaded from "
                    + Installation.joined(path.stream()) + ": " + e + "; check its full name and the class path");
        }
    }

    /**
     * The program's file, if it is one.
     *
     * @return null for a class
     * @throws UsageException if there is no such file, or the class path is given twice
     */
    static @Nullable Path existing(String name, @Nullable String classPath) throws UsageException {
        boolean isJar = name.endsWith(".jar");
        if (!isJar && !name.endsWith(".java")) return null;
        if (isJar && classPath != null) {
            throw new UsageException("-cp and a jar exclude each other: a jar names its class path in its manifest;"
                    + " for another one use -cp " + name + File.pathSeparator + "... MainClass");
        }
        Path path = Path.of(name);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new UsageException(
                    "no readable file " + name + " (in " + Path.of("").toAbsolutePath() + ")");
        }
        return path;
    }
}
