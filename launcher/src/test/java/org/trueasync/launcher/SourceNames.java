package org.trueasync.launcher;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** What the main sources of all modules declare, read from the sources: also of modules that are built later. */
final class SourceNames {
    private final Map<String, Set<String>> methods = new TreeMap<>();
    private final Set<String> modules = new TreeSet<>();

    /** Reads every module's {@code src/main} below the project's root. */
    SourceNames(Path root) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> entries = Files.list(root)) {
            for (Path module : entries.toList()) {
                Path main = module.resolve("src/main");
                if (!Files.isDirectory(main)) continue;
                try (Stream<Path> tree = Files.walk(main)) {
                    tree.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask)
                    compiler.getTask(null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(sources));
            task.parse().forEach(this::read);
        }
    }

    /** The methods, private ones too, of each class by its binary name. */
    Map<String, Set<String>> methods() {
        return methods;
    }

    Set<String> modules() {
        return modules;
    }

    private void read(CompilationUnitTree unit) {
        ModuleTree module = unit.getModule();
        if (module != null) modules.add(module.getName().toString());
        String start = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
        new TreeScanner<Void, String>() {
            @Override
            public Void visitClass(ClassTree type, String prefix) {
                String name = prefix + type.getSimpleName();
                methods.computeIfAbsent(name, absent -> new TreeSet<>());
                return super.visitClass(type, name + "$");
            }

            @Override
            public Void visitMethod(MethodTree method, String prefix) {
                methods.get(prefix.substring(0, prefix.length() - 1))
                        .add(method.getName().toString());
                return super.visitMethod(method, prefix);
            }
        }.scan(unit, start);
    }
}
