package org.trueasync.launcher;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;

/**
 * The result of parsing a source file before it is compiled.
 *
 * @param mainClass the full name of the file's first class, which in a compact source file comes from the file name;
 *     empty if there is none
 * @param root the root directory of the program's packages: the file's directory, then one level up for each part of
 *     its package name
 */
record SourceFile(String mainClass, Path root) {
    static SourceFile inspect(JavaCompiler compiler, StandardJavaFileManager files, Path file) throws IOException {
        // errors are not printed here: the compilation that follows finds them again
        JavacTask task = (JavacTask) compiler.getTask(
                null, files, problem -> {}, List.of("-proc:none"), null, files.getJavaFileObjects(file));
        Path root = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a directory");
        for (CompilationUnitTree unit : task.parse()) {
            String prefix = "";
            if (unit.getPackageName() != null) {
                prefix = unit.getPackageName() + ".";
                for (String _ : unit.getPackageName().toString().split("\\.", -1)) {
                    root = root.getParent() == null ? root : root.getParent();
                }
            }
            for (Tree declaration : unit.getTypeDecls()) {
                if (declaration instanceof ClassTree type) {
                    return new SourceFile(prefix + type.getSimpleName(), root);
                }
            }
        }
        return new SourceFile("", root);
    }
}
