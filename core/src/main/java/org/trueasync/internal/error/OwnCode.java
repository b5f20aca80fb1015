package org.trueasync.internal.error;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Which classes are this library's: those of its packages that come from one of its modules. A program may have classes
 * in packages of ours, as our tests do. On the class path, a place with a module descriptor counts as a module. A class
 * that can't be loaded or placed counts as ours.
 */
final class OwnCode {
    private static final String ROOT = "org.trueasync.";
    private static final Set<String> PACKAGES = Set.of(
            "org.trueasync",
            "org.trueasync.cluster",
            "org.trueasync.diagnostics",
            "org.trueasync.http",
            "org.trueasync.io",
            "org.trueasync.jdbc",
            "org.trueasync.launcher",
            "org.trueasync.spi",
            "org.trueasync.testkit",
            "org.trueasync.testkit.simulation");
    private static final Set<String> TREES = Set.of("org.trueasync.internal.", "org.trueasync.reactor.");

    // Each is replaced as a whole, so that no lock is taken to read it.
    private static volatile Map<String, Boolean> known = Map.of();
    private static volatile Map<String, Boolean> places = Map.of();

    private OwnCode() {}

    /**
     * True for a class of this library. Any thread.
     *
     * @param className with its package
     */
    static boolean has(String className) {
        if (!className.startsWith(ROOT)) return false;
        Boolean before = known.get(className);
        if (before != null) return before;
        boolean ours = isOurPackage(className) && isOurs(className);
        known = with(known, className, ours);
        return ours;
    }

    private static boolean isOurPackage(String className) {
        if (PACKAGES.contains(className.substring(0, className.lastIndexOf('.')))) return true;
        for (String tree : TREES) if (className.startsWith(tree)) return true;
        return false;
    }

    private static Map<String, Boolean> with(Map<String, Boolean> before, String key, boolean value) {
        Map<String, Boolean> more = new HashMap<>(before);
        more.put(key, value);
        return more;
    }

    private static boolean isOurs(String className) {
        Class<?> type;
        try {
            type = OwnCode.class.getClassLoader().loadClass(className);
        } catch (ClassNotFoundException | LinkageError hidden) {
            return true;
        }
        if (type.getModule().isNamed()) return true;
        String place = place(type);
        if (place == null || place.equals(place(OwnCode.class))) return true;
        Boolean before = places.get(place);
        if (before != null) return before;
        boolean module = hasDescriptor(place);
        places = with(places, place, module);
        return module;
    }

    private static @Nullable String place(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location == null ? null : location.toExternalForm();
    }

    private static boolean hasDescriptor(String place) {
        try {
            Path path = Path.of(new URI(place));
            if (Files.isDirectory(path)) return Files.exists(path.resolve("module-info.class"));
            try (var jar = new ZipFile(path.toFile())) {
                return jar.getEntry("module-info.class") != null;
            }
        } catch (java.io.IOException | URISyntaxException | RuntimeException nested) {
            return true; // a jar in a jar, for instance: only the package tells
        }
    }
}
