package org.trueasync.internal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.Async;

/** What a module shows to the world, so that a test can say that it has looked at everything. */
public final class PublicTypes {
    private PublicTypes() {}

    /** The public types of the packages that core exports, in the order of their names. */
    public static List<Class<?>> all() throws Exception {
        List<Class<?>> types = of(Async.class, "org/trueasync", "org/trueasync/spi");
        assertThat(types).hasSizeGreaterThan(100);
        return types;
    }

    /**
     * The public types of some packages, in the order of their names.
     *
     * @param type any of the module
     * @param packages as paths
     */
    public static List<Class<?>> of(Class<?> type, String... packages) throws Exception {
        Path place =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) return below(place, packages);
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return below(jar.getPath("/"), packages);
        }
    }

    private static List<Class<?>> below(Path root, String... packages) throws Exception {
        var types = new ArrayList<Class<?>>();
        for (String name : packages) {
            try (Stream<Path> files = Files.list(root.resolve(name))) {
                for (Path file : files.sorted().toList()) {
                    String simple = file.getFileName().toString();
                    if (!simple.endsWith(".class") || simple.startsWith("package-info")) continue;
                    Class<?> type = Class.forName(
                            name.replace('/', '.') + "." + simple.substring(0, simple.length() - 6),
                            false,
                            Async.class.getClassLoader());
                    if (isPublic(type)) types.add(type);
                }
            }
        }
        return types;
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
    }
}
