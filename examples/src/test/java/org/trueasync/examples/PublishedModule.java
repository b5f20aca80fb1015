package org.trueasync.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A module that users get.
 *
 * @param name its folder, beside the one of this module
 * @param descriptor the folder of its {@code module-info.java}, in its own
 */
record PublishedModule(String name, String descriptor) {
    private static final Pattern EXPORTS = Pattern.compile("^\\s*exports ([\\w.]+);", Pattern.MULTILINE);
    private static final String SOURCES = "src/main/java";

    static Stream<PublishedModule> all() {
        return Stream.of(
                new PublishedModule("core", SOURCES),
                new PublishedModule("diagnostics", SOURCES),
                new PublishedModule("io", SOURCES),
                new PublishedModule("reactor-libuv", SOURCES),
                new PublishedModule("reactor-nio", SOURCES),
                new PublishedModule("jdbc", SOURCES),
                new PublishedModule("http", SOURCES),
                new PublishedModule("grpc", SOURCES),
                new PublishedModule("context", SOURCES),
                new PublishedModule("micrometer", SOURCES),
                new PublishedModule("cluster", SOURCES),
                new PublishedModule("testkit", "src/main/module"));
    }

    Path folder() {
        return Path.of("").toAbsolutePath().resolveSibling(name);
    }

    /** The top-level classes of its exported packages, in the order of their names. */
    List<Class<?>> exportedClasses() throws IOException, ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        String text = Files.readString(folder().resolve(descriptor).resolve("module-info.java"));
        List<String> packages = EXPORTS.matcher(text)
                .results()
                .map(found -> found.group(1))
                .sorted()
                .toList();
        for (String exported : packages) {
            for (String simpleName : topLevelClasses(exported))
                classes.add(Class.forName(
                        exported + "." + simpleName, false, getClass().getClassLoader()));
        }
        return classes;
    }

    private Set<String> topLevelClasses(String exported) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> sources = Files.list(folder().resolve(SOURCES).resolve(exported.replace('.', '/')))) {
            sources.map(source -> source.getFileName().toString())
                    .filter(file -> file.endsWith(".java") && !file.startsWith("package-info"))
                    .forEach(file -> names.add(file.replace(".java", "")));
        }
        return names;
    }

    @Override
    public String toString() {
        return name;
    }
}
