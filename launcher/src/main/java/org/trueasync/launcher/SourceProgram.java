package org.trueasync.launcher;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a program that is given as source: one file, and the files of the same source tree that it refers to. */
final class SourceProgram {
    private SourceProgram() {}

    /**
     * Compiles the file, and the files of its source tree that it uses.
     *
     * @param file the file with {@code main}; messages show this path as it is
     * @param libraries class path elements besides TrueAsync itself
     * @param output directory for the classes; must exist
     * @param messages receives the compiler's messages, unchanged
     * @param tree notes what is read
     * @return the name of the class to run
     * @throws CompilationFailed if there were errors; they have been printed
     * @throws UsageException if this Java has no compiler, or the file no class
     */
    static String compile(Path file, List<Path> libraries, Path output, PrintWriter messages, SourceTree tree)
            throws CompilationFailed, UsageException, IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new UsageException("this Java has no compiler (" + System.getProperty("java.home")
                    + "); run with a JDK, or compile first and use -cp PATH MainClass");
        }
        FileProblems problems = new FileProblems(messages);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(problems, null, null)) {
            tree.see(file);
            SourceFile source = SourceFile.inspect(compiler, files, file);
            failAfter(problems);
            List<String> options = options(source, libraries, output);
            JavacTask task = (JavacTask) compiler.getTask(
                    messages, tree.noting(files, source.root()), null, options, null, files.getJavaFileObjects(file));
            task.addTaskListener(tree);
            boolean compiled = task.call();
            messages.flush();
            if (!compiled) {
                throw new CompilationFailed();
            }
            failAfter(problems);
            if (source.mainClass().isEmpty()) {
                throw new UsageException("no class in " + file);
            }
            return source.mainClass();
        }
    }

    private static List<String> options(SourceFile source, List<Path> libraries, Path output) {
        List<String> options = new ArrayList<>(List.of("-g", "-proc:none", "-implicit:class", "-d", output.toString()));
        options.addAll(List.of("-sourcepath", source.root().toString()));
        options.addAll(Installation.compilerPath(libraries));
        if (JdkAccess.previewEnabled()) {
            options.addAll(List.of(
                    "--enable-preview",
                    "--source",
                    Integer.toString(Runtime.version().feature())));
        }
        return options;
    }

    private static void failAfter(FileProblems problems) throws CompilationFailed {
        if (problems.errors() > 0) {
            problems.summarise();
            throw new CompilationFailed();
        }
    }

    /** Thrown if the compiler found errors; it has printed them. */
    static final class CompilationFailed extends Exception {
        private static final long serialVersionUID = 1;
    }
}
