package org.trueasync.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a program in source is compiled from and with.
 *
 * @param source the file with {@code main}
 * @param text its content
 * @param libraries class path elements that the user named
 * @param drivers those that the installation adds
 * @param place where the classes are kept for later runs; null for nowhere
 */
record SourceBuild(
        Path source,
        String text,
        List<Path> libraries,
        List<Path> drivers,
        @Nullable KeptPrograms place) {
    static SourceBuild of(Path source, List<Path> libraries) throws IOException {
        List<Path> drivers = new ArrayList<>(Installation.drivers());
        // Only for a program that uses them: they are large, and the compiler would search them each time.
        String text = Files.readString(source, StandardCharsets.ISO_8859_1);
        drivers.addAll(Installation.partsOf(text));
        return new SourceBuild(source, text, libraries, drivers, Compilation.place(source, joined(libraries, drivers)));
    }

    private static List<Path> joined(List<Path> libraries, List<Path> drivers) {
        return Stream.concat(libraries.stream(), drivers.stream()).toList();
    }

    /** What an earlier run has compiled, or null. */
    KeptPrograms.@Nullable Kept kept() {
        return place == null ? null : place.find();
    }

    /**
     * Compiles it, and keeps the classes for later runs.
     *
     * @param classes an empty directory for them
     * @param messages gets what the compiler says
     * @param tree notes what is read
     * @return the full name of the class with {@code main}
     * @throws SourceProgram.CompilationFailed if there were errors
     * @throws UsageException if this Java has no compiler, or the file no class
     */
    String compile(Path classes, PrintWriter messages, SourceTree tree)
            throws SourceProgram.CompilationFailed, UsageException, IOException {
        List<Path> used = joined(libraries, drivers);
        StringWriter said = new StringWriter();
        try {
            String mainClass = SourceProgram.compile(source, used, classes, new PrintWriter(said), tree);
            if (place != null) place.keep(mainClass, said.toString(), tree, used, classes);
            return mainClass;
        } finally {
            messages.print(said);
            messages.flush();
        }
    }
}
